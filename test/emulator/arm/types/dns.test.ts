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

test("a PUT and a PATCH of private DNS are answered {} in versions whose published description allows it, and nothing in others", () => {
  const arm = new ArmState();
  const zone = under(arm.group("demo"), "privateDnsZones/demo.example.com");
  expect(arm.put(zone, global, { apiVersion: "2018-09-01" })).toMatchObject({ status: 202, body: {} });
  expect(arm.put(zone, global).body).toBeUndefined();
  expect(arm.send("PATCH", zone, { tags: {} }, { apiVersion: "2018-09-01" })).toMatchObject({ status: 202, body: {} });
});

test("a PATCH of a zone or a link is an operation that changes what it names and keeps the rest", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const zone = under(group, "privateDnsZones/demo.example.com");
  const linked = `${zone}/virtualNetworkLinks/l`;
  arm.put(zone, { ...global, tags: { a: "1" } });
  arm.put(linked, { ...link(vnet), tags: { a: "1" } });
  arm.seconds = { "privateDnsZone.put": 25 };
  const patched = arm.send("PATCH", zone, { tags: { b: "2" } });
  expect(patched).toMatchObject({ status: 202, headers: { "Retry-After": "30" } });
  expect(arm.get(zone).body).toMatchObject({ tags: { b: "2" }, properties: { provisioningState: "Updating" } });
  arm.pass(25);
  expect(arm.get(zone).body).toMatchObject({ tags: { b: "2" }, properties: { provisioningState: "Succeeded" } });
  const { etag } = arm.get(linked).body as { etag: string };
  expect(etag).toMatch(/^"[^"]+"$/);
  expect(arm.send("PATCH", linked, { ...global, etag, properties: { registrationEnabled: true } }).status).toBe(202);
  expect(arm.get(linked).body).toMatchObject({
    tags: { a: "1" },
    properties: { registrationEnabled: true, virtualNetwork: { id: vnet } },
  });
  expect(arm.get(zone).body).toMatchObject({ properties: { numberOfVirtualNetworkLinksWithRegistration: 1 } });
});

test("a condition that does not hold fails in the operation, in the words of private DNS", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const zone = under(group, "privateDnsZones/demo.example.com");
  const linked = `${zone}/virtualNetworkLinks/l`;
  arm.put(zone, global);
  arm.put(linked, link(vnet));
  const end = (target: string, body: unknown, method: "PUT" | "PATCH", headers: Record<string, string>) =>
    arm.get(arm.send(method, target, body, { headers }).headers["Azure-AsyncOperation"] ?? "").body;
  const failed = (message: string) => ({ status: "Failed", error: { code: "PreconditionFailed", message } });
  expect(end(zone, { tags: {} }, "PATCH", { "If-Match": "other" })).toMatchObject(
    failed("The Zone demo.example.com has been modified (etag mismatch)."),
  );
  expect(end(zone, global, "PUT", { "If-None-Match": "*" })).toMatchObject(
    failed("The Zone demo.example.com exists already and hence cannot be created again."),
  );
  expect(end(linked, { tags: {} }, "PATCH", { "If-Match": "other" })).toMatchObject(
    failed("The Virtual Network link 'l' for the Private DNS zone 'demo.example.com' has been modified (etag mismatch)."),
  );
});

test("private DNS answers the names of its resources and of their group in lower case", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm, "Demo-Group");
  const zone = under(group, "privateDnsZones/Demo.example.com");
  const put = arm.put(zone, global);
  expect(put.headers["Azure-AsyncOperation"]).toContain("/resourceGroups/demo-group/");
  arm.put(`${zone}/virtualNetworkLinks/MyLink`, link(vnet));
  arm.put(`${zone}/A/WWW`, { properties: { ttl: 60 } });
  const lower = under(group.replace("Demo-Group", "demo-group"), "privateDnsZones/demo.example.com");
  expect(arm.get(zone).body).toMatchObject({ id: lower, name: "demo.example.com" });
  expect(arm.get(`${zone}/virtualNetworkLinks/MyLink`).body).toMatchObject({
    id: `${lower}/virtualNetworkLinks/mylink`,
    name: "mylink",
    properties: { virtualNetwork: { id: vnet } },
  });
  expect(arm.get(`${zone}/A/WWW`).body).toMatchObject({ id: `${lower}/A/www`, properties: { fqdn: "www.demo.example.com." } });
});

