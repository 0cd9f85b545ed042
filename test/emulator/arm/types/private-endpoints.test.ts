/** Private endpoints, their DNS zones, and private link services. */
import { beforeEach, expect, test } from "vitest";
import { ArmState } from "../arm-state.js";
import { internalBalancer, network, subnet, under, withNetwork } from "./network-bodies.js";
import { accountBody } from "./storage-bodies.js";

let arm: ArmState;
let group: string;
let vnet: string;
let subnetId: string;
let account: string;
let endpoint: string;

beforeEach(() => {
  arm = new ArmState();
  ({ group, vnet, subnetId } = withNetwork(arm));
  account = `${group}/providers/Microsoft.Storage/storageAccounts/demoaccount`;
  endpoint = under(group, "privateEndpoints/pe");
  arm.put(account, accountBody());
});

const connection = (target: string, ...groupIds: string[]) => ({
  name: "to",
  properties: { privateLinkServiceId: target, ...(groupIds.length > 0 && { groupIds }) },
});

const body = (target: string, ...groupIds: string[]) => ({
  location: "eastus",
  properties: { subnet: { id: subnetId }, privateLinkServiceConnections: [connection(target, ...groupIds)] },
});

const propertiesOf = (id: string) => (arm.get(id).body as { properties: Record<string, unknown> }).properties;
const refusal = (status: number, code: string) => ({ status, body: { error: { code } } });

test("an endpoint has an interface of its own in the subnet, and names as soon as it is ready", () => {
  arm.seconds = { "privateEndpoint.put": 20 };
  const made = arm.put(endpoint, body(account, "blob"));
  const description = "Auto Approved";
  expect(made).toMatchObject({
    status: 201,
    headers: { "Retry-After": "10" },
    body: {
      properties: {
        provisioningState: "Updating",
        customDnsConfigs: [],
        customNetworkInterfaceName: "",
        ipConfigurations: [],
        manualPrivateLinkServiceConnections: [],
        privateLinkServiceConnections: [{ properties: { privateLinkServiceConnectionState: { status: "Approved", description } } }],
      },
    },
  });
  arm.now += 30_000;
  const customDnsConfigs = [{ fqdn: "demoaccount.blob.core.windows.net", ipAddresses: ["10.0.0.4"] }];
  expect(propertiesOf(endpoint)).toMatchObject({ provisioningState: "Succeeded", customDnsConfigs });
  const [nic] = propertiesOf(endpoint)["networkInterfaces"] as { id: string }[];
  expect(nic?.id).toMatch(/\/networkInterfaces\/pe\.nic\.[0-9a-f-]{36}$/);
  expect(propertiesOf(nic?.id ?? "")).toMatchObject({
    privateEndpoint: { id: endpoint },
    ipConfigurations: [{ properties: { privateIPAddress: "10.0.0.4", subnet: { id: subnetId } } }],
  });
  expect(propertiesOf(subnetId)["privateEndpoints"]).toHaveLength(1);
  expect(arm.delete(nic?.id ?? "")).toMatchObject(refusal(400, "NicInUse"));
  arm.delete(endpoint);
  expect(arm.get(nic?.id ?? "").status).toBe(404);
  expect(propertiesOf(subnetId)).not.toHaveProperty("privateEndpoints");
});

test("an endpoint keeps its interface and its address when it is written again, and its own names and addresses are taken", () => {
  const own = {
    customNetworkInterfaceName: "own",
    ipConfigurations: [{ name: "one", properties: { groupId: "blob", privateIPAddress: "10.0.0.9" } }],
  };
  const sent = { location: "eastus", properties: { ...body(account, "blob").properties, ...own } };
  arm.put(endpoint, sent);
  expect(propertiesOf(endpoint)).toMatchObject({
    networkInterfaces: [{ id: under(group, "networkInterfaces/own") }],
    customDnsConfigs: [{ ipAddresses: ["10.0.0.9"] }],
    ipConfigurations: [{ type: "Microsoft.Network/privateEndpoints/ipConfigurations" }],
  });
  const before = arm.get(endpoint).body;
  expect(arm.put(endpoint, before, { unrecorded: true }).status).toBe(200);
  expect(propertiesOf(endpoint)["networkInterfaces"]).toEqual(
    (before as { properties: Record<string, unknown> }).properties["networkInterfaces"],
  );
});

