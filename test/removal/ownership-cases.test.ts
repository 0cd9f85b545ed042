/**
 * Resources of others with copies of our tags, as policies leave them. A destroy deletes only what also has a name that this cluster or identity set
 * gives in that place. And tags whose names a policy has re-cased.
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { groupId, groups, ids, keyOf } from "../cli/demo-cluster.js";
import { create, destroy, exits, refuses, writesSince } from "../cli/expectations.js";
import { publicFile, testKey } from "../issuer/signing-keys.js";
import { originalState } from "../verify/healthy-state.js";

/** The tags of the cluster and of its identity set, and the cluster's record, as one policy may copy them. */
const copied = {
  "aro-hcp-name": "demo",
  "aro-hcp-infra-id": "demo-x7k2",
  "aro-hcp-identities": "demo",
  "aro-hcp-options": '{"baseDomain":"hcp.example.com","location":"eastus"}',
};

const at = (group: string, path: string) => `${groupId(group)}/providers/${path}`;
const plain = { location: "eastus", properties: {} };
const standard = { ...plain, sku: { name: "Standard" } };
const address = { ...standard, properties: { publicIPAllocationMethod: "Static" } };
const account = { ...plain, sku: { name: "Standard_LRS" }, kind: "StorageV2" };
const vault = {
  location: "eastus",
  properties: { tenantId: "7e7a0000-0000-4000-8000-000000000001", sku: { family: "A", name: "standard" }, enableRbacAuthorization: true },
};
const network = { ...plain, properties: { addressSpace: { addressPrefixes: ["10.9.0.0/16"] } } };
const zone = { location: "global", properties: {} };

type Resource = readonly [what: string, id: string, body: object];

/** In groups of others, also with names that the cluster gives elsewhere. */
const elsewhere: readonly Resource[] = [
  ["an empty group", groupId("theirs-empty"), { location: "eastus" }],
  ["a group with a network", groupId("theirs"), { location: "eastus" }],
  ["a security group", at("theirs", "Microsoft.Network/networkSecurityGroups/payroll"), plain],
  ["a security group with the name of ours", at("theirs", "Microsoft.Network/networkSecurityGroups/demo-demo-x7k2-nsg"), plain],
  ["a network with the name of ours", at("theirs", "Microsoft.Network/virtualNetworks/demo-demo-x7k2"), network],
  ["a public IP address", at("theirs", "Microsoft.Network/publicIPAddresses/payroll"), address],
  ["a load balancer", at("theirs", "Microsoft.Network/loadBalancers/payroll"), standard],
  ["a NAT gateway", at("theirs", "Microsoft.Network/natGateways/payroll"), standard],
  ["a private zone", at("theirs", "Microsoft.Network/privateDnsZones/payroll.example.com"), zone],
  ["a disk", at("theirs", "Microsoft.Compute/disks/payroll"), plain],
  ["a storage account", at("theirs", "Microsoft.Storage/storageAccounts/payroll"), account],
  ["a vault", at("theirs", "Microsoft.KeyVault/vaults/payroll-kv"), vault],
  ["a managed identity", at("theirs", "Microsoft.ManagedIdentity/userAssignedIdentities/azure-disk-MI-demo"), plain],
];

/** In the groups of the cluster, with names that it does not give there. */
const inOurs: readonly Resource[] = [
  ["a network in the network's group", at(groups.vnet, "Microsoft.Network/virtualNetworks/payroll"), network],
  ["a security group in the managed group", at(groups.managed, "Microsoft.Network/networkSecurityGroups/payroll"), plain],
  ["a load balancer", at(groups.managed, "Microsoft.Network/loadBalancers/payroll"), standard],
  ["a public IP address", at(groups.managed, "Microsoft.Network/publicIPAddresses/demo-x7k2-web"), address],
  ["a NAT gateway", at(groups.managed, "Microsoft.Network/natGateways/payroll"), standard],
  ["a private zone", at(groups.vnet, "Microsoft.Network/privateDnsZones/payroll.example.com"), zone],
  ["a disk", at(groups.managed, "Microsoft.Compute/disks/payroll"), plain],
  ["a load balancer with our name in the network's group", at(groups.vnet, "Microsoft.Network/loadBalancers/demo-x7k2"), standard],
];

