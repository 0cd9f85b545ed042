/** Keys of a vault: their life, what they do, and the two places that show them: the vault and Resource Manager. */
import { createHash, createPublicKey, publicEncrypt, verify, type JsonWebKey } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { snapshotOf } from "../../../src/emulator/state/snapshot.js";
import { openLocalServer, recording } from "../local-server.js";
import { refusal, vaultUrl, VaultState } from "./vault-state.js";

let state: VaultState;

beforeEach(async () => {
  state = await VaultState.open();
});

interface KeyBundle {
  readonly key: JsonWebKey & { readonly kid: string };
}

const create = async (name: string, body: object = { kty: "RSA" }): Promise<KeyBundle> =>
  (await state.send("POST", `/keys/${name}/create`, { body })).body as KeyBundle;
const idOf = ({ key }: KeyBundle): string => key.kid.slice(vaultUrl.length);
const kidsIn = async (target: string): Promise<string[]> =>
  ((await state.get(target)).body as { value: { kid: string }[] }).value.map(({ kid }) => kid);

test("a key is created in versions, read, listed, changed, and shows only its public half", async () => {
  const first = await create("signer", { kty: "RSA", key_size: 2048, tags: { a: "1" }, attributes: { enabled: true } });
  expect(first).toMatchObject({
    key: { kty: "RSA", e: "AQAB", key_ops: ["encrypt", "decrypt", "sign", "verify", "wrapKey", "unwrapKey"] },
    attributes: { enabled: true, recoveryLevel: "Recoverable+Purgeable" },
    tags: { a: "1" },
  });
  expect(Object.keys(first.key).sort()).toEqual(["e", "key_ops", "kid", "kty", "n"]);
  const second = await create("signer", { kty: "RSA", key_ops: ["sign", "verify"] });
  expect((await state.get("/keys/signer")).body).toEqual(second);
  expect((await state.get(idOf(first))).body).toEqual(first);
  expect(await kidsIn("/keys")).toEqual([`${vaultUrl}/keys/signer`]);
  expect(await kidsIn("/keys/signer/versions")).toEqual([first.key.kid, second.key.kid]);
  const changed = await state.send("PATCH", idOf(first), { body: { attributes: { enabled: false } } });
  expect(changed).toMatchObject({ status: 200, body: { key: { n: first.key.n }, attributes: { enabled: false } } });
  expect(await state.send("POST", "/keys/signer/rotate")).toMatchObject({ status: 200, body: { key: { key_ops: ["sign", "verify"] } } });
  expect(await kidsIn("/keys/signer/versions")).toHaveLength(3);
  const elliptic = await create("curve", { kty: "EC", crv: "P-384" });
  expect(elliptic.key).toMatchObject({ kty: "EC", crv: "P-384", x: expect.any(String), y: expect.any(String) });
  expect(await state.send("POST", "/keys/hsm/create", { body: { kty: "RSA-HSM" } })).toMatchObject(refusal(400, "BadParameter"));
  expect(JSON.stringify(snapshotOf(state.state, state.arm.now, { operationLog: false }))).not.toContain("PRIVATE KEY");
});

test("a deleted key keeps its name until it is recovered or purged", async () => {
  const { key } = await create("a");
  state.arm.seconds = { "vaultObject.delete": 5 };
  expect(await state.send("DELETE", "/keys/a")).toMatchObject({ status: 200, body: { recoveryId: `${vaultUrl}/deletedkeys/a` } });
  expect(await state.get("/deletedkeys/a")).toMatchObject(refusal(404, "KeyNotFound"));
  state.arm.pass(5);
  expect(await kidsIn("/deletedkeys")).toEqual([`${vaultUrl}/keys/a`]);
  expect(await state.get("/keys/a")).toMatchObject(refusal(404, "KeyNotFound"));
  expect(await state.send("POST", "/keys/a/create", { body: { kty: "RSA" } })).toMatchObject(
    refusal(409, "Conflict", "ObjectIsDeletedButRecoverable"),
  );
  expect(await state.send("POST", "/deletedkeys/a/recover")).toMatchObject({ status: 200, body: { key } });
  await state.send("DELETE", "/keys/a");
  state.arm.pass(5);
  expect((await state.send("DELETE", "/deletedkeys/a")).status).toBe(204);
  expect(await kidsIn("/deletedkeys")).toEqual([]);
});

