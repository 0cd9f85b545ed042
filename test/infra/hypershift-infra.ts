/** What `hypershift create infra azure` makes: its writes in their order, each a PUT without our tags, which replaces what has the name. */
import type { TestEmulator } from "../harness/test-emulator.js";
import { groupId, inGroup } from "../cli/demo-cluster.js";

const location = "eastus";

interface HypershiftCluster {
  readonly name?: string;
  readonly infraId?: string;
  readonly baseDomain?: string;
  /** `--resource-group-name`: the group of everything. */
  readonly group?: string;
  /** `--resource-group-tags`. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The IDs, by hand: `--name demo --infra-id demo-x7k2 --base-domain hcp.example.com`. */
export const hypershift = {
  managed: groupId("demo-demo-x7k2"),
  nsgGroup: groupId("demo-nsg-demo-x7k2"),
  nsg: inGroup("demo-nsg-demo-x7k2", "networkSecurityGroups/demo-demo-x7k2-nsg"),
  vnetGroup: groupId("demo-vnet-demo-x7k2"),
  vnet: inGroup("demo-vnet-demo-x7k2", "virtualNetworks/demo-demo-x7k2"),
  zone: inGroup("demo-demo-x7k2", "privateDnsZones/demo.hcp.example.com"),
  link: inGroup("demo-demo-x7k2", "privateDnsZones/demo.hcp.example.com/virtualNetworkLinks/demo-demo-x7k2"),
  publicIp: inGroup("demo-demo-x7k2", "publicIPAddresses/demo-x7k2"),
  loadBalancer: inGroup("demo-demo-x7k2", "loadBalancers/demo-x7k2"),
} as const;

type Bodies = readonly (readonly [id: string, body: object])[];

function writesOf({ name = "demo", infraId = "demo-x7k2", baseDomain = "hcp.example.com", group, tags }: HypershiftCluster): Bodies {
  const [managed, nsgGroup, vnetGroup] = [
    group ?? `${name}-${infraId}`,
    group ?? `${name}-nsg-${infraId}`,
    group ?? `${name}-vnet-${infraId}`,
  ];
  const groupBody = (of: string) => (group === undefined ? [[groupId(of), { location, ...(tags && { tags }) }] as const] : []);
  const nsg = inGroup(nsgGroup, `networkSecurityGroups/${name}-${infraId}-nsg`);
  const vnet = inGroup(vnetGroup, `virtualNetworks/${name}-${infraId}`);
  const zone = inGroup(managed, `privateDnsZones/${name}.${baseDomain}`);
  const publicIp = inGroup(managed, `publicIPAddresses/${infraId}`);
  const balancer = inGroup(managed, `loadBalancers/${infraId}`);
  const frontend = { name: infraId, properties: { privateIPAllocationMethod: "Dynamic", publicIPAddress: { id: publicIp } } };
  const outbound = {
    backendAddressPool: { id: `${balancer}/backendAddressPools/${infraId}` },
    frontendIPConfigurations: [{ id: `${balancer}/frontendIPConfigurations/${infraId}` }],
    ...{ protocol: "All", allocatedOutboundPorts: 1024, enableTcpReset: true, idleTimeoutInMinutes: 4 },
  };
  return [
    ...groupBody(managed),
    ...groupBody(nsgGroup),
    [nsg, { location }],
    ...groupBody(vnetGroup),
    [
      vnet,
      {
        location,
        properties: {
          addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
          subnets: [{ name: "default", properties: { addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: nsg } } }],
        },
      },
    ],
    [zone, { location: "global" }],
    [
      `${zone}/virtualNetworkLinks/${name}-${infraId}`,
      { location: "global", properties: { virtualNetwork: { id: vnet }, registrationEnabled: false } },
    ],
    [
      publicIp,
      {
        location,
        sku: { name: "Standard" },
        properties: { publicIPAddressVersion: "IPv4", publicIPAllocationMethod: "Static", idleTimeoutInMinutes: 4 },
      },
    ],
    [
      balancer,
      {
        location,
        sku: { name: "Standard" },
        properties: {
          frontendIPConfigurations: [frontend],
          backendAddressPools: [{ name: infraId }],
          probes: [
            {
              name: infraId,
              properties: { protocol: "Http", port: 30595, requestPath: "/healthz", intervalInSeconds: 5, probeThreshold: 2 },
            },
          ],
          outboundRules: [{ name: infraId, properties: outbound }],
        },
      },
    ],
  ];
}

/** Runs it to its end, or until `writes` of its writes are done. */
export async function hypershiftCreates(azure: TestEmulator, cluster: HypershiftCluster = {}, writes = Infinity): Promise<void> {
  // One seed each: a seed writes all groups first.
  for (const [id, body] of writesOf(cluster).slice(0, writes)) await azure.seed({ resources: { [id]: body } });
}