const statusOf = (id: string) => (propertiesOf(id)["privateLinkServiceConnectionState"] as { readonly status: string } | undefined)?.status;
const endsOf = (target: string) => propertiesOf(target)["privateEndpointConnections"] as { readonly id: string }[] | undefined;

test("a storage account and a vault have the end of a connection, which their owner rejects, and which goes with the endpoint", () => {
  const vault = `${group}/providers/Microsoft.KeyVault/vaults/demo-vault`;
  const sku = { family: "A", name: "standard" };
  arm.put(vault, { location: "eastus", properties: { tenantId: arm.state.tenantId, sku, enableRbacAuthorization: true } });
  arm.put(endpoint, body(account, "blob"));
  const second = under(group, "privateEndpoints/pe2");
  arm.put(second, body(vault, "vault"));
  const [ofAccount, ofVault] = [account, vault].map((one) => endsOf(one)?.[0]?.id ?? "");
  expect(ofAccount).toContain(`${account}/privateEndpointConnections/demoaccount.`);
  expect(ofVault).toBe(`${vault}/privateEndpointConnections/to`);
  expect(arm.get(ofVault ?? "").body).toMatchObject({ location: "eastus", properties: { privateEndpoint: { id: second } } });
  const rejected = { privateLinkServiceConnectionState: { status: "Rejected", description: "no" } };
  for (const [end = "", from] of [
    [ofAccount, endpoint],
    [ofVault, second],
  ] as const) {
    expect(arm.put(end, { properties: rejected }).status).toBe(200);
    expect(statusOf(end)).toBe("Rejected");
    expect(propertiesOf(from)["privateLinkServiceConnections"]).toMatchObject([
      { properties: { privateLinkServiceConnectionState: { status: "Rejected" } } },
    ]);
  }
  expect(arm.delete(ofVault ?? "").status).toBe(202);
  expect(endsOf(vault)).toBeUndefined();
  arm.delete(endpoint);
  expect(endsOf(account)).toEqual([]);
});

test("a manual connection of a storage account waits for its approval", () => {
  const { privateLinkServiceConnections: manual, ...rest } = body(account, "blob").properties;
  arm.put(endpoint, { location: "eastus", properties: { ...rest, manualPrivateLinkServiceConnections: manual } });
  const end = endsOf(account)?.[0]?.id ?? "";
  expect(statusOf(end)).toBe("Pending");
  arm.put(end, { properties: { privateLinkServiceConnectionState: { status: "Approved" } } });
  expect(propertiesOf(endpoint)["manualPrivateLinkServiceConnections"]).toMatchObject([
    { properties: { privateLinkServiceConnectionState: { status: "Approved" } } },
  ]);
});

test("what can be connected to is listed, with its zone", () => {
  const listed = (id: string) => (arm.get(`${id}/privateLinkResources`).body as { value: { name: string; properties: object }[] }).value;
  expect(listed(account).map(({ name }) => name)).toEqual(["blob", "table", "queue", "file", "web", "dfs"]);
  expect(listed(account)[0]?.properties).toEqual({
    groupId: "blob",
    requiredMembers: ["blob"],
    requiredZoneNames: ["privatelink.blob.core.windows.net"],
  });
});

