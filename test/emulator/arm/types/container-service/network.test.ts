/** How AKS clusters use networks and addresses, and who may still change or delete those. */
import { beforeEach, expect, test } from "vitest";
import { ClusterParts, refused, unrecorded } from "./cluster-parts.js";

let parts: ClusterParts;
beforeEach(() => {
  parts = new ClusterParts();
});

interface Cluster {
  readonly properties: {
    readonly networkProfile: { readonly loadBalancerProfile: { readonly effectiveOutboundIPs?: readonly { readonly id: string }[] } };
  };
}
const effective = () =>
  (parts.arm.get(parts.id).body as Cluster).properties.networkProfile.loadBalancerProfile.effectiveOutboundIPs?.map(({ id }) => id);
const outbound = (...ids: string[]) => ({
  networkProfile: { loadBalancerProfile: { outboundIPs: { publicIPs: ids.map((id) => ({ id })) } } },
});
const put = (properties?: Readonly<Record<string, unknown>>, pools?: readonly object[]) =>
  parts.arm.put(parts.id, parts.body(properties, pools), unrecorded);

test("a cluster leaves through its address, which it holds until it has another", () => {
  parts.arm.seconds = { "aks.create": 300 };
  const { body } = parts.create();
  expect((body as Cluster).properties.networkProfile.loadBalancerProfile).not.toHaveProperty("effectiveOutboundIPs");
  parts.arm.pass(300);
  expect(effective()).toEqual([parts.address]);
  const frontend = `${parts.nodeGroup}/providers/Microsoft.Network/loadBalancers/kubernetes/frontendIPConfigurations/out`;
  expect(parts.arm.get(parts.address).body).toMatchObject({ properties: { ipConfiguration: { id: frontend } } });
  expect(parts.arm.delete(parts.address)).toMatchObject({ status: 400, body: { error: { code: "PublicIPAddressCannotBeDeleted" } } });

  const other = parts.publicAddress("other");
  parts.grant("network", other);
  expect(put(outbound(other)).status).toBe(200);
  expect(effective()).toEqual([other]);
  expect(parts.arm.delete(parts.address).status).toBe(202);
});

test("without an address of its own, a cluster has as many managed ones as it asks for", () => {
  parts.arm.put(parts.id, {
    location: "eastus",
    properties: { dnsPrefix: "demo", agentPoolProfiles: [{ name: "system", mode: "System" }] },
  });
  const [first, ...others] = effective() ?? [];
  expect([first?.startsWith(`${parts.nodeGroup}/providers/Microsoft.Network/publicIPAddresses/`), others]).toEqual([true, []]);
  const managed = (count: number) => ({
    location: "eastus",
    properties: { networkProfile: { loadBalancerProfile: { managedOutboundIPs: { count } } } },
  });
  parts.arm.put(parts.id, managed(3));
  expect(effective()).toHaveLength(3);
  parts.arm.put(parts.id, managed(1));
  expect(effective()).toEqual([first]);
  const { value } = parts.arm.get(`${parts.nodeGroup}/providers/Microsoft.Network/publicIPAddresses`).body as { value: { id: string }[] };
  expect(value.map(({ id }) => id)).toEqual([first]);
  expect(parts.arm.get(`${parts.nodeGroup}/providers/Microsoft.Network/virtualNetworks`).body).toMatchObject({
    value: [{ properties: { subnets: [{ name: "aks-subnet" }] } }],
  });
});

test.each([
  ["missing", () => `${parts.address}-missing`, "LoadBalancerProfileOutboundIPNotExist"],
  ["in another region", () => addressIn("westus3", "Standard"), "LoadBalancerProfileOutboundIPNotInTheSameRegion"],
  ["of another SKU", () => addressIn("eastus", "Basic"), "LoadBalancerProfileOutboundIPNotStandardSKU"],
  ["used by another cluster", () => addressOfAnother(), "LoadBalancerProfileOutboundIPAttachedToAnotherIPConfiguration"],
])("an outbound address that is %s is refused", (_what, address, code) => {
  parts.grantAll();
  expect(refused(put(outbound(address())))).toEqual([400, code]);
});

function addressIn(location: string, sku: string): string {
  const id = `${parts.address}-${location}`;
  parts.arm.put(id, { location, sku: { name: sku }, properties: { publicIPAllocationMethod: "Static" } });
  return id;
}