/** In the groups of the set, with names that it does not give. */
const inSet: readonly Resource[] = [
  ["a managed identity", at("demo-common", "Microsoft.ManagedIdentity/userAssignedIdentities/payroll"), plain],
  ["a vault", at("demo-common", "Microsoft.KeyVault/vaults/payroll-kv2"), vault],
  ["a storage account", at("demo-oidc", "Microsoft.Storage/storageAccounts/payroll2"), account],
];

/** A cluster with its identities and issuer, and these resources beside it, with our tags. */
async function beside(resources: readonly Resource[]): Promise<TestEmulator> {
  const azure = await testEmulator({ prepared: join(await originalState(), "azure") });
  for (const [, id, body] of resources) await azure.seed({ resources: { [id]: { ...body, tags: copied } } });
  return azure;
}

const cluster = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2", "--yes"];
const set = ["--cloud", "local", "--name", "demo", "--yes"];
const commands = {
  "destroy infra": ["destroy", "infra", ...cluster],
  "destroy identities": ["destroy", "identities", ...set, "--resource-group-name", "demo-common", "--purge"],
  "destroy oidc-issuer": ["destroy", "oidc-issuer", ...set],
  "destroy all": ["destroy", "all", ...cluster, "--purge"],
} as const;

async function left(azure: TestEmulator, resources: readonly Resource[]): Promise<string[]> {
  const live = (await azure.snapshot()).resources;
  return resources.filter(([, id]) => live[keyOf(id)] !== undefined).map(([what]) => what);
}

const all = (resources: readonly Resource[]) => resources.map(([what]) => what);

describe("our tags on resources in groups of others", () => {
  test.each(["destroy infra", "destroy oidc-issuer", "destroy all"] as const)("%s deletes none of them, and lists them", async (name) => {
    const azure = await beside(elsewhere);
    // The cluster uses the issuer.
    if (name === "destroy oidc-issuer") exits(await azure.cli(commands["destroy infra"]), 0);
    const { stderr } = exits(await azure.cli(commands[name]), 0);
    expect(await left(azure, elsewhere)).toEqual(all(elsewhere));
    expect(stderr).toMatch(/has the ownership tags? but not a name that this (?:cluster|identity set) gives/);
  });

  test("destroy identities deletes none of them", async () => {
    const azure = await beside(elsewhere);
    exits(await azure.cli(commands["destroy infra"]), 0);
    exits(await azure.cli(commands["destroy identities"]), 0);
    expect(await left(azure, elsewhere)).toEqual(all(elsewhere));
  });
});

describe("our tags and our name, in a group that no record names", () => {
  const { "aro-hcp-name": name, "aro-hcp-infra-id": infraId } = copied;
  const tags = { "aro-hcp-name": name, "aro-hcp-infra-id": infraId };
  const nsg = at("theirs", "Microsoft.Network/networkSecurityGroups/demo-demo-x7k2-nsg");
  const tagged = { [groupId("theirs")]: { location: "eastus" }, [nsg]: { ...plain, tags } };
  const flag = "--resource-group-name theirs";

  test.each(["destroy infra", "destroy all"] as const)("%s keeps the resource in every run, and names the flag", async (name) => {
    const azure = await beside([]);
    await azure.seed({ resources: tagged });
    // The second run finds no record of the cluster.
    for (const run of ["first", "second"]) {
      const { stderr } = exits(await azure.cli(commands[name]), 0);
      expect(stderr, run).toMatch(
        new RegExp(`keep +${nsg}: has tags and a name of this cluster, but nothing .* pass ${flag} to destroy infra`),
      );
      expect((await azure.snapshot()).resources[keyOf(nsg)]).toBeDefined();
    }
    exits(await azure.cli([...commands["destroy infra"], ...flag.split(" ")]), 0);
    expect((await azure.snapshot()).resources[keyOf(nsg)]).toBeUndefined();
  });

  test("a create uses its own groups, and names the flag", async () => {
    const azure = await testEmulator();
    await azure.seed({ resources: tagged });
    const { stderr } = exits(await create(azure), 0);
    expect(stderr).toContain("notice: resource group theirs contains resources with the tags and names of demo-x7k2");
    const { resources } = await azure.snapshot();
    expect(Object.keys(resources).filter((key) => key.startsWith(`${keyOf(groupId("theirs"))}/`))).toEqual([keyOf(nsg)]);
    expect(resources[keyOf(ids.loadBalancer)]).toBeDefined();
  });
});

