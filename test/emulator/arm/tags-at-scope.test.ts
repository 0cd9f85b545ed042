import { expect, test } from "vitest";
import { ArmState, subscription } from "./arm-state.js";

const anywhere = { sourceAddressPrefix: "*", sourcePortRange: "*", destinationAddressPrefix: "*", destinationPortRange: "443" };

function tagged(): { arm: ArmState; group: string; tags: string } {
  const arm = new ArmState();
  const group = arm.group("demo", { Team: "red", keep: "1" });
  return { arm, group, tags: `${group}/providers/Microsoft.Resources/tags/default` };
}

function patch(operation: string, sent: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { arm, group, tags } = tagged();
  expect(arm.send("PATCH", tags, { operation, properties: { tags: sent } }).status).toBe(200);
  return (arm.get(group).body as { tags: Readonly<Record<string, string>> }).tags;
}

test("Merge adds and changes tags, and keeps the others and the existing spelling", () => {
  expect(patch("Merge", { team: "blue", more: "2" })).toEqual({ Team: "blue", keep: "1", more: "2" });
});

test("Replace leaves only what was sent", () => {
  expect(patch("Replace", { more: "2" })).toEqual({ more: "2" });
});

test("Delete removes tags by name, or by name and value", () => {
  expect(patch("Delete", { team: "" })).toEqual({ keep: "1" });
  expect(patch("Delete", { team: "red" })).toEqual({ keep: "1" });
  expect(patch("Delete", { team: "blue" })).toEqual({ Team: "red", keep: "1" });
});

test("tags are read, replaced and deleted, and nothing else of the resource changes", () => {
  const { arm, group, tags } = tagged();
  const nsg = `${group}/providers/Microsoft.Network/networkSecurityGroups/a`;
  const at = `${nsg}/providers/Microsoft.Resources/tags/default`;
  expect(arm.get(tags, { apiVersion: "2025-04-01" })).toMatchObject({ body: { properties: { tags: { Team: "red", keep: "1" } } } });
  const rule = { name: "a", properties: { protocol: "Tcp", access: "Allow", direction: "Inbound", priority: 100, ...anywhere } };
  arm.put(nsg, { location: "eastus", tags: { a: "1" }, properties: { securityRules: [rule] } });
  const before = arm.get(nsg).body as { etag: string };
  arm.put(at, { properties: { tags: { b: "2" } } }, { apiVersion: "2025-04-01" });
  const after = arm.get(nsg).body as { etag: string };
  expect(after).toMatchObject({ tags: { b: "2" }, properties: { securityRules: [{ name: "a" }] } });
  expect(after.etag).not.toBe(before.etag);
  expect(arm.delete(at, { apiVersion: "2025-04-01" }).status).toBe(200);
  expect(arm.get(nsg)).toMatchObject({ body: { tags: {} } });
});

test("too many tags, and names with forbidden characters, are refused", () => {
  const { arm, tags } = tagged();
  const send = (sent: Readonly<Record<string, string>>) => arm.send("PATCH", tags, { operation: "Merge", properties: { tags: sent } });
  const many = Object.fromEntries(Array.from({ length: 49 }, (_, index) => [`tag-${String(index)}`, "x"]));
  expect(send(many)).toMatchObject({ status: 400, body: { error: { code: "TooManyTags" } } });
  expect(send({ "a/b": "x" })).toMatchObject({ status: 400, body: { error: { code: "InvalidTagNameCharacters" } } });
});

test("a subscription has tags of its own, which its resources do not share", () => {
  const { arm, group } = tagged();
  const at = `${subscription}/providers/Microsoft.Resources/tags/default`;
  const tagsOf = (id: string) => (arm.get(id, { apiVersion: "2022-12-01" }).body as { tags?: object }).tags;
  expect(arm.get(at)).toMatchObject({ status: 200, body: { id: at, properties: { tags: {} } } });
  expect(tagsOf(subscription)).toBeUndefined();
  arm.send("PATCH", at, { operation: "Merge", properties: { tags: { use: "test" } } });
  expect([tagsOf(subscription), tagsOf(group)]).toEqual([{ use: "test" }, { Team: "red", keep: "1" }]);
  expect(arm.delete(at).status).toBe(200);
  expect(tagsOf(subscription)).toBeUndefined();
});