test("an RSA key signs digests, verifies signatures, and decrypts what its public half encrypts", async () => {
  const { key } = await create("a");
  const publicKey = createPublicKey({ key, format: "jwk" });
  const text = Buffer.from("what is signed");
  const digest = createHash("sha256").update(text).digest().toString("base64url");
  const signed = (await state.send("POST", "/keys/a/sign", { body: { alg: "RS256", value: digest } })).body as {
    kid: string;
    value: string;
  };
  expect(signed.kid).toBe(key.kid);
  expect(verify("sha256", text, publicKey, Buffer.from(signed.value, "base64url"))).toBe(true);
  const check = (value: string) => state.send("POST", `/keys/a/verify`, { body: { alg: "RS256", digest, value } });
  expect((await check(signed.value)).body).toEqual({ value: true });
  expect((await check(digest)).body).toEqual({ value: false });
  const secret = Buffer.from("secret");
  const encrypted = publicEncrypt({ key: publicKey, oaepHash: "sha256" }, secret).toString("base64url");
  const unwrapped = await state.send("POST", `${key.kid.slice(vaultUrl.length)}/unwrapkey`, {
    body: { alg: "RSA-OAEP-256", value: encrypted },
  });
  expect(unwrapped.body).toEqual({ kid: key.kid, value: secret.toString("base64url") });
  expect(await state.send("POST", "/keys/a/sign", { body: { alg: "PS256", value: digest } })).toMatchObject({ status: 501 });
  await state.send("PATCH", "/keys/a", { body: { key_ops: ["verify"] } });
  expect(await state.send("POST", "/keys/a/sign", { body: { alg: "RS256", value: digest } })).toMatchObject(
    refusal(403, "Forbidden", "KeyOperationForbidden"),
  );
});

test("Resource Manager shows the vault's keys, and the vault has those that Resource Manager created", async () => {
  const { key } = await create("mine");
  const shown = state.arm.get(`${state.vault}/keys/mine`);
  expect(shown).toMatchObject({ status: 200, body: { properties: { kty: "RSA", keyUriWithVersion: key.kid } } });
  const made = state.arm.put(`${state.vault}/keys/theirs`, { properties: { kty: "RSA" } }).body as {
    properties: { keyUriWithVersion: string };
  };
  expect((await state.get("/keys/theirs")).body).toMatchObject({ key: { kid: made.properties.keyUriWithVersion, e: "AQAB" } });
  expect((await state.get("/keys/theirs")).body).toEqual((await state.get("/keys/theirs")).body);
  await state.send("DELETE", "/keys/mine");
  expect(state.arm.get(`${state.vault}/keys/mine`).status).toBe(404);
});

test("a certificate's key is used like any other, and changed only through its certificate", async () => {
  await state.createCertificate("demo");
  const { kid, sid } = (await state.get("/certificates/demo")).body as { kid: string; sid: string };
  expect((await state.get("/keys/demo")).body).toMatchObject({ key: { kid, kty: "RSA" }, managed: true });
  expect(sid.replace("/secrets/", "/keys/")).toBe(kid);
  expect(await state.send("DELETE", "/keys/demo")).toMatchObject(refusal(403, "Forbidden"));
  expect(await state.send("POST", "/keys/demo/create", { body: { kty: "RSA" } })).toMatchObject(refusal(403, "Forbidden"));
});

test("a certificate cannot take the name of a key, nor of a deleted one", async () => {
  await state.send("POST", "/keys/taken/create", { body: { kty: "RSA" } });
  const body = { policy: { issuer: { name: "Self" }, x509_props: { subject: "CN=taken", validity_months: 12 } } };
  const create = () => state.send("POST", "/certificates/taken/create", { body });
  expect(await create()).toMatchObject(refusal(409, "Conflict", "ObjectExists"));
  await state.send("DELETE", "/keys/taken");
  expect((await create()).status).toBe(409);
  expect((await state.get("/certificates/taken")).status).toBe(404);
});

