/** Everything that any create makes is known to whoever else must know it: the table of resource types, and what is derived from it. */
import { aroHcp } from "../../src/errors/advice.js";
import { describe, expect, test } from "vitest";
import { parts, type Part } from "../../src/domain/create-parts.js";
import { requiredActions } from "../../src/domain/required-actions.js";
import { aksNamedTypes } from "../../src/aks/domain/cluster-resource.js";
import { namedTypes } from "../../src/domain/cluster-resource.js";
import { isOrdered, rowOf, rows, type UsedType } from "../../src/domain/resource-catalogue.js";
import { resourceTypes } from "../../src/domain/resource-types.js";
import { resourceOf, type Step } from "../../src/engine/step.js";
import { identityTypes } from "../../src/identities/removal/identities.js";
import { issuerTypes } from "../../src/issuer/removal/issuer.js";
import { defineInGroup } from "../../src/steps/in-group.js";
import { ownGroup } from "../../src/steps/resource-groups.js";
import { infraCheckInstances } from "../../src/infra/verify/check-instances.js";
import { everyGraph, unasked, type NamedGraph } from "./every-graph.js";

/** What destroy looks for by type; everything else that it removes is a child of one of these, a group, or a role assignment. */
const removedApart = {
  identities: identityTypes.map(({ type }) => type),
  issuer: issuerTypes.map(({ type }) => type),
  aks: [...aksNamedTypes.map(({ row }) => row.type), resourceTypes.addressRecord.type, resourceTypes.nameServerRecord.type],
  arc: [
    ...[resourceTypes.connectedCluster.type, resourceTypes.arcExtension.type],
    ...[resourceTypes.keyVault.type, resourceTypes.managedIdentity.type],
  ],
  dns: [resourceTypes.publicDnsZone.type, resourceTypes.nameServerRecord.type, resourceTypes.managedIdentity.type],
} as const;

const { resourceGroup, roleAssignment } = resourceTypes;

function isRemoved(part: Part, type: string): boolean {
  if (type === resourceGroup.type || type === roleAssignment.type) return true;
  if (part === "infra") return namedTypes.some(({ row }) => row.type === type);
  return removedApart[part].some((parent) => type === parent || type.startsWith(`${parent}/`));
}

/** One sentence for each resource of the steps that a table does not know. */
function faults({ parts: made, steps, spec }: NamedGraph): string[] {
  const verified = new Set(spec && verifiedSubjects(steps, { spec }));
  return steps.flatMap((step) => {
    const { id, title, subject } = step;
    if (subject === undefined) return [`${id} does not say what it is about`];
    const resource = resourceOf(step);
    if (resource === undefined) return [];
    const { type, existing } = resource;
    const row = rowOf(type);
    const found: (string | false)[] = [
      row === undefined && "is in no row",
      // Only Azure has the name of some that exist: their title says which one it is.
      !(existing ? title.includes(row?.label ?? type) : title.startsWith(row?.label ?? type)) && "is not titled by its label",
      row !== undefined && row.use === undefined && "is used, and its row does not say so",
      row?.use !== undefined && !id.includes(row.use.step) && "is made by another step than its row says",
      !isOrdered(type) && "has no place in the order of removal",
      spec !== undefined && !verified.has(title) && "is not verified",
      !requiredActions.some((one) => one.type === type && one.actions.some((action) => action.endsWith("/read"))) && "cannot be read",
    ];
    if (existing !== true) {
      found.push(
        ![...made].some((part) => isRemoved(part, type)) && "is not removed",
        !requiredActions.some((one) => one.type === type && one.actions.some((action) => action.endsWith("/write"))) &&
          "may not be written",
        row?.use?.location !== "global" && row?.use?.quota === undefined && "is not counted for a quota, nor said to have none",
      );
    }
    return found.flatMap((what) => (what === false ? [] : [`${type} (${id}) ${what}`]));
  });
}

function verifiedSubjects(steps: readonly Step<unknown>[], { spec }: Required<Pick<NamedGraph, "spec">>): string[] {
  const plan = { steps: [], refusals: [], failures: [], skipped: [], changes: 0 };
  const given = { spec, plan, podNetworks: [], serviceNetworks: [], create: aroHcp("create infra") };
  return infraCheckInstances(unasked, steps, given).flatMap(({ check, subject }) => (check.id === "resource-exists" ? [subject] : []));
}

describe("every graph", () => {
  test("nothing that a create makes is unknown to titles, removal, verification, rights or quotas", () => {
    expect(everyGraph().flatMap((graph) => faults(graph).map((fault) => `${graph.name}: ${fault}`))).toEqual([]);
  });

  test("a step uses every row with `use`, with the verbs of its operations", () => {
    const seen = everyGraph().flatMap(({ steps }) => steps.flatMap((step) => resourceOf(step) ?? []));
    const roles = everyGraph().some(({ steps }) => steps.some(({ subject }) => subject?.kind === "role-assignment"));
    const unused = rows.filter(
      ({ type, use }) => use !== undefined && !seen.some((one) => one.type === type) && !(roles && type === roleAssignment.type),
    );
    expect(unused.map(({ type }) => type)).toEqual([]);
    const made = new Set(seen.flatMap(({ type, existing }) => (existing ? [] : [type])));
    const wrong = rows.filter(
      ({ type, use }) => use !== undefined && type !== roleAssignment.type && use.verbs.some((verb) => verb === "write") !== made.has(type),
    );
    expect(wrong.map(({ type }) => type)).toEqual([]);
  });
});

describe("a step of a type that is in no row", () => {
  const row: UsedType = {
    type: "Microsoft.Network/azureFirewalls",
    label: "firewall",
    heldBy: [],
    use: { step: "firewall", part: "infra", group: "managed", verbs: ["read", "write"], location: "regional" },
  };
  const group = ownGroup(
    unasked,
    { subscriptionId: "s", location: "eastus", owner: { name: "demo", infraId: "demo-x7k2" }, tags: {} },
    "managed-group",
    "demo",
  );
  const firewall = defineInGroup({
    ...{ row, names: ["demo"], needs: { group } },
    lostTags: { mark: (live) => Promise.resolve(live), restore: () => Promise.resolve() },
    read: () => Promise.resolve(undefined),
    wanted: () => ({}),
    decide: () => ({ act: "create" }),
    apply: () => Promise.resolve({}),
    output: (id) => ({ id }),
  });

  test("is named by each of those who would not know it", () => {
    const [plain] = everyGraph();
    const spec = plain?.spec;
    const graph = { name: "with a firewall", parts: new Set(parts), steps: [...(plain?.steps ?? []), firewall], ...(spec && { spec }) };
    expect(faults(graph)).toEqual(
      [
        "is in no row",
        "is not titled by its label",
        "has no place in the order of removal",
        "cannot be read",
        "is not removed",
        "may not be written",
        "is not counted for a quota, nor said to have none",
      ].map((what) => `Microsoft.Network/azureFirewalls (firewall) ${what}`),
    );
  });

  test("is not verified by a verification that is not given its step", () => {
    const [plain] = everyGraph();
    if (plain?.spec === undefined) throw new Error("the first graph is of infrastructure");
    expect(verifiedSubjects(plain.steps, { spec: plain.spec })).not.toContain(firewall.title);
    expect(verifiedSubjects([...plain.steps, firewall], { spec: plain.spec })).toContain(firewall.title);
  });
});
