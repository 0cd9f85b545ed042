/** The created resources: every property and name. */
import { expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { groupId, groups, ids, inGroup, keyOf, ownership } from "./demo-cluster.js";
import { create, exits } from "./expectations.js";
import { resource, addTags } from "../harness/state-changes.js";

const standard = { name: "Standard", tier: "Regional" };
const part = (collection: string): { id: string } => ({ id: `${ids.loadBalancer}/${collection}/demo-x7k2` });

/** By ID: all properties of a resource except IDs, times and ETags. Azure's default values have a comment. */
const wanted = {
  [groupId(groups.managed)]: { location: "eastus", tags: ownership },
  [groupId(groups.vnet)]: { location: "eastus", tags: ownership },
  [groupId(groups.nsg)]: { location: "eastus", tags: ownership },
  [ids.nsg]: { location: "eastus", tags: ownership },
  [ids.vnet]: {
    location: "eastus",
    tags: ownership,
    properties: {
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      // Set by Azure.
      enableDdosProtection: false,
      enableVmProtection: false,
      privateEndpointVNetPolicies: "Disabled",
    },
  },
  [ids.subnet]: {
    properties: {
      addressPrefix: "10.0.0.0/24",
      networkSecurityGroup: { id: ids.nsg },
      // Set by Azure.
      privateEndpointNetworkPolicies: "Disabled",
      privateLinkServiceNetworkPolicies: "Enabled",
    },
  },
  [ids.privateZone]: { location: "global", tags: ownership },
  [ids.link]: { location: "global", tags: ownership, properties: { registrationEnabled: false, virtualNetwork: { id: ids.vnet } } },
  [ids.publicIp]: {
    location: "eastus",
    tags: ownership,
    sku: standard,
    properties: {
      publicIPAllocationMethod: "Static",
      publicIPAddressVersion: "IPv4",
      idleTimeoutInMinutes: 4,
      // Set by Azure.
      ipAddress: "203.0.113.1",
      ipTags: [],
      ddosSettings: { protectionMode: "VirtualNetworkInherited" },
    },
  },
  [ids.loadBalancer]: {
    location: "eastus",
    tags: ownership,
    sku: standard,
    properties: {
      frontendIPConfigurations: [
        { name: "demo-x7k2", properties: { privateIPAllocationMethod: "Dynamic", publicIPAddress: { id: ids.publicIp } } },
      ],
      // The list of addresses is set by Azure.
      backendAddressPools: [{ name: "demo-x7k2", properties: { loadBalancerBackendAddresses: [] } }],
      probes: [
        {
          name: "demo-x7k2",
          properties: {
            protocol: "Http",
            port: 30595,
            requestPath: "/healthz",
            intervalInSeconds: 5,
            probeThreshold: 2,
            // Set by Azure.
            noHealthyBackendsBehavior: "AllProbedDown",
            numberOfProbes: 2,
          },
        },
      ],
      outboundRules: [
        {
          name: "demo-x7k2",
          properties: {
            protocol: "All",
            allocatedOutboundPorts: 1024,
            enableTcpReset: true,
            idleTimeoutInMinutes: 4,
            backendAddressPool: part("backendAddressPools"),
            frontendIPConfigurations: [part("frontendIPConfigurations")],
          },
        },
      ],
      // The cloud provider adds rules later.
      loadBalancingRules: [],
      inboundNatPools: [],
      inboundNatRules: [],
    },
  },
};

/** A resource without its ID, name, type and state; without `properties` if there are none. */
function comparable(value: unknown): unknown {
  const { location, tags, sku, properties = {} } = value as Record<string, Record<string, unknown> | undefined>;
  const { provisioningState, ...rest } = properties;
  return JSON.parse(JSON.stringify({ location, tags, sku, properties: Object.keys(rest).length > 0 ? rest : undefined })) as unknown;
}

test("every resource has exactly the documented properties, and its owner's tags", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const made = Object.entries((await azure.snapshot()).resources).filter(([key]) => !(key in before.resources));
  const expected = Object.entries(wanted).map(([id, value]) => [keyOf(id), value] as const);
  expect(Object.fromEntries(made.map(([key, value]) => [key, comparable(value)]))).toEqual(Object.fromEntries(expected));
});

test("with --naming hypershift the groups and the private zone have hypershift's names, the zone in the managed group", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const flags = ["--naming", "hypershift", "--vnet-cidr", "192.168.0.0/16", "--subnet-cidr", "192.168.7.0/24", "--location", "westeurope"];
  exits(await create(azure, flags), 0);
  const made = Object.entries((await azure.snapshot()).resources).filter(([key]) => !(key in before.resources));
  const vnet = inGroup("demo-vnet-demo-x7k2", "virtualNetworks/demo-demo-x7k2");
  const zone = inGroup("demo-demo-x7k2", "privateDnsZones/demo.hcp.example.com");
  expect(made.map(([key]) => key).sort()).toEqual(
    [
      groupId("demo-demo-x7k2"),
      groupId("demo-vnet-demo-x7k2"),
      groupId("demo-nsg-demo-x7k2"),
      inGroup("demo-nsg-demo-x7k2", "networkSecurityGroups/demo-demo-x7k2-nsg"),
      vnet,
      `${vnet}/subnets/default`,
      zone,
      `${zone}/virtualNetworkLinks/demo-demo-x7k2`,
      ids.publicIp,
      ids.loadBalancer,
    ]
      .map(keyOf)
      .sort(),
  );
  expect((await resource(azure, vnet))?.properties).toMatchObject({ addressSpace: { addressPrefixes: ["192.168.0.0/16"] } });
  expect((await resource(azure, `${vnet}/subnets/default`))?.properties).toMatchObject({ addressPrefix: "192.168.7.0/24" });
  const locations = new Set(made.map(([, value]) => (value as { location?: string }).location));
  expect(locations).toEqual(new Set(["westeurope", "global", undefined]));
});

test("the user's tags are set on the groups, merged on the next run, and never replace tags of others", async () => {
  const azure = await testEmulator();
  exits(await create(azure, ["-t", "team=blue,env=dev"]), 0);
  expect((await resource(azure, groupId(groups.nsg)))?.tags).toEqual({ ...ownership, team: "blue", env: "dev" });
  expect((await resource(azure, ids.vnet))?.tags).toEqual(ownership);
  await addTags(azure, groupId(groups.nsg), { costCenter: "42" });
  await azure.traffic();

  const again = exits(await create(azure, ["-t", "env=prod"]), 0);
  expect(again.stderr).toMatch(/tags\.env: "dev" .* "prod"/);
  expect((await resource(azure, groupId(groups.nsg)))?.tags).toEqual({ ...ownership, team: "blue", env: "prod", costCenter: "42" });
  expect((await resource(azure, groupId(groups.managed)))?.tags).toEqual({ ...ownership, team: "blue", env: "prod" });
});
