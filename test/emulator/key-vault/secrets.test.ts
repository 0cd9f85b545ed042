import { beforeEach, expect, test } from "vitest";
import { refusal, vaultUrl, VaultState } from "./vault-state.js";

let state: VaultState;
const set = (name: string, body: object = { value: "x" }) => state.send("PUT", `/secrets/${name}`, { body });
const versionOf = ({ body }: { body: unknown }): string => (body as { id: string }).id.split("/").at(-1) ?? "";

beforeEach(async () => {
  state = await VaultState.open();
});

test("a secret is answered with its version, times and tags", async () => {
  const attributes = { nbf: 1_700_000_000, exp: 1_800_000_000 };
  const answer = await set("demo-cpo", { value: "{}", contentType: "application/json", attributes, tags: { a: "1" } });
  const now = state.arm.now / 1000;
  const version = versionOf(answer);
  expect(version).toMatch(/^[0-9a-f]{32}$/);
  expect(answer).toMatchObject({
    status: 200,
    body: {
      id: `${vaultUrl}/secrets/demo-cpo/${version}`,
      value: "{}",
      contentType: "application/json",
      tags: { a: "1" },
      attributes: { ...attributes, enabled: true, created: now, updated: now, recoveryLevel: "Recoverable+Purgeable", recoverableDays: 90 },
    },
  });
  expect((await state.get(`/secrets/DEMO-cpo/${version}`)).body).toEqual(answer.body);
  expect(Object.values(state.state.operationLog).at(-1)).toMatchObject({ resource: `${vaultUrl}/secrets/demo-cpo`, verb: "PUT" });
});

test("the last version is the current one; others are read by their IDs, and lists contain no values", async () => {
  const first = versionOf(await set("a", { value: "one" }));
  await set("a", { value: "two" });
  expect((await state.get("/secrets/a")).body).toMatchObject({ value: "two" });
  expect((await state.get(`/secrets/a/${first}`)).body).toMatchObject({ value: "one" });
  expect(await state.get(`/secrets/a/${"0".repeat(32)}`)).toMatchObject(refusal(404, "SecretNotFound"));
  const versions = await state.get("/secrets/a/versions");
  expect((versions.body as { value: object[] }).value).toHaveLength(2);
  expect(JSON.stringify([versions, await state.get("/secrets")])).not.toContain("two");
});

test("an update changes what it names, and not the value", async () => {
  const version = versionOf(await set("a", { value: "one", tags: { a: "1" }, contentType: "text/plain" }));
  const changed = await state.send("PATCH", `/secrets/a/${version}`, { body: { attributes: { enabled: false } } });
  expect(changed).toMatchObject({ status: 200, body: { tags: { a: "1" }, contentType: "text/plain", attributes: { enabled: false } } });
  expect(changed.body).not.toHaveProperty("value");
  expect(await state.get("/secrets/a")).toMatchObject(refusal(403, "Forbidden", "SecretDisabled"));
});

test("a secret outside its validity times can still be read", async () => {
  await set("a", { value: "x", attributes: { nbf: 1, exp: 2 } });
  expect(await state.get("/secrets/a")).toMatchObject({ status: 200, body: { value: "x" } });
});

test.each([
  ["times the wrong way round", { value: "x", attributes: { nbf: 2, exp: 1 } }],
  ["a value that is too long", { value: "x".repeat(25_601) }],
  ["no value", {}],
  ["an unknown member", { value: "x", gold: true }],
  ["too many tags", { value: "x", tags: Object.fromEntries(Array.from({ length: 16 }, (_, n) => [`t${String(n)}`, ""])) }],
])("a secret with %s is refused", async (_what, body) => {
  expect(await set("a", body)).toMatchObject(refusal(400, "BadParameter"));
});

test("lists have pages of at most 25", async () => {
  for (let n = 0; n < 30; n++) await set(`s-${String(n)}`);
  const first = await state.get("/secrets");
  const { value, nextLink = "" } = first.body as { value: unknown[]; nextLink?: string };
  expect(value).toHaveLength(25);
  const second = (await state.get(nextLink)).body as { value: unknown[]; nextLink?: string };
  expect(second.value).toHaveLength(5);
  expect(second.nextLink).toBeUndefined();
  expect(((await state.get("/secrets?maxresults=3")).body as { value: unknown[] }).value).toHaveLength(3);
  expect(await state.get("/secrets?maxresults=26")).toMatchObject(refusal(400, "BadParameter"));
});

test("the last page has a link of null in older versions, and none in those that describe it", async () => {
  expect((await state.send("GET", "/secrets", { apiVersion: "7.4" })).body).toEqual({ value: [], nextLink: null });
  expect((await state.get("/secrets")).body).toEqual({ value: [] });
});

test("a deletion takes time; then the name is kept until the secret is recovered or purged", async () => {
  state.arm.seconds = { "vaultObject.delete": 5 };
  await set("a", { value: "one" });
  const deleted = await state.send("DELETE", "/secrets/a");
  expect(deleted).toMatchObject({ status: 200, body: { recoveryId: `${vaultUrl}/deletedsecrets/a` } });
  expect(await state.get("/secrets/a")).toMatchObject(refusal(404, "SecretNotFound"));
  expect(await state.get("/deletedsecrets/a")).toMatchObject(refusal(404, "SecretNotFound"));
  expect(await state.send("DELETE", "/deletedsecrets/a")).toMatchObject(refusal(409, "Conflict", "ObjectIsBeingDeleted"));
  expect(await set("a")).toMatchObject(refusal(409, "Conflict", "ObjectIsBeingDeleted"));
  state.arm.pass(5);
  expect(await state.get("/deletedsecrets/a")).toMatchObject({ status: 200 });
  expect(await set("a")).toMatchObject(refusal(409, "Conflict", "ObjectIsDeletedButRecoverable"));
  expect(await state.send("POST", "/deletedsecrets/a/recover")).toMatchObject({ status: 200 });
  expect((await state.get("/secrets/a")).body).toMatchObject({ value: "one" });
  expect(await state.send("POST", "/deletedsecrets/a/recover")).toMatchObject(
    refusal(400, "MethodNotAllowed", "RequestNotAllowedOnNonDeletedObject"),
  );
  await state.send("DELETE", "/secrets/a");
  state.arm.pass(5);
  expect(await state.send("DELETE", "/deletedsecrets/a")).toMatchObject({ status: 204 });
  expect(await set("a")).toMatchObject({ status: 200 });
});

test("purge protection forbids a purge, and a short retention is answered", async () => {
  state = await VaultState.open({ enablePurgeProtection: true, softDeleteRetentionInDays: 7 });
  const answer = await set("a");
  expect(answer.body).toMatchObject({ attributes: { recoveryLevel: "CustomizedRecoverable", recoverableDays: 7 } });
  await state.send("DELETE", "/secrets/a");
  expect(await state.send("DELETE", "/deletedsecrets/a")).toMatchObject(refusal(403, "Forbidden"));
});

test("a secret may have a name of Object.prototype", async () => {
  expect(await state.get("/secrets/constructor")).toMatchObject(refusal(404, "SecretNotFound"));
  expect(await set("constructor")).toMatchObject({ status: 200 });
  expect(await state.get("/secrets/constructor")).toMatchObject({ status: 200, body: { value: "x" } });
});
