/** Existing networks, network security groups and resource groups: each valid combination works and is not changed; each invalid one is refused before a write. */
import { describe, expect, test } from "vitest";
import { testEmulator } from "../harness/test-emulator.js";
import { existing, seedNetworks, type NetworkOptions } from "./existing-networks.js";
import { groupId, ids, inGroup, keyOf } from "../cli/demo-cluster.js";
import { create, destroy, exits, refuses, titled } from "../cli/expectations.js";

interface Accepted {
  readonly what: string;
  readonly networks?: NetworkOptions;
  readonly flags: readonly string[];
  /** Some of the created resources, which prove that the case occurred. */
  readonly makes: readonly string[];
  readonly makesNot?: readonly string[];
  /** Names in the result. */
  readonly subnet: string;
  readonly nsg: string;
}

const vnet = ["--vnet-id", existing.vnet];
const subnet = ["--subnet-id", existing.subnet];
const nsg = ["--network-security-group-id", existing.nsg];
const group = ["--resource-group-name", "mine"];
const zoneIn = (name: string) => inGroup(name, "privateDnsZones/demo-azurecluster.hcp.example.com");

const accepted: readonly Accepted[] = [
  {
    what: "network, subnet and security group, all three",
    flags: [...vnet, ...subnet, ...nsg],
    makes: [groupId("demo-demo-x7k2"), zoneIn("demo-demo-x7k2"), ids.loadBalancer],
    makesNot: [groupId("demo-demo-x7k2-vnet"), groupId("demo-demo-x7k2-nsg")],
    subnet: existing.subnet,
    nsg: existing.nsg,
  },
  {
    what: "the network only, with its one subnet",
    flags: vnet,
    makes: [zoneIn("demo-demo-x7k2")],
    makesNot: [groupId("demo-demo-x7k2-vnet"), groupId("demo-demo-x7k2-nsg")],
    subnet: existing.subnet,
    nsg: existing.nsg,
  },
  {
    what: "the subnet only, which names its network",
    networks: { subnets: ["workers", "second"] },
    flags: subnet,
    makes: [zoneIn("demo-demo-x7k2")],
    makesNot: [groupId("demo-demo-x7k2-vnet")],
    subnet: existing.subnet,
    nsg: existing.nsg,
  },
  {
    what: "the security group only, for a new network",
    flags: nsg,
    makes: [ids.vnet, zoneIn("demo-demo-x7k2-vnet")],
    makesNot: [groupId("demo-demo-x7k2-nsg")],
    subnet: ids.subnet,
    nsg: existing.nsg,
  },
  {
    what: "the managed group only",
    flags: group,
    makes: [inGroup("mine", "loadBalancers/demo-x7k2"), ids.vnet],
    makesNot: [groupId("demo-demo-x7k2")],
    subnet: ids.subnet,
    nsg: ids.nsg,
  },
  {
    what: "the managed group, network and security group, IDs in other casing",
    flags: [
      "--resource-group-name",
      "MINE",
      "--vnet-id",
      existing.vnet.toUpperCase().replace("/SUBSCRIPTIONS/5B5C", "/subscriptions/5b5c"),
      "--network-security-group-id",
      existing.nsg.replace("resourceGroups", "resourcegroups"),
    ],
    makes: [inGroup("mine", "loadBalancers/demo-x7k2"), zoneIn("mine")],
    makesNot: [groupId("demo-demo-x7k2")],
    subnet: existing.subnet,
    nsg: existing.nsg,
  },
  {
    what: "a network whose subnet has a security group of another group",
    networks: { attached: existing.nsgApart },
    flags: [...subnet, "--network-security-group-id", existing.nsgApart],
    makes: [groupId("demo-demo-x7k2")],
    makesNot: [groupId("demo-demo-x7k2-vnet"), groupId("demo-demo-x7k2-nsg")],
    subnet: existing.subnet,
    nsg: existing.nsgApart,
  },
  {
    what: "a network in the existing managed group",
    flags: ["--resource-group-name", "net", ...vnet, "--single-resource-group"],
    makes: [inGroup("net", "publicIPAddresses/demo-x7k2"), zoneIn("net")],
    makesNot: [groupId("demo-demo-x7k2")],
    subnet: existing.subnet,
    nsg: existing.nsg,
  },
  {
    what: "a group for all resources",
    flags: [...group, "--single-resource-group"],
    makes: [inGroup("mine", "virtualNetworks/demo-demo-x7k2"), inGroup("mine", "networkSecurityGroups/demo-demo-x7k2-nsg"), zoneIn("mine")],
    makesNot: [groupId("demo-demo-x7k2"), groupId("demo-demo-x7k2-vnet"), groupId("demo-demo-x7k2-nsg")],
    subnet: inGroup("mine", "virtualNetworks/demo-demo-x7k2/subnets/default"),
    nsg: inGroup("mine", "networkSecurityGroups/demo-demo-x7k2-nsg"),
  },
  {
    what: "no existing resource, and one new group for all resources",
    flags: ["--single-resource-group"],
    makes: [inGroup("demo-demo-x7k2", "virtualNetworks/demo-demo-x7k2"), zoneIn("demo-demo-x7k2")],
    makesNot: [groupId("demo-demo-x7k2-vnet"), groupId("demo-demo-x7k2-nsg")],
    subnet: inGroup("demo-demo-x7k2", "virtualNetworks/demo-demo-x7k2/subnets/default"),
    nsg: inGroup("demo-demo-x7k2", "networkSecurityGroups/demo-demo-x7k2-nsg"),
  },
];

