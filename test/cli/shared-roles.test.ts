/** Which role assignments `destroy infra` keeps, because another cluster with the same identities needs them on the same group. */
import { expect, test } from "vitest";
import { changeState } from "../harness/state-changes.js";
import { demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, inGroup } from "./demo-cluster.js";
import { existing, seedNetworks } from "../infra/existing-networks.js";
import { create, destroy, exits } from "./expectations.js";
import { fileOf, roleFlags } from "../identities/cli/identities.js";
import { assignmentName, table } from "../infra/role-names.js";

const next = ["--cloud", "local", "--name", "next", "--infra-id", "next-a1b2"] as const;

/** Existing resources of the other cluster alone. */
const theirs = { vnet: inGroup("their-net", "virtualNetworks/their-vnet"), nsg: inGroup("their-net", "networkSecurityGroups/their-nsg") };

async function seedTheirNetwork(azure: TestEmulator): Promise<void> {
  await azure.seed({
    resources: {
      [groupId("their-net")]: { location: "eastus" },
      [groupId("their-managed")]: { location: "eastus" },
      [theirs.nsg]: { location: "eastus", properties: {} },
      [theirs.vnet]: {
        location: "eastus",
        properties: {
          addressSpace: { addressPrefixes: ["10.8.0.0/16"] },
          subnets: [{ name: "workers", properties: { addressPrefix: "10.8.0.0/24", networkSecurityGroup: { id: theirs.nsg } } }],
        },
      },
    },
  });
}

/** As HyperShift's own create leaves them. */
async function withoutTags(azure: TestEmulator): Promise<void> {
  await changeState(azure, ({ resources }) => {
    for (const resource of Object.values(resources)) if (resource.tags?.["aro-hcp-infra-id"] === "next-a1b2") delete resource.tags;
  });
}

async function withTagsInCapitals(azure: TestEmulator): Promise<void> {
  await changeState(azure, ({ resources }) => {
    for (const resource of Object.values(resources)) {
      if (resource.tags?.["aro-hcp-infra-id"] !== "next-a1b2") continue;
      resource.tags = Object.fromEntries(Object.entries(resource.tags).map(([tag, value]) => [tag.toUpperCase(), value]));
    }
  });
}

/** Its role assignments stay, as after HyperShift's destroy. */
async function goneGroups(azure: TestEmulator): Promise<void> {
  await changeState(azure, ({ resources, roleAssignments }) => {
    const isGone = (key: string) => /\/resourcegroups\/next-next-a1b2/.test(key);
    for (const key of Object.keys(resources)) if (isGone(key)) delete resources[key];
    for (const key of Object.keys(roleAssignments)) if (isGone(key)) delete roleAssignments[key];
  });
}

interface Case {
  readonly what: string;
  readonly ours?: readonly string[];
  readonly other?: readonly string[];
  /** The other cluster is created first, and makes the common assignments. */
  readonly otherFirst?: true;
  readonly without?: "roles" | "our identities";
  readonly then?: (azure: TestEmulator) => Promise<void>;
  /** "component@group" of the assignments of ours that are kept. */
  readonly kept: readonly string[];
}

const ownNetwork = ["--resource-group-name", "mine", "--vnet-id", existing.vnet] as const;
const theirNetwork = ["--resource-group-name", "their-managed", "--vnet-id", theirs.vnet] as const;
const single = ["--single-resource-group", "--resource-group-name", "mine"] as const;
const hypershift = ["--naming", "hypershift"] as const;
const zone = "ingress@dns";
const onNetwork = ["cpo", "capz", "cloud-provider", "azure-file", "ingress", "cncc"].map((component) => `${component}@net`);

