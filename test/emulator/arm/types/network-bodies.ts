/** IDs and bodies of the network resources that the tests create. */
import type { ArmState } from "../arm-state.js";

export const under = (group: string, path: string): string => `${group}/providers/Microsoft.Network/${path}`;

export const securityGroup = (...securityRules: unknown[]) => ({ location: "eastus", properties: { securityRules } });

export const rule = (name: string, priority: number, more: Record<string, unknown> = {}) => ({
  name,
  properties: {
    protocol: "Tcp",
    access: "Allow",
    direction: "Inbound",
    priority,
    sourceAddressPrefix: "*",
    sourcePortRange: "*",
    destinationAddressPrefix: "*",
    destinationPortRange: "443",
    ...more,
  },
});

export const network = (...subnets: unknown[]) => ({
  location: "eastus",
  properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets },
});

export const subnet = (name: string, addressPrefix: string, more: Record<string, unknown> = {}) => ({
  name,
  properties: { addressPrefix, ...more },
});

export const publicAddress = (more: Record<string, unknown> = {}) => ({
  location: "eastus",
  sku: { name: "Standard" },
  properties: { publicIPAllocationMethod: "Static", publicIPAddressVersion: "IPv4", idleTimeoutInMinutes: 4, ...more },
});

/** The load balancer of a cluster: one frontend on `address`, one pool, one probe, one outbound rule, all with one name. */
export const loadBalancer = (id: string, name: string, address: string, more: Record<string, unknown> = {}) => ({
  location: "eastus",
  sku: { name: "Standard" },
  properties: {
    frontendIPConfigurations: [{ name, properties: { privateIPAllocationMethod: "Dynamic", publicIPAddress: { id: address } } }],
    backendAddressPools: [{ name }],
    probes: [{ name, properties: { protocol: "Http", port: 30595, requestPath: "/healthz", intervalInSeconds: 5, probeThreshold: 2 } }],
    outboundRules: [
      {
        name,
        properties: {
          protocol: "All",
          allocatedOutboundPorts: 1024,
          enableTcpReset: true,
          idleTimeoutInMinutes: 4,
          backendAddressPool: { id: `${id}/backendAddressPools/${name}` },
          frontendIPConfigurations: [{ id: `${id}/frontendIPConfigurations/${name}` }],
        },
      },
    ],
    ...more,
  },
});

/** An internal load balancer: Azure has to find its private address, so its writes are operations. */
export const internalBalancer = (subnetId: string, more: Record<string, unknown> = {}) => ({
  location: "eastus",
  sku: { name: "Standard" },
  properties: { frontendIPConfigurations: [{ name: "in", properties: { subnet: { id: subnetId } } }], ...more },
});

export const networkInterface = (subnetId: string, more: Record<string, unknown> = {}) => ({
  location: "eastus",
  properties: { ipConfigurations: [{ name: "one", properties: { subnet: { id: subnetId }, ...more } }] },
});

/** A group with a security group `n` and a network `net` whose subnet `default` uses it, all at rest. */
export function withNetwork(arm: ArmState, name = "demo") {
  const group = arm.group(name);
  const nsg = under(group, "networkSecurityGroups/n");
  const vnet = under(group, "virtualNetworks/net");
  arm.put(nsg, securityGroup());
  arm.put(vnet, network(subnet("default", "10.0.0.0/24", { networkSecurityGroup: { id: nsg } })));
  return { group, nsg, vnet, subnetId: `${vnet}/subnets/default` };
}