test("a secrets officer sees no key", async () => {
  const officer = await VaultState.open({ role: "b86a8fe4-44ce-4948-aee5-eccb2c155cd7" });
  expect(await officer.get("/keys")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
});

test("a server answers what a client of keys asks, with an empty segment in place of a version", async () => {
  const server = await openLocalServer({ environment: recording() });
  const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/keys`;
  const vault = `${group}/providers/Microsoft.KeyVault/vaults/demo-keys`;
  const management = { method: "PUT", token: await server.token() };
  await server.call("management.azure.com", `${group}?api-version=2025-04-01`, { ...management, body: { location: "eastus" } });
  const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
  const body = { location: "eastus", properties };
  await server.call("management.azure.com", `${vault}?api-version=2025-05-01`, { ...management, body });
  const role = "00482a5a-887f-4fb3-b363-3b7fe8e74483";
  await seedState(server.directory, { roleAssignments: [{ scope: vault, role, principalId: wellKnown.clientPrincipalId }] });
  const token = await server.token("https://vault.azure.net");
  const call = async (method: string, path: string, sent?: object) =>
    (await server.call("demo-keys.vault.azure.net", `${path}?api-version=7.6`, { method, token, ...(sent && { body: sent }) })).status;
  const value = createHash("sha256").digest("base64url");
  expect([
    await call("POST", "/keys/a/create", { kty: "RSA", key_size: 2048, key_ops: ["sign"], attributes: { enabled: true } }),
    await call("POST", "/keys/e/create", { kty: "EC", crv: "P-256" }),
    await call("GET", "/keys/a/"),
    await call("GET", "/keys"),
    await call("GET", "/keys/a/versions"),
    await call("PATCH", "/keys/a/", { tags: { a: "1" } }),
    await call("POST", "/keys/a//sign", { alg: "RS256", value }),
    await call("POST", "/keys/a/rotate"),
    await call("DELETE", "/keys/a"),
    await call("GET", "/deletedkeys"),
    await call("GET", "/deletedkeys/a"),
    await call("POST", "/deletedkeys/a/recover"),
    await call("DELETE", "/keys/e"),
    await call("DELETE", "/deletedkeys/e"),
  ]).toEqual([...Array<number>(13).fill(200), 204]);
});

test("a rotation policy is written with the key by Resource Manager, and read and changed by the vault", async () => {
  const id = `${state.vault}/keys/etcd`;
  const rotationPolicy = { lifetimeActions: [{ trigger: { timeBeforeExpiry: "P30D" }, action: { type: "notify" } }] };
  const properties = { kty: "RSA", keySize: 2048, keyOps: ["encrypt", "decrypt"], rotationPolicy };
  const made = state.arm.put(id, { tags: { team: "etcd" }, properties });
  expect(made).toMatchObject({ status: 200, body: { tags: { team: "etcd" }, properties } });
  // "If it already exists, then the existing key is returned without any write operations being performed."
  expect(state.arm.put(id, { properties: { kty: "RSA" } }).body).toEqual(made.body);
  expect((await state.get("/keys/etcd")).body).toMatchObject({ key: { key_ops: ["encrypt", "decrypt"] }, tags: { team: "etcd" } });
  const policy = "/keys/etcd/rotationpolicy";
  const notified = [{ trigger: { timeBeforeExpiry: "P30D" }, action: { type: "Notify" } }];
  expect((await state.get(policy)).body).toMatchObject({ id: `${vaultUrl}${policy}`, lifetimeActions: notified });
  const rotated = {
    lifetimeActions: [{ trigger: { timeAfterCreate: "P90D" }, action: { type: "Rotate" } }],
    attributes: { expiryTime: "P2Y" },
  };
  expect(await state.send("PUT", policy, { body: rotated })).toMatchObject({ status: 200, body: rotated });
  expect(state.arm.get(id).body).toMatchObject({
    tags: { team: "etcd" },
    properties: { rotationPolicy: { lifetimeActions: [{ action: { type: "rotate" } }], attributes: { expiryTime: "P2Y" } } },
  });
  expect(await state.send("PUT", policy, { body: { attributes: { expiryTime: "soon" } } })).toMatchObject(refusal(400, "BadParameter"));
});

test("every key notifies a month before its end until it gets another policy; that of a certificate has none", async () => {
  await create("signer");
  const lifetimeActions = [{ trigger: { timeBeforeExpiry: "P30D" }, action: { type: "Notify" } }];
  expect((await state.get("/keys/signer/rotationpolicy")).body).toMatchObject({ lifetimeActions, attributes: {} });
  await state.createCertificate("tls");
  expect(await state.get("/keys/tls/rotationpolicy")).toMatchObject(refusal(403, "Forbidden"));
  expect(await state.get("/keys/none/rotationpolicy")).toMatchObject(refusal(404, "KeyNotFound"));
});
