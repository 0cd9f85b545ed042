/** Existing networks as seed documents, valid and invalid. */
import type { TestEmulator } from "../harness/test-emulator.js";
import { groupId, inGroup } from "../cli/demo-cluster.js";

export const existing = {
  nsg: inGroup("net", "networkSecurityGroups/theirs"),
  otherNsg: inGroup("net", "networkSecurityGroups/another"),
  nsgApart: inGroup("mine", "networkSecurityGroups/apart"),
  vnet: inGroup("net", "virtualNetworks/theirs"),
  subnet: inGroup("net", "virtualNetworks/theirs/subnets/workers"),
  secondSubnet: inGroup("net", "virtualNetworks/theirs/subnets/second"),
} as const;

export interface NetworkOptions {
  readonly location?: string;
  /** Names of the network's subnets. */
  readonly subnets?: readonly string[];
  /** The network security group of the first subnet. */
  readonly attached?: string | undefined;
}

/** A group "net" with a network and two security groups, and a group "mine" with a third. */
export async function seedNetworks(
  azure: TestEmulator,
  { location = "eastus", subnets = ["workers"], attached = existing.nsg }: NetworkOptions = {},
) {
  const rule = {
    name: "theirs",
    properties: {
      protocol: "Tcp",
      access: "Allow",
      direction: "Inbound",
      priority: 300,
      sourceAddressPrefix: "*",
      sourcePortRange: "*",
      destinationAddressPrefix: "*",
      destinationPortRange: "443",
    },
  };
  await azure.seed({
    resources: {
      [groupId("net")]: { location, tags: { owner: "network team" } },
      [groupId("mine")]: { location, tags: { owner: "me" } },
      [existing.nsg]: { location, properties: { securityRules: [rule] } },
      [existing.otherNsg]: { location, properties: {} },
      [existing.nsgApart]: { location, properties: {} },
      [existing.vnet]: {
        location,
        tags: { owner: "network team" },
        properties: {
          addressSpace: { addressPrefixes: ["10.7.0.0/16"] },
          subnets: subnets.map((name, index) => ({
            name,
            properties: {
              addressPrefix: `10.7.${String(index)}.0/24`,
              ...(index === 0 && attached !== "" && { networkSecurityGroup: { id: attached } }),
            },
          })),
        },
      },
    },
  });
}
