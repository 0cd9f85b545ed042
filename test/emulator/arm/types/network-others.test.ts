/** Peerings, prefixes, route tables and other types of the network that clusters meet: with the real SDK, and what Azure refuses. */
import { NetworkManagementClient } from "@azure/arm-network";
import { ResourceManagementClient } from "@azure/arm-resources";
import { expect, test } from "vitest";
import { wellKnown } from "../../../../src/emulator/index.js";
import { openLocalServer } from "../../local-server.js";
import { all, sdkAccess } from "../../sdk-access.js";
import { ArmState, subscription } from "../arm-state.js";
import { internalBalancer, loadBalancer, network, networkInterface, publicAddress, subnet, under, withNetwork } from "./network-bodies.js";

const location = "eastus";

test("the SDK creates, lists and deletes parts of load balancers, peerings, prefixes, routes and groups", async () => {
  const { credential, options } = sdkAccess(await openLocalServer());
  const client = new NetworkManagementClient(credential, wellKnown.subscriptionId, options);
  await new ResourceManagementClient(credential, wellKnown.subscriptionId, options).resourceGroups.createOrUpdate("demo", { location });
  const [one, other] = await Promise.all(
    ["10.1.0.0/16", "10.2.0.0/16"].map((range, index) =>
      client.virtualNetworks.beginCreateOrUpdateAndWait("demo", `net${String(index)}`, {
        location,
        addressSpace: { addressPrefixes: [range] },
      }),
    ),
  );
  const there = await client.virtualNetworkPeerings.beginCreateOrUpdateAndWait("demo", "net0", "hub", {
    remoteVirtualNetwork: { id: other?.id ?? "" },
  });
  expect(there).toMatchObject({ peeringState: "Initiated", remoteAddressSpace: { addressPrefixes: ["10.2.0.0/16"] } });
  await client.virtualNetworkPeerings.beginCreateOrUpdateAndWait("demo", "net1", "spoke", { remoteVirtualNetwork: { id: one?.id ?? "" } });
  const peerings = await all(client.virtualNetworkPeerings.list("demo", "net0"));
  expect(peerings).toMatchObject([{ name: "hub", peeringState: "Connected", peeringSyncLevel: "FullyInSync" }]);
  await client.virtualNetworkPeerings.beginDeleteAndWait("demo", "net0", "hub");

  const prefix = await client.publicIPPrefixes.beginCreateOrUpdateAndWait("demo", "p", {
    location,
    prefixLength: 30,
    sku: { name: "Standard" },
  });
  expect(prefix.ipPrefix).toBe("192.0.2.0/30");
  const address = await client.publicIPAddresses.beginCreateOrUpdateAndWait("demo", "a", {
    location,
    sku: { name: "Standard" },
    publicIPAllocationMethod: "Static",
    publicIPPrefix: { id: prefix.id ?? "" },
  });
  expect(address.ipAddress).toBe("192.0.2.0");

  await client.loadBalancers.beginCreateOrUpdateAndWait("demo", "lb", {
    location,
    sku: { name: "Standard" },
    frontendIPConfigurations: [{ name: "f", publicIPAddress: { id: address.id ?? "" } }],
  });
  await client.loadBalancerBackendAddressPools.beginCreateOrUpdateAndWait("demo", "lb", "pool", {});
  expect((await all(client.loadBalancerBackendAddressPools.list("demo", "lb"))).map(({ name }) => name)).toEqual(["pool"]);
  await client.loadBalancerBackendAddressPools.beginDeleteAndWait("demo", "lb", "pool");
  expect(await all(client.loadBalancerFrontendIPConfigurations.list("demo", "lb"))).toMatchObject([{ name: "f" }]);
  expect((await client.loadBalancers.get("demo", "lb")).backendAddressPools).toEqual([]);

  await client.routeTables.beginCreateOrUpdateAndWait("demo", "t", { location });
  const route = { addressPrefix: "0.0.0.0/0", nextHopType: "VirtualAppliance", nextHopIpAddress: "10.1.0.4" };
  await client.routes.beginCreateOrUpdateAndWait("demo", "t", "default", route);
  expect(await client.routeTables.get("demo", "t")).toMatchObject({ routes: [{ name: "default", ...route, hasBgpOverride: false }] });
  await client.applicationSecurityGroups.beginCreateOrUpdateAndWait("demo", "web", { location });
  const policy = await client.serviceEndpointPolicies.beginCreateOrUpdateAndWait("demo", "s", { location });
  expect(policy.serviceEndpointPolicyDefinitions).toEqual([]);
  const services = await all(client.availableEndpointServices.list(location));
  expect(services.map(({ name }) => name)).toContain("Microsoft.KeyVault");
});