test("what a version does not know of a zone or a link, it does not answer", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const zone = under(group, "privateDnsZones/privatelink.example.com");
  arm.put(zone, global);
  arm.put(`${zone}/virtualNetworkLinks/l`, link(vnet));
  const old = { apiVersion: "2018-09-01" };
  expect(arm.get(`${zone}/virtualNetworkLinks/l`).body).toMatchObject({ properties: { resolutionPolicy: "Default" } });
  expect(arm.get(`${zone}/virtualNetworkLinks/l`, old).body).not.toHaveProperty("properties.resolutionPolicy");
  expect(arm.get(zone).body).toHaveProperty("properties.internalId");
  expect(arm.get(zone, old).body).not.toHaveProperty("properties.internalId");
  expect(arm.send("PATCH", `${zone}/virtualNetworkLinks/l`, { tags: {} }, old).status).toBe(202);
});

test("a link whose zone is missing is missing itself: a DELETE has nothing to do", () => {
  const arm = new ArmState();
  const missing = under(arm.group("demo"), "privateDnsZones/demo.example.com/virtualNetworkLinks/l");
  expect(arm.delete(missing).status).toBe(204);
  expect(arm.get(missing)).toMatchObject(refusal("ResourceNotFound", 404));
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

test("the deletion of a public zone is an operation: polls of a running one are 202, and the zone is missing in DNS's words", () => {
  const arm = new ArmState();
  const zone = under(arm.group("demo"), "dnsZones/a.example.com");
  arm.put(zone, global);
  arm.put(`${zone}/A/www`, { properties: { TTL: 60 } });
  arm.seconds = { "dnsZone.delete": 2 };
  const deleted = arm.delete(zone);
  expect(deleted).toMatchObject({ status: 202, headers: { "Retry-After": "3" } });
  const status = deleted.headers["Azure-AsyncOperation"] ?? "";
  expect(status).toContain("/resourceGroups/demo/providers/Microsoft.Network/dnsOperationStatuses/");
  expect(deleted.headers["Location"]).toContain("/resourceGroups/demo/providers/Microsoft.Network/dnsOperationResults/");
  expect(arm.get(status)).toMatchObject({ status: 202, body: { status: "InProgress" } });
  expect(arm.get(zone).body).not.toHaveProperty("properties.provisioningState");
  arm.pass(2);
  expect(arm.get(status)).toMatchObject({ status: 200, body: { status: "Succeeded" } });
  expect(arm.get(zone, { apiVersion: "2023-07-01-preview" })).toMatchObject({
    status: 404,
    body: {
      code: "NotFound",
      message: expect.stringContaining("The zone 'a.example.com' does not exist in resource group 'demo'") as string,
    },
  });
  expect(arm.delete(zone).status).toBe(204);
  expect(arm.get(under(arm.group("demo"), "dnsZones/b.example.com"))).toMatchObject(refusal("ResourceNotFound", 404));
  expect(arm.put(zone, global).status).toBe(201);
  expect(arm.get(`${zone}/A/www`)).toMatchObject({ status: 404 });
});

test("a zone of type Private has networks instead of name servers", () => {
  const arm = new ArmState();
  const { group, vnet } = withNetwork(arm);
  const zone = under(group, "dnsZones/a.example.com");
  const properties = { zoneType: "Private", registrationVirtualNetworks: [{ id: vnet }] };
  expect(arm.put(zone, { ...global, properties })).toMatchObject({
    status: 201,
    body: { properties: { ...properties, resolutionVirtualNetworks: [], nameServers: null, numberOfRecordSets: 1 } },
  });
  expect(arm.get(`${zone}/recordsets`).body).toMatchObject({ value: [{ name: "@", type: "Microsoft.Network/dnszones/SOA" }] });
});
