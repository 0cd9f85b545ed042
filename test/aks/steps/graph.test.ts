/** The order of a create of an AKS cluster, as its graph declares it: a create that is fast enough must not depend on luck. */
import { describe, expect, test } from "vitest";
import { clusterKinds } from "../../../src/domain/cluster-kind.js";
import type { Step } from "../../../src/engine/step.js";
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
    const titles = new Map(steps.map(({ id, title }) => [id, title]));

    test("AKS gets its cluster after every role that its identity needs", () => {
      const earlier = [...before(steps, cluster.id)].flatMap((id) => titles.get(id) ?? []);
      const roles = earlier.filter((title) => title.startsWith("role assignment "));
      expect(roles).toEqual(
        expect.arrayContaining(
          steps.flatMap(({ id, title }) =>
            /^role-(?:network|node-subnet|pod-subnet|outbound-address|kubelet|etcd-key)$/.test(id) ? [title] : [],
          ),
        ),
      );
      expect(
        roles.map((title) => / (?:Network Contributor|Managed Identity Operator|Key Vault Crypto User) /.exec(title)?.[0].trim()),
      ).toEqual(expect.arrayContaining(["Network Contributor", "Managed Identity Operator", "Key Vault Crypto User"]));
    });

    test("pools, maintenance windows and the secrets provider's roles come after the cluster", () => {
      const later = steps.filter(({ id }) => /^(?:agent-pool|maintenance|role-secrets-provider)-/.test(id));
      expect(later.length).toBeGreaterThan(4);
      for (const { id } of later) expect(before(steps, id), id).toContain(cluster.id);
    });

    test("what is outside of the group follows what leads a destroy to it: the address, or the cluster", () => {
      const outside = steps.filter(({ id }) => /^(?:address-record-|zone-delegation$|ingress-certificate$)/.test(id));
      expect(outside).toHaveLength(4);
      for (const { id } of outside)
        expect([...before(steps, id)].join(), id).toMatch(id === "ingress-certificate" ? /aks-cluster/ : /ingress-public-ip/);
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