test("a virtual network keeps the peerings that its body omits, and accepts those that were read", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const remote = under(group, "virtualNetworks/remote");
  arm.put(remote, { location, properties: { addressSpace: { addressPrefixes: ["10.9.0.0/16"] } } });
  const peering = `${vnet}/virtualNetworkPeerings/hub`;
  expect(arm.put(peering, { properties: { remoteVirtualNetwork: { id: remote } } }).status).toBe(201);
  arm.put(vnet, network(subnet("default", "10.0.0.0/24")));
  const read = arm.get(vnet).body;
  expect(read).toMatchObject({ properties: { virtualNetworkPeerings: [{ id: peering }] } });
  expect(arm.put(vnet, read, { unrecorded: true }).status).toBe(200);
  expect(arm.get(peering).status).toBe(200);
  const none = { ...network(subnet("default", "10.0.0.0/24")) };
  arm.put(vnet, { ...none, properties: { ...none.properties, virtualNetworkPeerings: [] } });
  expect(arm.get(peering).status).toBe(404);
  const missing = { properties: { remoteVirtualNetwork: { id: `${remote}2` } } };
  expect(arm.put(peering, missing)).toMatchObject({ status: 400, body: { error: { code: "InvalidResourceReference" } } });
});

test("networks with the same addresses are not peered, and two networks have one peering each", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const [remote, same] = [under(group, "virtualNetworks/remote"), under(group, "virtualNetworks/same")];
  const networkWith = (...addressPrefixes: string[]) => ({ location, properties: { addressSpace: { addressPrefixes } } });
  arm.put(remote, networkWith("10.9.0.0/16"));
  arm.put(same, networkWith("172.16.0.0/24", "10.0.128.0/24"));
  const to = (id: string) => ({ properties: { remoteVirtualNetwork: { id } } });
  const refusedWith = (code: string) => ({ status: 400, body: { error: { code, message: expect.stringContaining("peering") as string } } });
  expect(arm.put(`${vnet}/virtualNetworkPeerings/same`, to(same))).toMatchObject(refusedWith("VnetAddressSpacesOverlap"));
  arm.put(`${vnet}/virtualNetworkPeerings/one`, to(remote));
  expect(arm.put(`${vnet}/virtualNetworkPeerings/one`, to(remote)).status).toBe(200);
  const code = "AnotherPeeringAlreadyReferencesRemoteVnet";
  expect(arm.put(`${vnet}/virtualNetworkPeerings/two`, to(remote))).toMatchObject(refusedWith(code));
  const inline = (...names: string[]) => ({
    location,
    properties: {
      addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      virtualNetworkPeerings: names.map((name) => ({ name, ...to(remote) })),
    },
  });
  expect(arm.put(vnet, inline("one", "two"))).toMatchObject(refusedWith(code));
  expect(arm.put(vnet, inline("two")).status).toBe(200);
  expect(arm.put(vnet, networkWith("10.9.1.0/24"))).toMatchObject(refusedWith("VnetAddressSpacesOverlap"));
  const securityGroup = under(group, "networkSecurityGroups/nsg");
  arm.put(securityGroup, { location });
  expect(arm.put(`${vnet}/virtualNetworkPeerings/odd`, to(securityGroup), { unrecorded: true }).status).toBe(201);
});

test("a peering whose counterpart is deleted is disconnected, and both have to be created again", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const remote = under(group, "virtualNetworks/remote");
  arm.put(remote, { location, properties: { addressSpace: { addressPrefixes: ["10.9.0.0/16"] } } });
  const [here, there] = [`${vnet}/virtualNetworkPeerings/there`, `${remote}/virtualNetworkPeerings/here`];
  const to = (id: string) => ({ properties: { remoteVirtualNetwork: { id } } });
  arm.put(here, to(remote));
  arm.put(there, to(vnet));
  expect(arm.get(here).body).toMatchObject({ properties: { peeringState: "Connected" } });
  arm.delete(there);
  expect(arm.get(here).body).toMatchObject({ properties: { peeringState: "Disconnected" } });
  expect(arm.put(there, to(vnet))).toMatchObject({ status: 400, body: { error: { code: "RemotePeeringIsDisconnected" } } });
  arm.delete(here);
  arm.get(vnet);
  arm.put(there, to(vnet));
  arm.put(here, to(remote));
  expect(arm.get(there).body).toMatchObject({ properties: { peeringState: "Connected" } });
});

test("an address whose prefix is missing is not found, and a prefix in use cannot be deleted", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const prefix = under(group, "publicIPPrefixes/p");
  const address = under(group, "publicIPAddresses/a");
  const body = publicAddress({ publicIPPrefix: { id: prefix } });
  expect(arm.put(address, body)).toMatchObject({
    status: 404,
    body: { error: { code: "NotFound", message: `Resource ${prefix} not found.` } },
  });
  const made = arm.put(prefix, { location, sku: { name: "Standard" }, properties: { prefixLength: 31 } });
  expect(made.body).not.toHaveProperty("properties.ipPrefix");
  for (const name of ["a", "b"]) expect(arm.put(under(group, `publicIPAddresses/${name}`), body).status).toBe(201);
  expect(arm.get(prefix).body).toMatchObject({ properties: { ipPrefix: "192.0.2.0/31", publicIPAddresses: [{ id: address }, {}] } });
  expect(arm.get(address).body).toHaveProperty("properties.ipAddress", "192.0.2.0");
  expect(arm.delete(prefix)).toMatchObject({ status: 400, body: { error: { code: "InUsePublicIpPrefixCannotBeDeleted" } } });
});

