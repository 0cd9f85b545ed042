import { expect, test } from "vitest";
import { ArmState, subscription } from "./arm-state.js";

const id = `${subscription}/resourceGroups/demo`;

test("a group is 201 when created, 200 when written again, and read back with its location as sent", () => {
  const arm = new ArmState();
  expect(arm.put(id, { location: "East US", tags: { a: "1" } }).status).toBe(201);
  const again = arm.put(id, { location: "eastus", tags: { b: "2" } });
  expect(again.status).toBe(200);
  expect(arm.get(`${subscription}/resourcegroups/DEMO`).body).toEqual({
    id,
    name: "demo",
    type: "Microsoft.Resources/resourceGroups",
    location: "eastus",
    tags: { b: "2" },
    properties: { provisioningState: "Succeeded" },
  });
});

test("a group is deleted in the background: 202 with Location only, then Deleting, then 404", () => {
  const arm = new ArmState();
  arm.group("demo");
  arm.seconds = { "resourceGroup.delete.base": 15 };
  const deleted = arm.delete(id);
  expect(deleted.status).toBe(202);
  expect(deleted.body).toBeUndefined();
  expect(Object.keys(deleted.headers).sort()).toEqual(["Location", "Retry-After"]);
  expect(arm.get(id)).toMatchObject({ status: 200, body: { properties: { provisioningState: "Deleting" } } });
  const location = deleted.headers["Location"] ?? "";
  expect(location.length).toBeGreaterThan(3000);
  expect(arm.get(location)).toMatchObject({ status: 202, headers: { "Retry-After": "15", Location: location } });
  arm.pass(16);
  expect(arm.get(location).status).toBe(200);
  expect(arm.get(id)).toMatchObject({ status: 404, body: { error: { code: "ResourceGroupNotFound" } } });
});
