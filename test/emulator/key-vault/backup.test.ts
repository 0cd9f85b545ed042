/** Backups of secrets, keys and certificates, imported certificates, and what versions of the service answer of them. */
import { createPrivateKey } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { maskBody } from "../../../src/emulator/core/traffic-record.js";
import type { ApiRequest } from "../../../src/emulator/core/service.js";
import { pemPolicy, refusal, vaultUrl, VaultState } from "./vault-state.js";

let state: VaultState;
const post = (path: string, body: object = {}) => state.send("POST", path, { body });
const valueOf = ({ body }: { body: unknown }): string => (body as { value: string }).value;

beforeEach(async () => {
  state = await VaultState.open();
});

async function removeForGood(collection: string, name: string): Promise<void> {
  expect((await state.send("DELETE", `/${collection}/${name}`)).status).toBe(200);
  expect((await state.send("DELETE", `/deleted${collection}/${name}`)).status).toBe(204);
}

test("a secret is restored with all its versions, and only where its name is free", async () => {
  for (const value of ["first", "second"]) await state.send("PUT", "/secrets/a", { body: { value } });
  const backup = valueOf(await post("/secrets/a/backup"));
  expect(backup).not.toContain("second");
  expect(await post("/secrets/restore", { value: backup })).toMatchObject(refusal(409, "Conflict"));
  await removeForGood("secrets", "a");
  const restored = await post("/secrets/restore", { value: backup });
  expect(restored).toMatchObject({ status: 200, body: { attributes: { enabled: true } } });
  expect(restored.body).not.toHaveProperty("value");
  expect(await state.get("/secrets/a")).toMatchObject({ body: { value: "second" } });
  expect((await state.get("/secrets/a/versions")).body).toMatchObject({ value: [{}, {}] });
});

test("what is no backup, or one of another kind, is refused", async () => {
  await state.send("PUT", "/secrets/a", { body: { value: "x" } });
  const value = valueOf(await post("/secrets/a/backup"));
  expect(await post("/keys/restore", { value })).toMatchObject(refusal(400, "BadParameter"));
  expect(await post("/secrets/restore", { value: "AAAA" })).toMatchObject(refusal(400, "BadParameter"));
});

test("a key is restored with its material, also in Resource Manager", async () => {
  await post("/keys/a/create", { kty: "EC" });
  const before = await state.get("/keys/a");
  const value = valueOf(await post("/keys/a/backup"));
  await removeForGood("keys", "a");
  expect(state.arm.get(`${state.vault}/keys/a`).status).toBe(404);
  expect((await post("/keys/restore", { value })).body).toEqual(before.body);
  expect(state.arm.get(`${state.vault}/keys/a`).status).toBe(200);
});

test("a certificate is restored with its secret", async () => {
  await state.createCertificate("a");
  await expect.poll(async () => (await state.get("/certificates/a")).status).toBe(200);
  const secret = valueOf(await state.get("/secrets/a"));
  const value = valueOf(await post("/certificates/a/backup"));
  await removeForGood("certificates", "a");
  expect(await post("/certificates/restore", { value })).toMatchObject({ status: 200, body: { policy: { issuer: { name: "Self" } } } });
  expect(valueOf(await state.get("/secrets/a"))).toBe(secret);
});

test.each(["application/x-pem-file", "application/x-pkcs12"])("a certificate in %s is imported with its key", async (contentType) => {
  await state.createCertificate("from", { policy: { ...pemPolicy, secret_props: { contentType } } });
  await expect.poll(async () => (await state.get("/certificates/from")).status).toBe(200);
  const value = valueOf(await state.get("/secrets/from"));
  const policy = { issuer: { name: "Self" }, x509_props: { subject: "CN=other" } };
  const { x5t } = (await state.get("/certificates/from")).body as { x5t: string };
  const imported = await post("/certificates/to/import", { value, policy, tags: { a: "1" } });
  expect(imported).toMatchObject({
    status: 200,
    body: {
      x5t,
      tags: { a: "1" },
      kid: expect.stringContaining(`${vaultUrl}/keys/to/`),
      policy: { secret_props: { contentType }, issuer: { name: "Self" }, x509_props: { subject: "CN=demo", validity_months: 13 } },
    },
  });
  expect((await state.get("/secrets/to")).body).toMatchObject({ contentType });
  if (contentType.endsWith("pem-file")) expect(createPrivateKey(valueOf(await state.get("/secrets/to"))).asymmetricKeyType).toBe("rsa");
  expect(await post("/certificates/to/import", { value: "AAAA" })).toMatchObject(refusal(400, "BadParameter"));
});

test("a version that is asked for by its ID has no policy, which is that of the next version", async () => {
  await state.createCertificate("a");
  await expect.poll(async () => (await state.get("/certificates/a")).status).toBe(200);
  const { id } = (await state.get("/certificates/a")).body as { id: string };
  const version = (await state.get(id.slice(vaultUrl.length))).body;
  expect(version).toHaveProperty("cer");
  expect(version).not.toHaveProperty("policy");
});

test("the key of a certificate may do what its usages allow", async () => {
  const { x509_props, ...policy } = pemPolicy;
  await state.createCertificate("a", {
    policy: { ...policy, x509_props: { ...x509_props, key_usage: ["keyEncipherment", "nonRepudiation"] } },
  });
  await expect.poll(async () => (await state.get("/certificates/a")).status).toBe(200);
  expect((await state.get("/keys/a")).body).toMatchObject({ key: { key_ops: ["sign", "verify", "wrapKey", "unwrapKey"] } });
});

test("a rotated key expires as its rotation policy says", async () => {
  await post("/keys/a/create", { kty: "EC" });
  await state.send("PUT", "/keys/a/rotationpolicy", { body: { attributes: { expiryTime: "P30D" } } });
  const exp = state.arm.now / 1000 + 30 * 24 * 3600;
  expect((await post("/keys/a/rotate")).body).toMatchObject({ attributes: { exp, hsmPlatform: "0" } });
  const old = await state.send("GET", "/keys/a", { apiVersion: "7.4" });
  expect(old.body).not.toHaveProperty("attributes.hsmPlatform");
});

test("recorded versions list certificates without what a deletion would leave", async () => {
  await state.createCertificate("a");
  await expect.poll(async () => (await state.get("/certificates/a")).status).toBe(200);
  const listed = async (apiVersion: string) => (await state.send("GET", "/certificates", { apiVersion })).body as { value: object[] };
  expect((await listed("7.4")).value[0]).toMatchObject({ subject: "" });
  expect((await listed("7.4")).value[0]).not.toHaveProperty("attributes.recoveryLevel");
  expect((await listed("7.6")).value[0]).toMatchObject({ attributes: { recoverableDays: 90 } });
});

test("the record of traffic has neither a backup nor an imported certificate", () => {
  const request = { method: "POST", host: "demo.vault.azure.net", path: ["certificates", "a", "import"] } as unknown as ApiRequest;
  expect(maskBody(request, { value: "secret", pwd: "secret" })).toEqual({ value: "***", pwd: "***" });
});