test("a network tells which of its addresses are free, and how full its subnets are", () => {
  const arm = new ArmState();
  const { group, vnet, subnetId } = withNetwork(arm);
  arm.put(under(group, "networkInterfaces/n"), networkInterface(subnetId));
  arm.put(under(group, "loadBalancers/in"), internalBalancer(subnetId));
  const check = (address: string) => arm.get(`${vnet}/CheckIPAddressAvailability?ipAddress=${address}`);
  expect(check("10.0.0.6").body).toEqual({ available: true, isPlatformReserved: false });
  expect(check("10.0.0.5").body).toEqual({
    available: false,
    availableIPAddresses: ["10.0.0.6", "10.0.0.7", "10.0.0.8", "10.0.0.9", "10.0.0.10"],
    isPlatformReserved: false,
  });
  expect(check("10.0.0.1").body).toMatchObject({ available: false, isPlatformReserved: true });
  expect(check("10.7.0.1")).toMatchObject({ status: 400, body: { error: { code: "PrivateIPAddressNotInAnySubnet" } } });
  expect(arm.get(`${vnet}/usages`).body).toMatchObject({ value: [{ id: subnetId, currentValue: 2, limit: 251, unit: "Count" }] });
  expect(arm.get(`${vnet}2/usages`).status).toBe(404);
  const services = arm.get(`${subscription}/providers/Microsoft.Network/locations/eastus/virtualNetworkAvailableEndpointServices`);
  expect((services.body as { value: unknown[] }).value).toHaveLength(13);
});

test("a route table, a security group of applications and an endpoint policy cannot be deleted while they are used", () => {
  const arm = new ArmState();
  const { group, vnet, subnetId } = withNetwork(arm);
  const [table, web, policy] = ["routeTables/t", "applicationSecurityGroups/web", "serviceEndpointPolicies/s"].map((path) =>
    under(group, path),
  );
  for (const id of [table, web, policy]) arm.put(id ?? "", { location });
  const uses = { addressPrefix: "10.0.5.0/24", routeTable: { id: table }, serviceEndpointPolicies: [{ id: policy }] };
  expect(arm.put(`${vnet}/subnets/used`, { properties: uses }).status).toBe(201);
  const nic = under(group, "networkInterfaces/n");
  arm.put(nic, networkInterface(subnetId, { applicationSecurityGroups: [{ id: web }] }));
  expect(arm.get(table ?? "").body).toMatchObject({ properties: { subnets: [{ id: `${vnet}/subnets/used` }] } });
  const codes = [table, web, policy].map((id) => (arm.delete(id ?? "").body as { error: { code: string } }).error.code);
  expect(codes).toEqual([
    "InUseRouteTableCannotBeDeleted",
    "InUseApplicationSecurityGroupCannotBeDeleted",
    "InUseServiceEndpointPolicyCannotBeDeleted",
  ]);
});

test("a SKU is chosen at creation: only a Basic address that nothing uses is upgraded, and a body without a SKU asks for Basic", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const refusal = (code: string) => ({ status: 400, body: { error: { code } } });
  const address = under(group, "publicIPAddresses/a");
  arm.put(address, publicAddress());
  expect(arm.put(address, { location })).toMatchObject({
    ...refusal("SkuCannotBeChangedOnUpdate"),
    body: { error: { message: expect.stringContaining("from Standard to Basic") } },
  });
  const free = under(group, "publicIPAddresses/free");
  arm.put(free, publicAddress());
  expect(arm.put(free, { ...publicAddress(), sku: { name: "StandardV2" } })).toMatchObject(refusal("SkuCannotBeChangedOnUpdate"));
  const balancer = under(group, "loadBalancers/lb");
  arm.put(balancer, loadBalancer(balancer, "lb", address));
  expect(arm.put(balancer, { location, properties: {} })).toMatchObject(refusal("SkuCannotBeChangedOnUpdate"));
  expect(arm.get(balancer).body).toMatchObject({ sku: { name: "Standard" } });

  const basic = under(group, "publicIPAddresses/basic");
  arm.put(basic, { ...publicAddress(), sku: { name: "Basic" } });
  const user = under(group, "loadBalancers/basic");
  arm.put(user, { ...loadBalancer(user, "lb", basic, { outboundRules: [] }), sku: { name: "Basic" } });
  expect(arm.put(basic, publicAddress())).toMatchObject(refusal("PublicIPAddressInUseCannotUpdate"));
  arm.delete(user);
  expect(arm.put(basic, publicAddress())).toMatchObject({ status: 200, body: { sku: { name: "Standard" } } });
});