describe("existing resources are used, and not changed", () => {
  test.each(titled(accepted))("%s", async (_what, { networks, flags, makes, makesNot = [], subnet: subnetId, nsg: nsgId }) => {
    const azure = await testEmulator();
    await seedNetworks(azure, networks);
    const before = await azure.snapshot();

    const { infra } = JSON.parse(exits(await create(azure, [...flags, "-o", "json"]), 0).stdout) as { infra: Record<string, string> };
    expect([infra["subnetID"], infra["securityGroupID"]].map((id) => id?.toLowerCase())).toEqual([keyOf(subnetId), keyOf(nsgId)]);
    const made = await azure.snapshot();
    expect(Object.keys(made.resources)).toEqual(expect.arrayContaining(makes.map(keyOf)));
    expect(makesNot.map(keyOf).filter((key) => key in made.resources)).toEqual([]);
    for (const [key, resource] of Object.entries(before.resources)) expect(made.resources[key]).toEqual(resource);

    // By name and infra ID alone: destroy gets no information about existing resources.
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

interface Refused {
  readonly what: string;
  readonly networks?: NetworkOptions;
  readonly flags: readonly string[];
  readonly code: number;
  readonly words: readonly (string | RegExp)[];
}

const missing = (id: string) => id.replace(/theirs$/, "nowhere");
const otherSubscription = (id: string) => id.replace("5b5c0000-0000-4000-8000-000000000001", "5b5c0000-0000-4000-8000-00000000000f");

const refused: readonly Refused[] = [
  {
    what: "a network without a subnet",
    networks: { subnets: [] },
    flags: vnet,
    code: 5,
    words: ['virtual network "theirs" has no subnet', "add a subnet"],
  },
  {
    what: "a network with two subnets, none of them specified",
    networks: { subnets: ["workers", "second"] },
    flags: vnet,
    code: 5,
    words: ["several subnets", "workers, second", "--subnet-id"],
  },
  {
    what: "a subnet that is not in its network",
    flags: ["--subnet-id", `${existing.vnet}/subnets/nowhere`],
    code: 5,
    words: ['subnet "nowhere" is not in virtual network "theirs"', "workers"],
  },
  {
    what: "a subnet without a security group",
    networks: { attached: "" },
    flags: subnet,
    code: 5,
    words: ['subnet "workers" has no network security group', "az network vnet subnet update"],
  },
  {
    what: "a subnet without a security group, and a specified one",
    networks: { attached: "" },
    flags: [...subnet, ...nsg],
    code: 5,
    words: ['subnet "workers" has no network security group', existing.nsg],
  },
  {
    what: "a subnet with another security group than the specified one",
    networks: { attached: existing.otherNsg },
    flags: [...subnet, ...nsg],
    code: 5,
    words: ['subnet "workers" has a different network security group', existing.otherNsg],
  },
  {
    what: "a network that does not exist",
    flags: ["--vnet-id", missing(existing.vnet)],
    code: 5,
    words: ['virtual network "nowhere" does not exist', "--vnet-id"],
  },
  {
    what: "a security group that does not exist",
    flags: ["--network-security-group-id", missing(existing.nsg)],
    code: 5,
    words: ['network security group "nowhere" does not exist', "--network-security-group-id"],
  },
  {
    what: "a group that does not exist",
    flags: ["--resource-group-name", "nowhere"],
    code: 5,
    words: ['resource group "nowhere" does not exist', "--resource-group-name"],
  },
  {
    what: "a network in another location",
    networks: { location: "westeurope" },
    flags: vnet,
    code: 5,
    words: ['virtual network "theirs" is in westeurope, not in eastus', "--location westeurope"],
  },
  {
    what: "a security group in another location",
    networks: { location: "westeurope" },
    flags: nsg,
    code: 5,
    words: ['network security group "theirs" is in westeurope, not in eastus'],
  },
  {
    what: "a group in another location",
    networks: { location: "westeurope" },
    flags: group,
    code: 5,
    words: ['resource group "mine" is in westeurope, not in eastus'],
  },
  {
    what: "IDs of wrong types, all reported together",
    flags: ["--vnet-id", existing.nsg, "--subnet-id", existing.vnet, "--network-security-group-id", existing.subnet],
    code: 2,
    words: [/--vnet-id .*networkSecurityGroups/, /--subnet-id .*virtualNetworks/, /--network-security-group-id .*subnets/],
  },
  {
    what: "a network in another subscription",
    flags: ["--vnet-id", otherSubscription(existing.vnet)],
    code: 2,
    words: ["--vnet-id", "5b5c0000-0000-4000-8000-00000000000f", "5b5c0000-0000-4000-8000-000000000001"],
  },
];

describe("unusable resources are refused with the reason, and nothing is written", () => {
  test.each(titled(refused))("%s", async (_what, { networks, flags, code, words }) => {
    const azure = await testEmulator();
    await seedNetworks(azure, networks);
    const before = await azure.snapshot();
    await refuses(azure, create(azure, flags), code, ...words);
    expect(await azure.snapshot()).toEqual(before);
  });
});
