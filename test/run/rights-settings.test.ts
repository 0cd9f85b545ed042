/** Roles are given only where the operator says so: a tag, a link or a directory entry never decides about a scope or a principal. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { ownershipTags } from "../../src/domain/ownership.js";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { aksClusterIds } from "../harness/aks-cluster.js";
import { addTags } from "../harness/state-changes.js";
import { existing, seedNetworks } from "../infra/existing-networks.js";
import { exits, refuses, writesSince } from "../cli/expectations.js";
import { applications, combined, fileOf } from "../identities/cli/identities.js";
import { subscription } from "../cli/demo-cluster.js";
import { placePrivateKey, testKey } from "../issuer/signing-keys.js";

const group = `${subscription}/resourceGroups/demo-demo-x7k2`;
const victim = `${subscription}/resourceGroups/victim`;
const network = `${victim}/providers/Microsoft.Network`;

/** What somebody writes into the tag of earlier versions. */
const hostile: readonly Readonly<Record<string, unknown>>[] = [
  { vnetId: `${network}/virtualNetworks/theirs` },
  { subnetId: `${network}/virtualNetworks/theirs/subnets/theirs` },
  { networkSecurityGroupId: `${network}/networkSecurityGroups/theirs` },
  { publicIpPrefixId: [`${network}/publicIPPrefixes/theirs`] },
  { egress: "nat-gateway", natGatewayId: `${network}/natGateways/theirs` },
  { egress: "user-defined-routing", routeTableId: `${network}/routeTables/theirs` },
  { resourceGroupName: "victim" },
  { assignIdentityRoles: true, assignCustomHcpRoles: true },
  { disableClusterCapabilities: ["ImageRegistry"] },
  { identitiesName: "theirs" },
];
const common = { baseDomain: "hcp.example.com", location: "eastus" };

const tag = (azure: TestEmulator, record: object) =>
  addTags(azure, group, { "aro-hcp-options": JSON.stringify({ ...common, ...record }).slice(0, 256) });

async function assignments(azure: TestEmulator): Promise<readonly { scope: string; principalId: string }[]> {
  return Object.values((await azure.snapshot()).roleAssignments) as { scope: string; principalId: string }[];
}

/** A cluster whose identities have roles, created without an output file. */
async function withRoles() {
  const azure = await testEmulator();
  await azure.seed({ applications, resources: { [victim]: { location: "eastus" } } });
  const identities = await fileOf(azure, "identities.json", combined);
  const file = azure.path("infra.json");
  const create = (...more: readonly string[]) =>
    azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", "--managed-identities-file", identities, ...more]);
  const roles = ["--assign-identity-roles", "--dns-zone-rg-name", "dns"];
  exits(await create(...roles), 0);
  return { azure, file, create, roles };
}

describe("a tag decides nothing", () => {
  test("for create infra, with roles or without", async () => {
    const { azure, create, roles } = await withRoles();
    const before = await azure.snapshot();
    for (const record of hostile) {
      await tag(azure, record);
      exits(await create(...roles), 0);
      expect(await azure.snapshot()).toEqual(before);
      await tag(azure, record);
      exits(await create("--dns-zone-rg-name", "dns"), 0);
      expect(await azure.snapshot()).toEqual(before);
    }
  });

  test("for create all", async () => {
    const azure = await testEmulator();
    const key = testKey();
    const whole = ["--dns-zone-rg-name", "dns", "--yes"];
    const createAll = async (directory: string) => {
      await placePrivateKey(azure.path(directory), key);
      return azure.cli(["create", "all", ...demo, ...demoDomain, ...whole, "--output-dir", azure.path(directory)]);
    };
    exits(await createAll("demo"), 0);
    const before = await azure.snapshot();
    for (const record of hostile) {
      await tag(azure, { dnsZoneRgName: "dns", ...record });
      exits(await createAll("elsewhere"), 0);
      expect(await azure.snapshot()).toEqual(before);
    }
  });
});

