import { expect, test } from "vitest";
import { ArmState, subscription } from "../arm-state.js";
import { network, under, withNetwork } from "./network-bodies.js";

const refusal = (code: string, status = 400) => ({ status, body: { error: { code } } });
const global = { location: "global" };
const link = (vnet: string) => ({ ...global, properties: { virtualNetwork: { id: vnet }, registrationEnabled: false } });

test("a private zone is accepted with 202, polls as 202 InProgress every 30 s, and exists when done", () => {
  const arm = new ArmState();
  const zone = under(arm.group("demo"), "privateDnsZones/demo.example.com");
  arm.seconds = { "privateDnsZone.put": 25 };
  const put = arm.put(zone, global);
  expect(put).toMatchObject({ status: 202, headers: { "Retry-After": "30" }, body: undefined });
  expect(put.headers["Location"]).toContain("/resourceGroups/demo/providers/Microsoft.Network/privateDnsOperationResults/");
  const operation = put.headers["Azure-AsyncOperation"] ?? "";
  expect(arm.get(operation)).toMatchObject({ status: 202, headers: { "Retry-After": "30" }, body: { status: "InProgress" } });
  arm.pass(25);
  expect(arm.get(operation)).toMatchObject({ status: 200, body: { status: "Succeeded" } });
  expect(arm.get(zone).body).toMatchObject({
    location: "global",
    properties: { numberOfVirtualNetworkLinks: 0, provisioningState: "Succeeded" },
  });
});

test("a zone with a link cannot be deleted until the link is", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const zone = under(group, "privateDnsZones/demo.example.com");
  arm.put(zone, global);
  expect(arm.put(`${zone}/virtualNetworkLinks/l`, link(vnet))).toMatchObject({ status: 202 });
  expect(arm.get(`${zone}/virtualNetworkLinks`).body).toMatchObject({
    value: [{ name: "l", properties: { virtualNetwork: { id: vnet }, virtualNetworkLinkState: "Completed" } }],
  });
  const refused = arm.delete(zone);
  expect(refused).toMatchObject(refusal("CannotDeleteResource", 409));
  expect(JSON.stringify(refused.body)).toContain("'demo.example.com/virtualNetworkLinks/l'");
  expect(arm.delete(`${zone}/virtualNetworkLinks/l`).status).toBe(202);
  expect(arm.get(zone).status).toBe(200);
  expect(arm.delete(zone).status).toBe(202);
  expect(arm.get(zone).status).toBe(404);
  expect(arm.delete(zone).status).toBe(204);
});

test("a second zone with the same name for a network fails through the operation, and no link is created", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const other = arm.group("other");
  const [one, two] = [group, other].map((held) => under(held, "privateDnsZones/demo.example.com")) as [string, string];
  for (const zone of [one, two]) arm.put(zone, global);
  arm.put(`${one}/virtualNetworkLinks/l`, link(vnet));
  const second = arm.put(`${two}/virtualNetworkLinks/l`, link(vnet));
  expect(second.status).toBe(202);
  const end = arm.get(second.headers["Azure-AsyncOperation"] ?? "");
  expect(end).toMatchObject({ status: 200, body: { status: "Failed", error: { code: "BadRequest" } } });
  expect(JSON.stringify(end.body)).toContain("overlapping namespaces");
  expect(arm.get(`${two}/virtualNetworkLinks/l`)).toMatchObject(refusal("ResourceNotFound", 404));
});

test("a link keeps its network: another or a missing one fails through the operation", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const zone = under(group, "privateDnsZones/demo.example.com");
  const other = under(group, "virtualNetworks/other");
  arm.put(zone, global);
  const end = (network: string) =>
    arm.get(arm.put(`${zone}/virtualNetworkLinks/l`, link(network)).headers["Azure-AsyncOperation"] ?? "").body;
  expect(end(other)).toMatchObject({ status: "Failed", error: { code: "BadRequest" } });
  expect(end(vnet)).toMatchObject({ status: "Succeeded" });
  arm.put(other, network());
  expect(end(other)).toMatchObject({ status: "Failed", error: { code: "BadRequest" } });
  expect(arm.get(`${zone}/virtualNetworkLinks/l`).body).toMatchObject({ properties: { virtualNetwork: { id: vnet } } });
});

test("If-None-Match on an existing zone is accepted first and fails in the operation", () => {
  const arm = new ArmState();
  const zone = under(arm.group("demo"), "privateDnsZones/demo.example.com");
  arm.put(zone, global);
  const put = arm.put(zone, global, { headers: { "If-None-Match": "*" } });
  expect(put.status).toBe(202);
  expect(arm.get(put.headers["Azure-AsyncOperation"] ?? "").body).toMatchObject({
    status: "Failed",
    error: { code: "PreconditionFailed" },
  });
});

test("a link without its zone, and a zone that is not global, are refused at once", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const zone = under(group, "privateDnsZones/demo.example.com");
  expect(arm.put(`${zone}/virtualNetworkLinks/l`, link(vnet))).toMatchObject(refusal("ParentResourceNotFound", 404));
  expect(arm.put(zone, { location: "eastus" })).toMatchObject(refusal("LocationNotAvailableForResourceType"));
  expect(arm.put(under(group, "privateDnsZones/-bad-"), global)).toMatchObject(refusal("InvalidResourceName"));
});

test("a group's deletion deletes links before zones, wherever their networks are", () => {
  const arm = new ArmState();
  const { vnet } = withNetwork(arm, "networks");
  const group = arm.group("demo");
  const zone = under(group, "privateDnsZones/demo.example.com");
  arm.put(zone, global);
  arm.put(`${zone}/virtualNetworkLinks/l`, link(vnet));
  arm.get(arm.delete(group).headers["Location"] ?? "");
  expect(arm.get(group).status).toBe(404);
  expect(arm.get(vnet).status).toBe(200);
});

test("public zones are listed in the subscription and in a group, and contain record sets", () => {
  const arm = new ArmState();
  const zones = arm.get(`${subscription}/providers/Microsoft.Network/dnszones`).body as { value: { id: string; name: string }[] };
  expect(zones.value.map(({ name }) => name)).toEqual(["hcp.example.com"]);
  const zone = zones.value[0]?.id ?? "";
  expect(arm.put(`${zone}/A/api.demo`, { properties: { TTL: 300, ARecords: [{ ipv4Address: "203.0.113.9" }] } }).status).toBe(201);
  expect(arm.get(`${zone}/A/api.demo`).body).toMatchObject({ properties: { fqdn: "api.demo.hcp.example.com.", TTL: 300 } });
  expect(arm.get(zone).body).toMatchObject({ properties: { numberOfRecordSets: 3 } });
  expect(arm.get(`${zone}/A`).body).toMatchObject({ value: [{ name: "api.demo" }] });
  const taken = arm.put(`${zone}/A/api.demo`, { properties: { TTL: 1 } }, { headers: { "If-None-Match": "*" } });
  expect(taken).toMatchObject(refusal("PreconditionFailed", 412));
  expect(arm.delete(`${zone}/A/api.demo`).status).toBe(200);
  expect(arm.get(`${zone}/A/api.demo`)).toMatchObject(refusal("NotFound", 404));
  const made = under(arm.group("demo"), "dnszones/more.example.com");
  expect(arm.put(made, global).status).toBe(201);
  expect(arm.get(under(`${subscription}/resourceGroups/demo`, "dnsZones")).body).toMatchObject({ value: [{ name: "more.example.com" }] });
});