function addressOfAnother(): string {
  parts.arm.put(parts.id.replace(/demo$/, "other"), parts.body());
  return parts.address;
}

test("ports are divided by eight, and enough for the nodes that pools may have", () => {
  parts.grantAll();
  const ports = (allocatedOutboundPorts: number) => ({
    networkProfile: { loadBalancerProfile: { outboundIPs: { publicIPs: [{ id: parts.address }] }, allocatedOutboundPorts } },
  });
  const scaled = [parts.pool("system", "System", { enableAutoScaling: true, minCount: 1, maxCount: 9 })];
  expect(refused(put(ports(1001)))).toEqual([400, "LoadBalancerProfileAllocatedOutboundPortsMustBeMultipleOfEight"]);
  expect(refused(put(ports(8000), scaled))).toEqual([400, "InsufficientOutboundPorts"]);
  const both = { ...outbound(parts.address).networkProfile.loadBalancerProfile, managedOutboundIPs: { count: 1 } };
  expect(refused(put({ networkProfile: { loadBalancerProfile: both } }))).toEqual([400, "InvalidLoadBalancerProfile"]);
  expect(put(ports(8000)).status).toBe(201);
});

test("subnets cannot be deleted while nodes and pods use them, and can when the cluster is gone", () => {
  parts.create();
  for (const subnet of [parts.nodes, parts.pods]) {
    expect(parts.arm.delete(subnet)).toMatchObject({ status: 400, body: { error: { code: "InUseSubnetCannotBeDeleted" } } });
  }
  parts.arm.delete(parts.id);
  expect(parts.arm.delete(parts.nodes).status).toBe(202);
});

test.each([
  ["missing", () => ({ vnetSubnetID: `${parts.nodes}-missing` }), "SubnetNotFound"],
  ["too small for its nodes", () => ({ count: 1000, podSubnetID: undefined, maxPods: 250 }), "InsufficientSubnetSize"],
])("a subnet that is %s is refused", (_what, more, code) => {
  parts.grantAll();
  expect(refused(put({}, [parts.pool("system", "System", more())]))).toEqual([400, code]);
});

test("a subnet of nodes must not be delegated, and that of pods only to AKS", () => {
  parts.grantAll();
  const delegate = (subnet: string, serviceName: string) => {
    const prefix = subnet === parts.nodes ? "10.128.8.0/21" : "10.128.64.0/18";
    const delegations = [{ name: "service", properties: { serviceName } }];
    expect(parts.arm.put(subnet, { properties: { addressPrefix: prefix, delegations } }).status).toBe(200);
  };
  delegate(parts.pods, "Microsoft.Web/serverFarms");
  expect(refused(put())).toEqual([400, "SubnetIsDelegated"]);
  delegate(parts.pods, "Microsoft.ContainerService/managedClusters");
  expect(put().status).toBe(201);
});

test("the addresses of services must not be those of a subnet", () => {
  parts.grantAll();
  const refusal = put({ networkProfile: { serviceCidr: "10.128.64.0/20", dnsServiceIP: "10.128.64.10" } });
  expect(refused(refusal)).toEqual([400, "ServiceCidrOverlapExistingSubnetsCidr", "networkProfile.serviceCIDR"]);
});

test("a node group that is read-only denies everybody to write in it, and one that is not denies nobody", () => {
  parts.create({ nodeResourceGroupProfile: { restrictionLevel: "ReadOnly" } });
  const tags = () => parts.arm.send("PATCH", parts.nodeGroup, { tags: { mine: "yes" } });
  const denials = () =>
    (
      parts.arm.get(`${parts.nodeGroup}/providers/Microsoft.Authorization/denyAssignments`, { apiVersion: "2022-04-01" }).body as {
        value: object[];
      }
    ).value;
  expect(tags()).toMatchObject({ status: 403 });
  expect(denials()).toMatchObject([{ properties: { isSystemProtected: true } }]);
  expect(parts.arm.get(parts.nodeGroup).status).toBe(200);
  expect(put({ nodeResourceGroupProfile: { restrictionLevel: "Unrestricted" } }).status).toBe(200);
  expect([denials(), tags().status]).toEqual([[], 200]);
});
