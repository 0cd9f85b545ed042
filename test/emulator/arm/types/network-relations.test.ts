/** What network resources answer about each other: interfaces and load balancers, peered networks, addresses and their aliases. */
import { expect, test } from "vitest";
import { ArmState, subscription } from "../arm-state.js";
import { loadBalancer, networkInterface, publicAddress, under, withNetwork } from "./network-bodies.js";

const location = "eastus";

const idsIn = ({ body }: { readonly body: unknown }): string[] => (body as { value: { id: string }[] }).value.map(({ id }) => id);

test("an inbound NAT rule names its interface, and both list each other", () => {
  const arm = new ArmState();
  const { group, subnetId } = withNetwork(arm);
  const [address, balancer, nic] = ["publicIPAddresses/i", "loadBalancers/i", "networkInterfaces/n"].map((path) => under(group, path));
  arm.put(address ?? "", publicAddress());
  arm.put(balancer ?? "", loadBalancer(balancer ?? "", "i", address ?? ""));
  const rule = `${balancer ?? ""}/inboundNatRules/ssh`;
  const frontend = { id: `${balancer ?? ""}/frontendIPConfigurations/i` };
  arm.put(rule, { properties: { frontendIPConfiguration: frontend, frontendPort: 28, backendPort: 22 } });
  expect(arm.get(rule).body).not.toHaveProperty("properties.backendIPConfiguration");
  expect(idsIn(arm.get(`${balancer ?? ""}/networkInterfaces`))).toEqual([]);
  expect(arm.put(nic ?? "", networkInterface(subnetId, { loadBalancerInboundNatRules: [{ id: rule }] })).status).toBe(201);
  expect(arm.get(rule).body).toHaveProperty("properties.backendIPConfiguration", { id: `${nic ?? ""}/ipConfigurations/one` });
  expect(idsIn(arm.get(`${balancer ?? ""}/networkInterfaces`))).toEqual([nic]);
  expect(idsIn(arm.get(`${nic ?? ""}/loadBalancers`))).toEqual([balancer]);
  expect(arm.get(`${nic ?? ""}x/loadBalancers`)).toMatchObject({ status: 404, body: { error: { code: "ResourceNotFound" } } });
});

test("configurations of an interface and default rules of a security group are read by their own path", () => {
  const arm = new ArmState();
  const { group, nsg, subnetId } = withNetwork(arm);
  const nic = under(group, "networkInterfaces/n");
  arm.put(nic, networkInterface(subnetId));
  for (const [id, collection, name] of [
    [nic, "ipConfigurations", "one"],
    [nsg, "defaultSecurityRules", "DenyAllInBound"],
  ] as const) {
    const { properties } = arm.get(id).body as { properties: Record<string, { name: string }[]> };
    expect(arm.get(`${id}/${collection}`).body).toEqual({ value: properties[collection] });
    expect(arm.get(`${id}/${collection}/${name}`).body).toEqual(properties[collection]?.find((one) => one.name === name));
  }
  expect(arm.get(`${nic}/tapConfigurations`).body).toEqual({ value: [] });
});

test("a peering is out of sync after the other network changed its address space, until it is synchronized", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const remote = under(group, "virtualNetworks/remote");
  const spaces = { old: { addressPrefixes: ["10.9.0.0/16"] }, new: { addressPrefixes: ["10.9.0.0/16", "10.10.0.0/16"] } };
  arm.put(remote, { location, properties: { addressSpace: spaces.old } });
  const [here, there] = [`${vnet}/virtualNetworkPeerings/there`, `${remote}/virtualNetworkPeerings/here`];
  const to = (id: string) => ({ properties: { remoteVirtualNetwork: { id } } });
  const levels = () =>
    [here, there].map((id) => (arm.get(id).body as { properties: { peeringSyncLevel: string } }).properties.peeringSyncLevel);
  expect(arm.put(here, to(remote)).body).toMatchObject({
    properties: { peeringState: "Initiated", peeringSyncLevel: "RemoteNotInSync", remoteVirtualNetworkAddressSpace: spaces.old },
  });
  arm.put(there, to(vnet));
  expect(levels()).toEqual(["FullyInSync", "FullyInSync"]);
  arm.put(remote, { location, properties: { addressSpace: spaces.new } });
  expect(levels()).toEqual(["LocalNotInSync", "RemoteNotInSync"]);
  const read = arm.get(here).body;
  expect(read).toMatchObject({ properties: { remoteAddressSpace: spaces.old, remoteVirtualNetworkAddressSpace: spaces.new } });
  arm.put(`${here}?syncRemoteAddressSpace=true`, read);
  expect(levels()).toEqual(["FullyInSync", "FullyInSync"]);
  const old = arm.get(here, { apiVersion: "2020-11-01" }).body as { properties: object };
  for (const member of ["peeringSyncLevel", "remoteVirtualNetworkAddressSpace", "peerCompleteVnets"])
    expect(old.properties).not.toHaveProperty(member);
});

test("an alias record set is found by its address, which can be deleted all the same", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const address = under(group, "publicIPAddresses/a");
  const zone = under(group, "dnszones/example.com");
  arm.put(address, publicAddress({ dnsSettings: { domainNameLabel: "a", reverseFqdn: "a.example.com." } }));
  expect(arm.get(address).body).toHaveProperty("properties.dnsSettings", {
    domainNameLabel: "a",
    fqdn: "a.eastus.cloudapp.azure.com",
    reverseFqdn: "a.example.com.",
  });
  arm.put(zone, { location: "global" });
  arm.put(`${zone}/A/a`, { properties: { TTL: 60, targetResource: { id: address } } });
  const references = `${subscription}/providers/Microsoft.Network/getDnsResourceReference?api-version=2018-05-01`;
  const targetResource = { id: address };
  expect(arm.send("POST", references, { properties: { targetResources: [targetResource] } })).toMatchObject({
    status: 200,
    body: { properties: { dnsResourceReferences: [{ dnsResources: [{ id: `${zone}/A/a` }], targetResource }] } },
  });
  expect(arm.get(address).body).not.toHaveProperty("properties.ipConfiguration");
  expect(arm.delete(address).status).toBe(202);
});