describe("what only Azure shows is no reason for a role", () => {
  test("the network behind the private zone's link needs its flag, or the operator's file", async () => {
    const { azure, create, roles, file } = await withRoles();
    exits(await azure.cli(["destroy", "infra", ...demo, "--yes"]), 0);
    await seedNetworks(azure);
    const output = ["--output-file", file];
    exits(await create(...roles, "--vnet-id", existing.vnet, ...output), 0);
    await refuses(azure, create(...roles), 2, "only Azure shows settings of demo-x7k2", /--vnet-id +Azure shows/);
    exits(await create(...roles, "--vnet-id", existing.vnet), 0);
    exits(await create(...roles, ...output), 0);
  });

  test("the group of the load balancer needs its flag, or the operator's file", async () => {
    const { azure, create, roles, file } = await withRoles();
    exits(await azure.cli(["destroy", "infra", ...demo, "--yes"]), 0);
    const [mine, output] = [
      ["--resource-group-name", "victim"],
      ["--output-file", file],
    ];
    exits(await create(...roles, ...mine, ...output), 0);
    await refuses(azure, create(...roles), 2, /--resource-group-name +Azure shows/);
    exits(await create(...roles, ...mine), 0);
    exits(await create(...roles, ...output), 0);
  });
});

test("the security group of a subnet does not decide where roles go, if it is in another group than the network", async () => {
  const { azure, create, roles } = await withRoles();
  exits(await azure.cli(["destroy", "infra", ...demo, "--yes"]), 0);
  await seedNetworks(azure, { attached: existing.nsgApart });
  const network = ["--vnet-id", existing.vnet];
  await refuses(azure, create(...roles, ...network), 2, "roles would be assigned on the resource group of", existing.nsgApart);
  exits(await create(...roles, ...network, "--network-security-group-id", existing.nsgApart), 0);
});

test("a tag does not make destroy all delete a set whose identities have none of the cluster's roles", async () => {
  const azure = await testEmulator();
  const key = testKey();
  const createAll = async (name: string) => {
    await placePrivateKey(azure.path(name), key);
    const flags = ["--cloud", "local", "--name", name, "--infra-id", `${name}-x1`, ...demoDomain, "--dns-zone-rg-name", "dns"];
    return azure.cli(["create", "all", ...flags, "--yes", "--output-dir", azure.path(name)]);
  };
  exits(await createAll("green"), 0);
  exits(await createAll("prod"), 0);
  // The set is left, for a cluster to come.
  exits(await azure.cli(["destroy", "infra", "--cloud", "local", "--name", "prod", "--infra-id", "prod-x1", "--yes"]), 0);
  const tags = { "aro-hcp-options": JSON.stringify({ ...common, identitiesName: "prod" }) };
  await addTags(azure, `${subscription}/resourceGroups/green-green-x1`, tags);
  const destroy = ["destroy", "all", "--cloud", "local", "--name", "green", "--infra-id", "green-x1", "--yes"];
  exits(await azure.cli(destroy), 0);
  const left = Object.keys((await azure.snapshot()).resources).filter((id) => id.includes("/vaults/"));
  expect(left.map((id) => id.split("/")[4])).toEqual(["prod-common"]);
});