test("a target that does not exist is refused, and one whose type is not emulated is 501 with its name", () => {
  expect(arm.put(endpoint, body(`${account}2`, "blob"))).toMatchObject(refusal(400, "InvalidResourceReference"));
  const topic = `${group}/providers/Microsoft.EventGrid/topics/t`;
  const refused = arm.put(endpoint, body(topic, "topic"));
  expect(refused).toMatchObject(refusal(501, "NotImplementedByEmbeddedAzure"));
  expect(JSON.stringify(refused.body)).toContain("Microsoft.EventGrid/topics/t");
});

test("a zone group adds A records to its private zone, and takes them away with itself and with its endpoint", () => {
  const zone = under(group, "privateDnsZones/privatelink.blob.core.windows.net");
  arm.put(zone, { location: "global" }, { apiVersion: "2024-06-01" });
  arm.put(endpoint, body(account, "blob"));
  const zoneGroup = `${endpoint}/privateDnsZoneGroups/default`;
  const config = { name: "blob", properties: { privateDnsZoneId: zone } };
  arm.put(zoneGroup, { properties: { privateDnsZoneConfigs: [config] } });
  const record = `${zone}/A/demoaccount`;
  const shown = () => arm.get(record, { apiVersion: "2024-06-01" });
  expect(shown()).toMatchObject({ status: 200, body: { properties: { ttl: 10, aRecords: [{ ipv4Address: "10.0.0.4" }] } } });
  const recordSet = { recordType: "A", recordSetName: "demoaccount", fqdn: "demoaccount.privatelink.blob.core.windows.net", ttl: 10 };
  expect(propertiesOf(zoneGroup)["privateDnsZoneConfigs"]).toMatchObject([{ name: "blob", properties: { recordSets: [recordSet] } }]);
  expect(propertiesOf(endpoint)["customDnsConfigs"]).toEqual([]);
  arm.delete(zoneGroup);
  expect(shown().status).toBe(404);
  arm.put(zoneGroup, { properties: { privateDnsZoneConfigs: [config] } });
  arm.delete(endpoint);
  expect(shown().status).toBe(404);
  const missing = { properties: { privateDnsZoneConfigs: [{ name: "none", properties: { privateDnsZoneId: `${zone}2` } }] } };
  arm.put(endpoint, body(account, "blob"));
  expect(arm.put(zoneGroup, missing)).toMatchObject(refusal(400, "InvalidResourceReference"));
});

test("a private link service needs a subnet without its policies, and lists the endpoints that are connected to it", () => {
  const balancer = under(group, "loadBalancers/lb");
  const service = under(group, "privateLinkServices/pls");
  arm.put(balancer, internalBalancer(subnetId));
  const sent = {
    location: "eastus",
    properties: {
      loadBalancerFrontendIpConfigurations: [{ id: `${balancer}/frontendIPConfigurations/in` }],
      ipConfigurations: [{ name: "one", properties: { subnet: { id: subnetId } } }],
    },
  };
  expect(arm.put(service, sent)).toMatchObject(refusal(400, "PrivateLinkServiceCannotBeCreatedInSubnetThatHasNetworkPoliciesEnabled"));
  arm.put(vnet, network(subnet("default", "10.0.0.0/24", { privateLinkServiceNetworkPolicies: "Disabled" })));
  expect(arm.put(service, sent).status).toBe(201);
  arm.put(endpoint, body(service));
  const connections = propertiesOf(service)["privateEndpointConnections"] as { id: string }[];
  expect(connections).toMatchObject([
    { properties: { privateEndpoint: { id: endpoint }, privateLinkServiceConnectionState: { status: "Approved" } } },
  ]);
  expect(arm.get(connections[0]?.id ?? "").status).toBe(200);
  expect(arm.delete(service)).toMatchObject(refusal(400, "PrivateLinkServiceCannotBeDeletedDueToPrivateEndpointConnections"));
  arm.delete(endpoint);
  arm.delete(service);
  expect(arm.get(service).status).toBe(404);
  arm.delete(balancer);
  expect(arm.delete(subnetId).status).not.toBe(400);
});
