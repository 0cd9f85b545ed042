/** The order of a create of an AKS cluster, as its graph declares it: a create that is fast enough must not depend on luck. */
import { describe, expect, test } from "vitest";
import { clusterKinds } from "../../../src/domain/cluster-kind.js";
import { resourceTypes } from "../../../src/domain/resource-types.js";
import { resourceOf, type Step } from "../../../src/engine/step.js";
import { aksClusterGraph } from "../../../src/aks/steps/graph.js";
import { aksSpec, unasked } from "../../steps/every-graph.js";

/** IDs of all steps that must end before the step. */
function before(steps: readonly Step<unknown>[], id: string): Set<string> {
  const needs = steps.find((step) => step.id === id)?.needs ?? [];
  return new Set([...needs, ...needs.flatMap((need) => [...before(steps, need)])]);
}

describe.each(clusterKinds)("%s", (kind) => {
  describe.each([false, true])("of existing parts: %s", (isExisting) => {
    const { steps, cluster } = aksClusterGraph(unasked, aksSpec(kind, "production", isExisting));
    const typesOf = (types: readonly { readonly type: string }[]) =>
      steps.filter((step) => types.some(({ type }) => resourceOf(step)?.type === type));
    const rolesOf = ({ subject }: Step<unknown>) => (subject?.kind === "role-assignment" ? [subject.role] : []);

    test("AKS gets its cluster after every role on what the cluster needs", () => {
      const earlier = before(steps, cluster.id);
      const roles = steps.filter((step) => rolesOf(step).length > 0 && step.needs.every((need) => earlier.has(need)));
      for (const { id } of roles) expect(earlier).toContain(id);
      const ofNetwork = isExisting ? ["Network Contributor", "Network Contributor"] : ["Network Contributor"];
      const others = ["Network Contributor", "Managed Identity Operator", "Key Vault Crypto User"];
      expect(roles.flatMap(rolesOf)).toEqual([...ofNetwork, ...others]);
    });

    test("pools, maintenance windows and the secrets provider's roles come after the cluster", () => {
      const ofProvider = steps.filter((step) => rolesOf(step).includes("Key Vault Secrets User"));
      const later = [...typesOf([resourceTypes.agentPool]), ...typesOf([resourceTypes.maintenanceConfiguration]), ...ofProvider];
      expect(later).toHaveLength(11);
      for (const { id } of later) expect(before(steps, id), id).toContain(cluster.id);
    });

    test("what is outside of the group follows what leads a destroy to it: the address, or the cluster", () => {
      const records = typesOf([{ type: "Microsoft.Network/dnsZones/A" }, { type: "Microsoft.Network/dnsZones/NS" }]);
      const addresses = typesOf([resourceTypes.publicIpAddress]).map(({ id }) => id);
      expect(records).toHaveLength(3);
      for (const { id } of records)
        expect(
          [...before(steps, id)].filter((one) => addresses.includes(one)),
          id,
        ).not.toEqual([]);
      const certificates = steps.filter(({ subject }) => subject?.kind === "vault-object");
      expect(certificates).toHaveLength(1);
      for (const { id } of certificates) expect(before(steps, id)).toContain(cluster.id);
    });

    test("the registry's role does not wait for the cluster", () => {
      expect(before(steps, "role-acr-pull-1")).not.toContain(cluster.id);
    });

    test("every step that is needed is in the graph, and each ID is there once", () => {
      const ids = steps.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { needs } of steps) for (const need of needs) expect(ids).toContain(need);
    });
  });
});