describe("the roles of a cluster", () => {
  const other = applications.map(({ appId, displayName, servicePrincipalId }) => ({
    appId: appId.replace(/^0/, "9"),
    displayName: `other-${displayName}`,
    servicePrincipalId: servicePrincipalId.replace(/^0/, "9"),
  }));

  test("stay with the identities of the first files: others need a flag, or that the first do not exist any more", async () => {
    const { azure, create, roles } = await withRoles();
    await azure.seed({ applications: other });
    const before = await assignments(azure);
    const text = JSON.stringify(combined).replaceAll('"00000000-0000-4000-8000-0000000001', '"90000000-0000-4000-8000-0000000001');
    const theirs = ["--managed-identities-file", await fileOf(azure, "other.json", text)];
    for (const dry of [[], ["--dry-run"]]) {
      await refuses(
        azure,
        create(...roles, ...theirs, ...dry),
        5,
        /Contributor for cpo on .* belongs to controlPlaneOperator \(client ID 00000000/,
        "this run would take the roles of demo-x7k2 from identities that exist, and give them to those of the identity files",
        "--change-identities",
      );
    }
    exits(await create(...roles, ...theirs, "--change-identities", "--yes"), 0);
    const after = await assignments(azure);
    expect(after).toHaveLength(before.length);
    expect(after.filter(({ principalId }) => principalId.startsWith("9"))).toHaveLength(
      before.filter(({ principalId }) => principalId.startsWith("0000")).length,
    );
  });

  test("may be exchanged between the components of the same files", async () => {
    const { azure, create, roles } = await withRoles();
    const { disk, file } = combined.controlPlane;
    const swapped = await fileOf(azure, "swapped.json", {
      ...combined,
      controlPlane: { ...combined.controlPlane, disk: file, file: disk },
    });
    const files = ["--managed-identities-file", swapped, "--data-plane-identities-file", swapped];
    const { stderr } = exits(await create(...roles, ...files, "--dry-run"), 0);
    expect(stderr).toContain("-/+ replace");
    // Two options with one file say its format once.
    expect(stderr.match(/notice: \S*swapped\.json is/g)).toHaveLength(1);
  });

  test("stay with the set of the cluster, whatever name is typed, and its files are not written", async () => {
    const azure = await testEmulator();
    const key = testKey();
    const createAll = async (set: string, directory = "demo", ...more: readonly string[]) => {
      await placePrivateKey(azure.path(directory), key);
      return azure.cli([
        ...["create", "all", ...demo, ...demoDomain, "--dns-zone-rg-name", "dns", "--yes", "--output-dir", azure.path(directory)],
        ...["--identities-name", set, ...more],
      ]);
    };
    exits(await createAll("shared"), 0);
    const identities = await readFile(azure.path("demo/identities.json"), "utf8");
    const before = await assignments(azure);
    for (const dry of [[], ["--dry-run"]]) {
      await refuses(
        azure,
        createAll("shard", "demo", ...dry),
        5,
        /belongs to shared-cpo \(client ID .*\) of identity set shared in resource group shared-common/,
        "give them to identity set shard in resource group shard-common",
      );
    }
    expect(await readFile(azure.path("demo/identities.json"), "utf8")).toBe(identities);
    expect(await assignments(azure)).toEqual(before);
    exits(await createAll("shared"), 0);
    expect(await writesSince(azure)).toEqual([]);
    exits(await createAll("shard", "demo", "--change-identities"), 2);
    exits(await createAll("shard", "moved", "--change-identities", "--yes"), 0);
    exits(await azure.cli(["verify", "identities", "--cloud", "local", "--input-dir", azure.path("moved")]), 0);
  });
});

describe("a resource with the tag and a name of the cluster, made by others in their group", () => {
  const bait = (id: string, tags: Record<string, string>, more: object) => ({
    [victim]: { location: "eastus" },
    [id]: { location: "eastus", tags, ...more },
  });
  const address = { sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } };
  const tags = ownershipTags({ name: "demo", infraId: "demo-x7k2" });

  test("does not lead a create infra there, with roles or without, nor into its output file", async () => {
    const azure = await testEmulator();
    await azure.seed({ resources: bait(`${network}/publicIPAddresses/demo-x7k2`, tags, address) });
    const create = () => azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", "--output-file", azure.path("infra.json")]);
    await refuses(azure, create(), 2, "--resource-group-name victim");
  });

  test("does not lead a create management-cluster there", async () => {
    const azure = await testEmulator();
    const { outbound } = aksClusterIds({ group: "victim" });
    await azure.seed({ resources: bait(outbound, { "aro-hcp-management-cluster": "mgmt" }, address) });
    await refuses(
      azure,
      azure.cli(["create", "management-cluster", "--cloud", "local", "--name", "mgmt", "--yes"]),
      2,
      "--resource-group-name victim",
    );
  });
});
