import { beforeEach, expect, test } from "vitest";
import { ArmState, subscription } from "./arm-state.js";

let arm: ArmState;
let group: string;
let other: string;

beforeEach(() => {
  arm = new ArmState();
  group = arm.group("demo");
  other = arm.group("other");
});

const at = (scope: string, type: string, name: string): string => `${scope}/providers/Microsoft.Network/${type}/${name}`;

function makeNetwork(): string {
  arm.put(at(group, "networkSecurityGroups", "nsg"), { location: "eastus", properties: {} });
  const subnet = { addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: at(group, "networkSecurityGroups", "nsg") } };
  arm.put(at(group, "virtualNetworks", "net"), {
    location: "eastus",
    properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets: [{ name: "default", properties: subnet }] },
  });
  return `${at(group, "virtualNetworks", "net")}/subnets/default`;
}

function makeInterface(scope: string, subnet: string): string {
  const id = at(scope, "networkInterfaces", "nic");
  const ipConfigurations = [{ name: "one", properties: { subnet: { id: subnet } } }];
  expect(arm.put(id, { location: "eastus", properties: { ipConfigurations } }).status).toBe(201);
  return id;
}

const names = (): string[] => Object.keys(arm.state.resources).map((key) => key.slice(key.lastIndexOf("/") + 1));

test("a group is deleted with all its resources, whatever uses what inside it", () => {
  makeInterface(group, makeNetwork());
  arm.delete(group);
  expect(arm.get(`${subscription}/resources`).status).toBe(200);
  expect(names().sort()).toEqual(["@", "@", "dns", "hcp.example.com", "other"]);
});

test("a resource used from another group blocks the deletion: 409 in PascalCase, rolled back with part of the content deleted", () => {
  makeInterface(other, makeNetwork());
  const location = arm.delete(group).headers["Location"] ?? "";
  const ended = arm.get(location);
  expect(ended).toMatchObject({ status: 409, body: { Error: { Code: "ResourceGroupDeletionBlocked", Target: null } } });
  const details = (ended.body as { Error: { Details: { Target: string; Message: string }[] } }).Error.Details;
  const network = details.find(({ Target }) => Target === at(group, "virtualNetworks", "net"));
  expect(JSON.parse(network?.Message ?? "{}")).toMatchObject({ error: { code: "InUseSubnetCannotBeDeleted" } });
  expect(arm.get(group)).toMatchObject({ status: 200, body: { properties: { provisioningState: "Succeeded" } } });
});

test("a locked resource blocks the deletion of its group, and cannot be deleted itself", () => {
  makeNetwork();
  const nsg = at(group, "networkSecurityGroups", "nsg");
  const lock = `${nsg}/providers/Microsoft.Authorization/locks/keep`;
  const type = "Microsoft.Authorization/locks";
  arm.state.resources[lock.toLowerCase()] = { id: lock, name: "keep", type, properties: { level: "CanNotDelete" } };
  expect(arm.delete(nsg)).toMatchObject({ status: 409, body: { error: { code: "ScopeLocked" } } });
  expect(arm.put(nsg, { location: "eastus", properties: {} }).status).toBe(200);
  expect(arm.get(arm.delete(group).headers["Location"] ?? "")).toMatchObject({ status: 409 });
  expect(names()).toContain("nsg");
  expect(names()).not.toContain("net");
});

test("a lock on the group forbids its deletion; a read-only one forbids writes too", () => {
  const lock = `${group}/providers/Microsoft.Authorization/locks/keep`;
  const type = "Microsoft.Authorization/locks";
  arm.state.resources[lock.toLowerCase()] = { id: lock, name: "keep", type, properties: { level: "ReadOnly" } };
  expect(arm.delete(group)).toMatchObject({ status: 409, body: { error: { code: "ScopeLocked" } } });
  const put = arm.put(at(group, "networkSecurityGroups", "nsg"), { location: "eastus", properties: {} });
  expect(put).toMatchObject({ status: 409, body: { error: { code: "ScopeLocked" } } });
});

test("a group being deleted refuses writes and its own creation, and a repeated delete joins the first", () => {
  arm.seconds = { "resourceGroup.delete.base": 15 };
  const first = arm.delete(group);
  const being = { status: 409, body: { error: { code: "ResourceGroupBeingDeleted" } } };
  expect(arm.put(at(group, "networkSecurityGroups", "nsg"), { location: "eastus", properties: {} })).toMatchObject(being);
  expect(arm.put(group, { location: "eastus" })).toMatchObject(being);
  expect(arm.delete(group).headers).toEqual(first.headers);
});

test("a group takes longer to delete the more kinds of resources it contains", () => {
  makeNetwork();
  arm.seconds = { "resourceGroup.delete.base": 10, "resourceGroup.delete.add.vnet": 100 };
  arm.delete(group);
  expect(Object.values(arm.state.operationLog).at(-1)).toEqual({ resource: group, verb: "DELETE", seconds: 110 });
});
