/** Management locks: written, listed and enforced. */
import { beforeEach, expect, test } from "vitest";
import { ArmState, subscription } from "./arm-state.js";

let arm: ArmState;
let group: string;
let nsg: string;
const locksOf = (scope: string): string => `${scope}/providers/Microsoft.Authorization/locks`;
const refusal = (code: string, status: number) => ({ status, body: { error: { code } } });
const options = { apiVersion: "2016-09-01" };

function write(scope: string, name: string, level: string) {
  return arm.put(`${locksOf(scope)}/${name}`, { properties: { level, notes: "n" } }, options);
}

function names(target: string): string[] {
  return (arm.get(target, options).body as { value: { name: string }[] }).value.map(({ name }) => name);
}

beforeEach(() => {
  arm = new ArmState();
  group = arm.group("demo");
  nsg = `${group}/providers/Microsoft.Network/networkSecurityGroups/nsg`;
  arm.put(nsg, { location: "eastus", properties: {} });
});

test("a lock is created, changed, read and deleted at a subscription, a group and a resource, in the spelling of its creation", () => {
  for (const scope of [subscription, group.replace("resourceGroups", "resourcegroups"), nsg]) {
    const lock = { id: `${locksOf(scope)}/keep`, name: "keep", type: "Microsoft.Authorization/locks" };
    const properties = { level: "CanNotDelete", notes: "n" };
    expect(write(scope, "keep", "CanNotDelete")).toEqual({ status: 201, headers: {}, body: { ...lock, properties } });
    expect(write(scope, "keep", "ReadOnly")).toMatchObject({ status: 200, body: { properties: { level: "ReadOnly" } } });
    expect(arm.get(`${locksOf(scope)}/keep`, options).body).toMatchObject(lock);
    expect(arm.delete(`${locksOf(scope)}/keep`, options).status).toBe(200);
    expect(arm.delete(`${locksOf(scope)}/keep`, options).status).toBe(204);
    expect(arm.get(`${locksOf(scope)}/keep`, options)).toMatchObject(refusal("LockNotFound", 404));
  }
  expect(write(arm.group("x").replace(/x$/, "none"), "keep", "ReadOnly")).toMatchObject(refusal("ResourceGroupNotFound", 404));
  expect(write(`${nsg}2`, "keep", "ReadOnly")).toMatchObject(refusal("ResourceNotFound", 404));
});

test("a written lock is enforced until it is deleted, and is no obstacle to other locks", () => {
  write(group, "frozen", "ReadOnly");
  expect(arm.put(nsg, { location: "eastus", properties: {} })).toMatchObject(refusal("ScopeLocked", 409));
  expect(write(nsg, "keep", "CanNotDelete").status).toBe(201);
  arm.delete(`${locksOf(group)}/frozen`, options);
  expect(arm.put(nsg, { location: "eastus", properties: {} }).status).toBe(200);
  expect(arm.delete(nsg)).toMatchObject(refusal("ScopeLocked", 409));
});

test("the keys of a storage account cannot be listed under a read-only lock", () => {
  const account = `${group}/providers/Microsoft.Storage/storageAccounts/locked`;
  arm.put(account, { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {} });
  const list = () => arm.send("POST", `${account}/listKeys`);
  write(group, "keep", "CanNotDelete");
  expect(list().status).toBe(200);
  write(account, "frozen", "ReadOnly");
  expect(list()).toMatchObject(refusal("ScopeLocked", 409));
});

test("lists contain the locks above and below their scope, with atScope() those above", () => {
  write(subscription, "wide", "CanNotDelete");
  write(group, "middle", "CanNotDelete");
  write(nsg, "narrow", "CanNotDelete");
  write(arm.group("other"), "elsewhere", "CanNotDelete");
  expect(names(locksOf(subscription))).toEqual(["wide", "middle", "narrow", "elsewhere"]);
  expect(names(locksOf(group))).toEqual(["wide", "middle", "narrow"]);
  expect(names(locksOf(nsg))).toEqual(["wide", "middle", "narrow"]);
  expect(names(`${locksOf(group)}?$filter=atScope()`)).toEqual(["wide", "middle"]);
});

test("locks are written with the right to do so: a contributor has none", () => {
  const caller = arm.caller("contributor", [{ role: "b24988ac-6180-42a0-ab88-20f7382dd24c", scope: subscription }]);
  const body = { properties: { level: "ReadOnly" } };
  expect(arm.put(`${locksOf(group)}/a`, body, { ...options, caller })).toMatchObject(refusal("AuthorizationFailed", 403));
});