describe("a cluster in an existing group", () => {
  const inMine = ["--resource-group-name", "theirs", "--single-resource-group"];
  const denied = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no permission" } } };

  async function mine(): Promise<readonly [azure: TestEmulator, before: Awaited<ReturnType<TestEmulator["snapshot"]>>]> {
    const azure = await testEmulator();
    await azure.seed({ resources: { [groupId("theirs")]: { location: "eastus" } } });
    return [azure, await azure.snapshot()];
  }

  test("whose create ended before its record is destroyed with the flag", async () => {
    const [azure, before] = await mine();
    const faults = [{ method: "PUT", path: "/publicIPAddresses/", answer: denied, times: 100 }];
    expect((await create(azure, inMine, { faults })).code).not.toBe(0);
    const partial = await azure.snapshot();
    expect(Object.keys(partial.resources).length).toBeGreaterThan(Object.keys(before.resources).length);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(partial);
    exits(await destroy(azure, inMine.slice(0, 2)), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("whose destroy ended early is destroyed by the same command, because its record is deleted last", async () => {
    const [azure, before] = await mine();
    exits(await create(azure, inMine), 0);
    const faults = [{ method: "DELETE", path: "/virtualNetworks/", answer: denied, times: 100 }];
    expect((await destroy(azure, [], { faults })).code).not.toBe(0);
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

describe("our tags on resources in the cluster's groups", () => {
  test.each(inOurs)("%s blocks the destroy", async (_what, id, body) => {
    const azure = await beside([["it", id, body]]);
    await refuses(
      azure,
      azure.cli(commands["destroy infra"]),
      5,
      "ARO-OWN-004",
      id.split("/").at(-1) ?? "",
      "has the ownership tags but not",
    );
    await refuses(azure, azure.cli(commands["destroy all"]), 5, /ARO-OWN-004(?![^]*--preserve-resource-group)/);
  });

  test("none of them is deleted with --preserve-resource-group", async () => {
    const azure = await beside(inOurs);
    exits(await azure.cli([...commands["destroy infra"], "--preserve-resource-group"]), 0);
    expect(await left(azure, inOurs)).toEqual(all(inOurs));
    expect((await azure.snapshot()).resources[keyOf(ids.vnet)]).toBeUndefined();
  });

  test("all of them are deleted with --delete-foreign", async () => {
    const azure = await beside([...inOurs, ...elsewhere]);
    exits(await azure.cli([...commands["destroy infra"], "--delete-foreign"]), 0);
    expect(await left(azure, [...inOurs, ...elsewhere])).toEqual(all(elsewhere));
  });
});

describe("our tags on resources in the groups of the identity set", () => {
  test.each(["destroy identities", "destroy oidc-issuer", "destroy all"] as const)("%s deletes none of them", async (name) => {
    const azure = await beside(inSet);
    if (name !== "destroy all") exits(await azure.cli(commands["destroy infra"]), 0);
    exits(await azure.cli(commands[name]), 0);
    expect(await left(azure, inSet)).toEqual(all(inSet));
  });
});

describe("names that the user chose", () => {
  const names = ["--oidc-resource-group-name", "issuers", "--storage-account-name", "chosenaccount"];

  test("a destroy finds what create recorded in the group that a flag names, and keeps a group that others created", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await azure.seed({ resources: { [groupId("shared")]: { location: "eastus" } } });
    const key = await publicFile(azure.path("keys"), testKey());
    exits(await azure.cli(["create", "oidc-issuer", ...set, ...names, "--location", "eastus", "--public-key-file", key]), 0);
    const vaultFlags = ["--resource-group-name", "shared", "--key-vault-name", "chosen-vault", "--location", "eastus"];
    const issuer = ["--oidc-issuer-url", "https://issuer.example.com/demo"];
    exits(await azure.cli(["create", "identities", ...set, ...vaultFlags, ...issuer]), 0);
    await changeState(azure, ({ resources }) => {
      for (const one of Object.values(resources)) if (one.name === "shared") one.tags = copied;
    });
    exits(await azure.cli(["create", "identities", ...set, ...vaultFlags, ...issuer]), 0);
    const unnamed = exits(await azure.cli(["destroy", "oidc-issuer", ...set]), 0);
    expect(unnamed.stderr).toMatch(/keep .*chosenaccount: .* pass --oidc-resource-group-name issuers/);
    exits(await azure.cli(["destroy", "oidc-issuer", ...set, ...names.slice(0, 2)]), 0);
    const { stderr } = exits(await azure.cli(["destroy", "identities", ...set, "--resource-group-name", "shared", "--purge"]), 0);
    expect(stderr).toContain("has the ownership tag but not a name that this identity set gives");
    const added = Object.keys((await azure.snapshot()).resources).filter((key) => before.resources[key] === undefined);
    expect(added).toEqual([keyOf(groupId("shared"))]);
  });
});

describe("tags whose names are in capitals", () => {
  const second = ["--cloud", "local", "--name", "next", "--infra-id", "next-a1b2", "--yes"];

  /** Two clusters of one set. */
  async function recased(isRecased: (id: string) => boolean): Promise<TestEmulator> {
    const root = await originalState();
    const azure = await beside([]);
    const files = (name: string) => join(root, "demo", name);
    const identities = [
      ...[
        "--managed-identities-file",
        files("managed-identities.json"),
        "--data-plane-identities-file",
        files("data-plane-identities.json"),
      ],
      ...["--assign-identity-roles", "--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns"],
    ];
    exits(await azure.cli(["create", "infra", ...second, ...identities]), 0);
    await changeState(azure, ({ resources }) => {
      for (const one of Object.values(resources)) {
        if (one.tags === undefined || !isRecased(one.id)) continue;
        const capital = (tag: string) => (tag.startsWith("aro-hcp-") ? tag.toUpperCase() : tag);
        one.tags = Object.fromEntries(Object.entries(one.tags).map(([tag, value]) => [capital(tag), value]));
      }
    });
    return azure;
  }

  const everywhere = () => true;
  const ofTheSecond = (id: string) => id.includes("next-a1b2");
  const renamed = ["--cloud", "local", "--name", "demi", "--infra-id", "demo-x7k2", "--yes"];

  const refused: readonly (readonly [what: string, isRecased: (id: string) => boolean, command: readonly string[], code: string])[] = [
    ["destroy identities of a used set, all tags", everywhere, commands["destroy identities"], "ARO-OWN-006"],
    ["destroy identities of a used set, tags of one cluster", ofTheSecond, commands["destroy identities"], "ARO-OWN-006"],
    ["destroy infra with a mistyped name, all tags", everywhere, ["destroy", "infra", ...renamed], "ARO-OWN-001"],
    ["destroy all with a mistyped name, all tags", everywhere, ["destroy", "all", ...renamed], "ARO-OWN-001"],
  ];

  test.each(refused)("%s is refused", async (_what, isRecased, command, code) => {
    const azure = await recased(isRecased);
    await refuses(azure, azure.cli(command), 5, code);
  });

  test.each([
    ["all tags", everywhere],
    ["tags of the other cluster", ofTheSecond],
  ] as const)("destroy all keeps a shared set, %s", async (_what, isRecased) => {
    const azure = await recased(isRecased);
    const { applications } = await azure.snapshot();
    expect(exits(await azure.cli(commands["destroy all"]), 0).stderr).toContain("next-a1b2 uses it");
    expect((await azure.snapshot()).applications).toEqual(applications);
  });

  test("a create changes nothing, and everything is destroyed", async () => {
    const azure = await recased(everywhere);
    await azure.traffic();
    exits(await azure.cli(["create", "infra", ...second, "--base-domain", "hcp.example.com"]), 0);
    expect(await writesSince(azure)).toEqual([]);
    exits(await azure.cli(["destroy", "infra", ...second]), 0);
    exits(await azure.cli(commands["destroy all"]), 0);
    const { resources, roleAssignments } = await azure.snapshot();
    const ours = /demo-common|demo-oidc|x7k2|a1b2/;
    expect([...Object.keys(resources), ...Object.keys(roleAssignments)].filter((key) => ours.test(key))).toEqual([]);
  });
});
