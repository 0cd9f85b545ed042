/** The demo cluster's IDs, written by hand: resources are compared with these, not with computed values. */
export const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
export const ownership = { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" } as const;

/** Names of the resource groups without existing resources. */
export const groups = { managed: "demo-demo-x7k2", vnet: "demo-demo-x7k2-vnet", nsg: "demo-demo-x7k2-nsg" } as const;

export const groupId = (name: string): string => `${subscription}/resourceGroups/${name}`;

/** `inGroup("net", "virtualNetworks/v")`: a resource of Microsoft.Network. */
export const inGroup = (group: string, path: string): string => `${groupId(group)}/providers/Microsoft.Network/${path}`;

export const ids = {
  nsg: inGroup(groups.nsg, "networkSecurityGroups/demo-demo-x7k2-nsg"),
  vnet: inGroup(groups.vnet, "virtualNetworks/demo-demo-x7k2"),
  subnet: inGroup(groups.vnet, "virtualNetworks/demo-demo-x7k2/subnets/default"),
  privateZone: inGroup(groups.vnet, "privateDnsZones/demo-azurecluster.hcp.example.com"),
  link: inGroup(groups.vnet, "privateDnsZones/demo-azurecluster.hcp.example.com/virtualNetworkLinks/demo-demo-x7k2"),
  publicIp: inGroup(groups.managed, "publicIPAddresses/demo-x7k2"),
  loadBalancer: inGroup(groups.managed, "loadBalancers/demo-x7k2"),
  publicZone: inGroup("dns", "dnszones/hcp.example.com"),
} as const;

/** The key of an ID in a snapshot of the state. */
export const keyOf = (id: string): string => id.toLowerCase();
