import { beforeEach, expect, test } from "vitest";
import { ArmState } from "./arm-state.js";

let arm: ArmState;
let vnet: string;
let nsg: string;

const network = { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } };
const group = { location: "eastus", properties: {} };

beforeEach(() => {
  arm = new ArmState();
  const id = arm.group("demo");
  vnet = `${id}/providers/Microsoft.Network/virtualNetworks/demo`;
  nsg = `${id}/providers/Microsoft.Network/networkSecurityGroups/demo`;
});

const operationUrl = (headers: Readonly<Record<string, string>>): string => headers["Azure-AsyncOperation"] ?? "";

test("a network write answers the resource as Updating and ends by the clock, not by polls", () => {
  arm.seconds = { "vnet.put": 12 };
  const made = arm.put(vnet, network);
  expect(made).toMatchObject({ status: 201, headers: { "Retry-After": "3" }, body: { properties: { provisioningState: "Updating" } } });
  const url = operationUrl(made.headers);
  expect(arm.get(url)).toMatchObject({ status: 200, body: { status: "InProgress" } });
  arm.pass(12);
  expect(arm.get(url)).toEqual({ status: 200, headers: {}, body: { status: "Succeeded" } });
  expect(arm.get(vnet)).toMatchObject({ body: { properties: { provisioningState: "Succeeded" } } });
});

test("the Retry-After of network polls grows as the operation ages", () => {
  arm.seconds = { "vnet.put": 900 };
  const url = operationUrl(arm.put(vnet, network).headers);
  const waits = Array.from({ length: 10 }, () => arm.get(url).headers["Retry-After"]);
  expect(waits).toEqual(["10", "20", "20", "40", "40", "80", "160", "100", "100", "100"]);
});

test("operation URLs have some 3,200 characters and are refused unless sent back exactly", () => {
  const url = operationUrl(arm.put(vnet, network).headers);
  expect(url.length).toBeGreaterThan(3000);
  expect(url.length).toBeLessThan(3700);
  expect(arm.get(url).status).toBe(200);
  expect(arm.get(`${url.slice(0, -1)}${url.endsWith("A") ? "B" : "A"}`)).toMatchObject({ status: 400 });
  expect(arm.get(url.slice(0, url.indexOf("&t=")))).toMatchObject({ status: 400 });
});

test("every write of a resource changes its etag, and so does the end of its operation", () => {
  arm.seconds = { "nsg.put": 3 };
  const seen = [arm.put(nsg, group).body, undefined, undefined];
  arm.pass(4);
  seen[1] = arm.get(nsg).body;
  arm.put(nsg, group);
  seen[2] = arm.get(nsg).body;
  const etags = seen.map((body) => (body as { etag: string }).etag);
  expect(new Set(etags).size).toBe(3);
  expect(etags[0]).toMatch(/^W\/"[0-9a-f-]{36}"$/);
});

test("a second write of a virtual network is 429 with the reason in the details while the first runs", () => {
  arm.seconds = { "vnet.put": 10 };
  arm.put(vnet, network);
  const second = arm.put(`${vnet}/subnets/other`, { properties: { addressPrefix: "10.0.1.0/24" } });
  expect(second).toMatchObject({ status: 429, body: { error: { details: [{ code: "RetryableErrorDueToAnotherOperation" }] } } });
  expect(Number(second.headers["Retry-After"])).toBeGreaterThanOrEqual(10);
  arm.pass(11);
  expect(arm.put(`${vnet}/subnets/other`, { properties: { addressPrefix: "10.0.1.0/24" } }).status).toBe(201);
});

test("a second write of a security group supersedes the first, whose caller gets Canceled", () => {
  arm.seconds = { "nsg.put": 10 };
  const first = operationUrl(arm.put(nsg, group).headers);
  const second = operationUrl(arm.put(nsg, { ...group, tags: { a: "b" } }).headers);
  expect(arm.get(first)).toMatchObject({
    status: 200,
    body: { status: "Canceled", error: { code: "Canceled", details: [{ code: "CanceledAndSupersededDueToAnotherOperation" }] } },
  });
  arm.pass(11);
  expect(arm.get(second).body).toEqual({ status: "Succeeded" });
});

test("a delete repeated while it runs is the same operation, and a delete of an absent resource is 204", () => {
  arm.put(vnet, network);
  arm.seconds = { "vnet.delete": 10 };
  const first = arm.delete(vnet);
  expect(first).toMatchObject({ status: 202, body: undefined });
  expect(arm.delete(vnet).headers).toEqual(first.headers);
  expect(arm.get(vnet)).toMatchObject({ body: { properties: { provisioningState: "Deleting" } } });
  arm.pass(11);
  expect(arm.get(operationUrl(first.headers)).body).toEqual({ status: "Succeeded" });
  expect(arm.get(vnet)).toMatchObject({ status: 404, body: { error: { code: "ResourceNotFound" } } });
  expect(arm.delete(vnet).status).toBe(204);
});

test("a write of a resource that is being deleted is refused", () => {
  arm.put(nsg, group);
  arm.seconds = { "nsg.delete": 10 };
  arm.delete(nsg);
  expect(arm.put(nsg, group)).toMatchObject({ status: 409, body: { error: { code: "AnotherOperationInProgress" } } });
});

test("a private DNS zone is accepted with {}, and a failed precondition is reported only by the operation", () => {
  const zone = `${arm.group("zones")}/providers/Microsoft.Network/privateDnsZones/a.example.com`;
  const made = arm.put(zone, { location: "global" });
  expect(made).toMatchObject({ status: 202, body: {} });
  expect(Object.keys(made.headers).sort()).toEqual(["Azure-AsyncOperation", "Location", "Retry-After"]);
  const again = arm.put(zone, { location: "global" }, { headers: { "If-None-Match": "*" } });
  expect(again.status).toBe(202);
  expect(arm.get(operationUrl(again.headers))).toMatchObject({
    status: 200,
    body: { status: "Failed", error: { code: "PreconditionFailed" } },
  });
  expect(arm.get(zone)).toMatchObject({ status: 200, body: { properties: { provisioningState: "Succeeded" } } });
});

test("every write is in the operation log with the seconds it took, and reads are not", () => {
  arm.seconds = { "vnet.put": 4, "vnet.delete": 2, read: 1 };
  arm.state.operationLog = {};
  arm.put(vnet, network);
  arm.pass(5);
  arm.get(vnet);
  arm.delete(vnet);
  expect(Object.values(arm.state.operationLog)).toEqual([
    { resource: vnet, verb: "PUT", seconds: 4 },
    { resource: vnet, verb: "DELETE", seconds: 2 },
  ]);
});