const cases: readonly Case[] = [
  { what: "on the zone's group only, beside existing groups of ours", ours: ownNetwork, kept: [zone] },
  { what: "on the zone's group only, beside a single existing group of ours", ours: single, kept: [zone] },
  { what: "on the zone's group only, if both have existing groups of their own", ours: ownNetwork, other: theirNetwork, kept: [zone] },
  { what: "on the zone's group only, if ours has no existing group, and the other one has", other: theirNetwork, kept: [zone] },
  { what: "on the zone's group, for a cluster of hypershift", other: hypershift, then: withoutTags, kept: [zone] },
  {
    what: "on the zone's group, for a cluster of hypershift in existing groups",
    ours: ownNetwork,
    other: [...hypershift, ...theirNetwork],
    then: withoutTags,
    kept: [zone],
  },
  { what: "on the zone's group, for a cluster whose tags have other casing", ours: ownNetwork, then: withTagsInCapitals, kept: [zone] },
  { what: "on the network's group, if both use it", ours: ownNetwork, other: ["--vnet-id", existing.vnet], kept: [zone, ...onNetwork] },
  {
    what: "on the network's group, if a cluster of hypershift uses it too",
    ours: ownNetwork,
    other: [...hypershift, "--vnet-id", existing.vnet],
    then: withoutTags,
    kept: [zone, ...onNetwork],
  },
  {
    what: "on the group of a security group that both use",
    ours: ["--network-security-group-id", existing.nsgApart],
    other: ["--network-security-group-id", existing.nsgApart],
    kept: [zone, "cpo@mine", "cloud-provider@mine", "azure-file@mine"],
  },
  {
    what: "on a single group that both use",
    ours: single,
    other: single,
    kept: [zone, ...table.map(([component]) => `${component}@mine`)],
  },
  { what: "nowhere, if the other cluster made the assignment on the zone's group", ours: ownNetwork, otherFirst: true, kept: [] },
  { what: "nowhere, if the other cluster has other identities", ours: ownNetwork, without: "our identities", kept: [] },
  { what: "nowhere, if the other cluster has no roles", ours: ownNetwork, without: "roles", kept: [] },
  { what: "nowhere, if the other cluster is gone", ours: ownNetwork, then: goneGroups, kept: [] },
];

/** The same components with other applications. */
async function otherIdentities(azure: TestEmulator, flags: readonly string[]): Promise<string[]> {
  const { applications, controlPlane, dataPlane } = await import("../identities/cli/identities.js");
  const other = (text: string) => text.replaceAll("-0000000001", "-0000000003").replaceAll("-0000000002", "-0000000004");
  await azure.seed({ applications: JSON.parse(other(JSON.stringify(applications))) as unknown });
  const files = [
    await fileOf(azure, "cp2.json", other(JSON.stringify(controlPlane))),
    await fileOf(azure, "dp2.json", other(JSON.stringify(dataPlane))),
  ];
  return flags.map((flag) => flag.replace(/.*cp\.json$/, files[0] ?? "").replace(/.*dp\.json$/, files[1] ?? ""));
}

/** "component@group" of the assignments with the names of a cluster. */
async function assignmentsOf(azure: TestEmulator, infraId: string): Promise<string[]> {
  const { roleAssignments } = await azure.snapshot();
  const live = Object.values(roleAssignments) as { readonly name: string; readonly scope: string }[];
  return live.flatMap(({ name, scope }) =>
    table.flatMap(([component]) =>
      assignmentName(infraId, component, scope) === name ? [`${component}@${scope.split("/").at(-1) ?? ""}`] : [],
    ),
  );
}

test.each(cases.map((one) => [one.what, one] as const))("assignments are kept %s", async (_what, one) => {
  const azure = await testEmulator();
  await seedNetworks(azure);
  await seedTheirNetwork(azure);
  const roles = await roleFlags(azure);
  const theirRoles = one.without === "roles" ? [] : one.without === "our identities" ? await otherIdentities(azure, roles) : roles;
  const createOurs = async () => exits(await create(azure, [...roles, ...(one.ours ?? [])]), 0);
  const createOther = async () =>
    exits(await azure.cli(["create", "infra", ...next, ...demoDomain, ...theirRoles, ...(one.other ?? [])]), 0);
  if (one.otherFirst) await createOther();
  await createOurs();
  if (!one.otherFirst) await createOther();
  await one.then?.(azure);
  const untouched = await assignmentsOf(azure, "next-a1b2");

  const existingGroup = one.ours?.includes("--resource-group-name") ? ["--resource-group-name", "mine"] : [];
  const { stderr } = exits(await destroy(azure, existingGroup), 0);
  expect((await assignmentsOf(azure, "demo-x7k2")).toSorted()).toEqual(one.kept.toSorted());
  expect(await assignmentsOf(azure, "next-a1b2")).toEqual(untouched);
  const keptLine = /^ *= keep +role assignments?(?: \((\d+)\):)? (.*): cluster next-a1b2 has the same identity and needs the assignment$/m;
  const [, number = "1", names] = keptLine.exec(stderr) ?? [undefined, "0"];
  expect(Number(number), stderr).toBe(one.kept.length);
  expect(names?.split(", ") ?? []).toHaveLength(one.kept.length);
  if (one.kept.length > 0) expect(stderr).toMatch(/is done in .*: .*\d+ removed, \d+ kept|\d+ kept/);
});
