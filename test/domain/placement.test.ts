/** Where each part of a cluster is: one function answers for create, doctor, graph and verify. */
import { describe, expect, test } from "vitest";
import { groupNames } from "../../src/domain/names.js";
import { existingParts, knownPlacement, placeInfra, type PlacementChoice } from "../../src/domain/placement.js";
import { resourceOf } from "../../src/engine/step.js";
import { resourceTypes } from "../../src/domain/resource-types.js";
import { everyGraph } from "../steps/every-graph.js";

const cluster = { name: "demo", infraId: "demo-x7k2" };
const groups = groupNames("documented", cluster);
const nothing = { networkSecurityGroupId: undefined, vnetId: undefined, subnetId: undefined };
const choice: PlacementChoice = {
  naming: "documented",
  existingGroup: undefined,
  singleResourceGroup: false,
  existing: nothing,
  dnsZoneGroup: "dns",
};
const theirs = (path: string) =>
  `/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/theirs/providers/Microsoft.Network/${path}`;
const vnetId = theirs("virtualNetworks/theirs");
const place = (changes: Partial<PlacementChoice> = {}) => placeInfra({ ...choice, cluster, ...changes });

describe("a placement", () => {
  test("puts the private zone beside the network in documented naming, into the managed group in hypershift's", () => {
    expect(place()).toEqual({ ...groups, privateZone: groups.vnet, dns: "dns" });
    expect(place({ naming: "hypershift" }).privateZone).toBe(groups.managed);
  });

  test.each([{ vnetId }, { subnetId: `${vnetId}/subnets/workers` }])(
    "follows an existing network, and never puts the zone beside it: %j",
    (given) => {
      const existing = { ...nothing, ...given };
      expect(place({ existing })).toEqual({
        managed: groups.managed,
        vnet: "theirs",
        nsg: undefined,
        privateZone: groups.managed,
        dns: "dns",
      });
      // Its security group is on its subnet: none is made.
      expect([...existingParts({ ...choice, existing })]).toEqual(["vnet", "nsg"]);
    },
  );

  test("lets an existing group take the managed group's place only", () => {
    expect(place({ existingGroup: "mine" })).toEqual({ ...groups, managed: "mine", privateZone: groups.vnet, dns: "dns" });
    expect([...existingParts({ ...choice, existingGroup: "mine" })]).toEqual(["managed"]);
  });

  test("puts everything into one group with --single-resource-group", () => {
    const mine = { managed: "mine", vnet: "mine", nsg: "mine", privateZone: "mine", dns: "dns" };
    expect(place({ singleResourceGroup: true, existingGroup: "mine" })).toEqual(mine);
  });

  test("of a cluster that is not named yet has the groups that exist", () => {
    const existing = { ...nothing, networkSecurityGroupId: theirs("networkSecurityGroups/theirs") };
    expect(knownPlacement({ ...choice, existing, existingGroup: "mine", cluster: undefined })).toEqual({
      ...{ managed: "mine", vnet: undefined, nsg: "theirs", dns: "dns" },
    });
  });
});

test("the steps of every graph make each thing in the group that the placement names", () => {
  const wrong = everyGraph().flatMap(({ name, steps, spec }) => {
    if (spec === undefined) return [];
    const placed = placeInfra(spec);
    return steps.flatMap((step) => {
      const resource = resourceOf(step);
      const row = Object.values(resourceTypes).find(({ type }) => type === resource?.type);
      if (resource === undefined || step.resourceId === undefined || row === undefined || !("use" in row)) return [];
      const { group } = row.use;
      // Those of the egress may be in any group.
      if (resource.existing === true && ["nat-gateway", "public-ip-prefix", "route-table"].includes(row.use.step)) return [];
      if (group === "several" || group === "identities" || group === "issuer" || group === "aks" || group === "arc") return [];
      return step.resourceId.includes(`/resourceGroups/${String(placed[group])}/`) ? [] : [`${name}: ${step.id} is in ${step.resourceId}`];
    });
  });
  expect(wrong).toEqual([]);
});
