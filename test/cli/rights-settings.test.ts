/** Roles are given only where the operator says so: a tag, a link or a directory entry never decides about a scope or a principal. */
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { optionTags } from "../../src/domain/option-tags.js";
import { existing, seedNetworks } from "./existing-networks.js";
import { exits, refuses, writesSince } from "./expectations.js";
import { applications, combined, fileOf } from "./identities.js";
import { subscription } from "./demo-cluster.js";
import { placePrivateKey, testKey } from "./signing-keys.js";

const group = `${subscription}/resourceGroups/demo-demo-x7k2`;
const victim = `${subscription}/resourceGroups/victim`;
const network = `${victim}/providers/Microsoft.Network`;
const ownTags = { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" };

/** What somebody writes into the cluster's tag, and the flag that the create then asks for. */
const hostile: readonly (readonly [flag: string, record: Readonly<Record<string, unknown>>])[] = [
  ["--vnet-id", { vnetId: `${network}/virtualNetworks/theirs` }],
  ["--subnet-id", { subnetId: `${network}/virtualNetworks/theirs/subnets/theirs` }],
  ["--network-security-group-id", { networkSecurityGroupId: `${network}/networkSecurityGroups/theirs` }],
  ["--public-ip-prefix-id", { publicIpPrefixId: [`${network}/publicIPPrefixes/theirs`] }],
  ["--nat-gateway-id", { egress: "nat-gateway", natGatewayId: `${network}/natGateways/theirs` }],
  ["--route-table-id", { egress: "user-defined-routing", routeTableId: `${network}/routeTables/theirs` }],
  ["--resource-group-name", { resourceGroupName: "victim" }],
  ["--assign-custom-hcp-roles", { assignCustomHcpRoles: true }],
  ["--disable-cluster-capabilities", { disableClusterCapabilities: ["ImageRegistry"] }],
];
const common = { baseDomain: "hcp.example.com", location: "eastus" };

const tag = (azure: TestEmulator, record: object) =>
  azure.seed({ resources: { [group]: { location: "eastus", tags: { ...ownTags, ...optionTags({ ...common, ...record }) } } } });

async function assignments(azure: TestEmulator): Promise<readonly { scope: string; principalId: string }[]> {
  return Object.values((await azure.snapshot()).roleAssignments) as { scope: string; principalId: string }[];
}

/** A cluster whose identities have roles, created with a file that is `left` or not. */
async function withRoles(isLeft: boolean) {
  const azure = await testEmulator();
  await azure.seed({ applications, resources: { [victim]: { location: "eastus" } } });
  const identities = await fileOf(azure, "identities.json", combined);
  const file = azure.path("infra.json");
  const create = (...more: readonly string[]) =>
    azure.cli(["create", "infra", ...demo, ...demoDomain, "--yes", "--managed-identities-file", identities, ...more]);
  const roles = ["--assign-identity-roles", "--dns-zone-rg-name", "dns"];
  const output = isLeft ? ["--output-file", file] : [];
  exits(await create(...roles, ...output), 0);
  return { azure, file, create, roles, output };
}

describe("a setting of the tag", () => {
  test("is never the reason for a role: create infra asks for its flag", async () => {
    const { azure, create, roles } = await withRoles(false);
    for (const [flag, record] of hostile) {
      await tag(azure, record);
      for (const dry of [[], ["--dry-run"]]) {
        await refuses(
          azure,
          create(...roles, ...dry),
          2,
          "only Azure shows settings of demo-x7k2 that decide who gets access",
          new RegExp(`${flag} +Azure shows`),
        );
      }
    }
    // Its flag is required anyway.
    await tag(azure, { dnsZoneRgName: "victim" });
    await refuses(azure, create("--assign-identity-roles"), 2, "requires --dns-zone-rg-name");
  });

  test("that says to assign roles is not enough, if a file names the identities", async () => {
    const { azure, create } = await withRoles(false);
    await tag(azure, { assignIdentityRoles: true });
    await refuses(azure, create("--dns-zone-rg-name", "dns"), 2, /--assign-identity-roles +Azure shows/);
    exits(await create("--dns-zone-rg-name", "dns", "--no-assign-identity-roles"), 0);
  });

  test("is ignored beside the operator's file, with a notice, and the file keeps its settings", async () => {
    const { azure, file, create, output } = await withRoles(true);
    const before = await assignments(azure);
    for (const [flag, record] of hostile.filter(([, { egress }]) => egress === undefined)) {
      await tag(azure, { dnsZoneRgName: "dns", assignIdentityRoles: true, ...record });
      const { stderr } = exits(await create(...output), 0);
      expect(stderr).toMatch(new RegExp(`different values of .*${flag}.*; the values of the file are used`));
      expect(await assignments(azure)).toEqual(before);
    }
    expect((JSON.parse(await readFile(file, "utf8")) as { options: object }).options).toEqual({
      ...{ ...common, dnsZoneRgName: "dns", assignIdentityRoles: true },
    });
  });

  test("is ignored by create all, also where the tag names the set", async () => {
    const azure = await testEmulator();
    const key = testKey();
    const whole = ["--dns-zone-rg-name", "dns", "--yes"];
    const createAll = async (directory: string) => {
      await placePrivateKey(azure.path(directory), key);
      return azure.cli(["create", "all", ...demo, ...demoDomain, ...whole, "--output-dir", azure.path(directory)]);
    };
    exits(await createAll("demo"), 0);
    for (const [flag, record] of [
      ["--vnet-id", { vnetId: `${network}/virtualNetworks/theirs` }],
      ["--identities-name", { identitiesName: "theirs" }],
    ] as const) {
      await tag(azure, { dnsZoneRgName: "dns", ...record });
      await refuses(azure, createAll("elsewhere"), 2, new RegExp(`${flag} +Azure shows`));
      const before = await assignments(azure);
      expect(exits(await createAll("demo"), 0).stderr).toMatch(new RegExp(`different values of ${flag}; the values of the file are used`));
      expect(await assignments(azure)).toEqual(before);
    }
  });

  test("that resources show instead of a tag is treated alike", async () => {
    const { azure, create, roles } = await withRoles(false);
    exits(await azure.cli(["destroy", "infra", ...demo, "--yes"]), 0);
    await seedNetworks(azure);
    exits(await create(...roles, "--vnet-id", existing.vnet), 0);
    await azure.seed({ resources: { [group]: { location: "eastus", tags: ownTags } } });
    await refuses(azure, create(...roles), 2, /--vnet-id +Azure shows/);
    exits(await create(...roles, "--vnet-id", existing.vnet), 0);
  });
});

test("the security group of a subnet does not decide where roles go, if it is in another group than the network", async () => {
  const { azure, create, roles } = await withRoles(false);
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
  const tags = { "aro-hcp-name": "green", "aro-hcp-infra-id": "green-x1", ...optionTags({ ...common, identitiesName: "prod" }) };
  await azure.seed({ resources: { [`${subscription}/resourceGroups/green-green-x1`]: { location: "eastus", tags } } });
  const destroy = ["destroy", "all", "--cloud", "local", "--name", "green", "--infra-id", "green-x1", "--yes"];
  await refuses(azure, azure.cli(destroy), 2, /--identities-name +Azure shows --identities-name prod/);
  exits(await azure.cli([...destroy, "--identities-name", "green"]), 0);
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
    const { azure, create, roles } = await withRoles(false);
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
    exits(await create(...roles, ...theirs, "--change-identities"), 0);
    const after = await assignments(azure);
    expect(after).toHaveLength(before.length);
    expect(after.filter(({ principalId }) => principalId.startsWith("9"))).toHaveLength(
      before.filter(({ principalId }) => principalId.startsWith("0000")).length,
    );
  });

  test("may be exchanged between the components of the same files", async () => {
    const { azure, create, roles } = await withRoles(false);
    const { disk, file } = combined.controlPlane;
    const swapped = await fileOf(azure, "swapped.json", {
      ...combined,
      controlPlane: { ...combined.controlPlane, disk: file, file: disk },
    });
    expect(exits(await create(...roles, "--managed-identities-file", swapped, "--dry-run"), 0).stderr).toContain("-/+ replace");
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
    exits(await createAll("shard", "moved", "--change-identities"), 0);
    exits(await azure.cli(["verify", "identities", "--cloud", "local", "--input-dir", azure.path("moved")]), 0);
  });
});
