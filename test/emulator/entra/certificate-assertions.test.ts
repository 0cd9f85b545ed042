/** Entra: tokens for assertions that a client signs with a certificate of its application, and each refusal's code. */
import { createHash } from "node:crypto";
import { ClientCertificateCredential } from "@azure/identity";
import { decodeJwt, importPKCS8, SignJWT } from "jose";
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { newCertificate, type KeyedCertificate } from "../certificate.js";
import { applicationIn, openDirectory, type Directory } from "../graph/directory.js";
import type { Reply } from "../local-server.js";
import { sdkAccess } from "../sdk-access.js";

const host = "login.microsoftonline.com";
const tokenPath = `/${wellKnown.tenantId}/oauth2/v2.0/token`;
const certificate = newCertificate();

/** An application with a service principal and these certificates. */
async function openApplication(...certificates: KeyedCertificate[]): Promise<{ directory: Directory; appId: string; id: string }> {
  const directory = await openDirectory();
  const keyCredentials = certificates.map(({ key }) => ({ type: "AsymmetricX509Cert", usage: "Verify", key }));
  const { appId, id } = applicationIn(await directory.send("POST", "applications", { displayName: "demo-cpo", keyCredentials }));
  await directory.send("POST", "servicePrincipals", { appId });
  return { directory, appId, id };
}

interface Claims {
  readonly alg?: "RS256" | "PS256";
  readonly header?: Record<string, string>;
  readonly claims?: Record<string, unknown>;
}

/** As Azure's clients sign: RS256 with `x5t` unless specified. */
async function sign(appId: string, by: KeyedCertificate, { alg = "RS256", header, claims }: Claims = {}): Promise<string> {
  const der = Buffer.from(by.key, "base64");
  const x5t = createHash("sha1").update(der).digest("base64url");
  const now = Math.floor(Date.now() / 1000);
  const all = { aud: `https://${host}${tokenPath}`, iss: appId, sub: appId, jti: "1", nbf: now, iat: now, exp: now + 600, ...claims };
  return new SignJWT(all).setProtectedHeader({ alg, typ: "JWT", ...(header ?? { x5t }) }).sign(await importPKCS8(by.privateKey, alg));
}

function exchange({ server }: Directory, appId: string, assertion: string): Promise<Reply> {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: appId,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    scope: "https://management.azure.com/.default",
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return server.call(host, tokenPath, { method: "POST", body: form.toString(), headers });
}

test("Azure's own certificate credential gets a token for each audience, and the token is the principal's", async () => {
  const { directory, appId } = await openApplication(certificate);
  const { options } = sdkAccess(directory.server);
  const credential = new ClientCertificateCredential(
    wellKnown.tenantId,
    appId,
    { certificate: certificate.pem },
    { ...options, disableInstanceDiscovery: true, sendCertificateChain: true },
  );
  for (const audience of ["https://management.azure.com", "https://vault.azure.net"]) {
    const { token } = await credential.getToken(`${audience}/.default`);
    expect(decodeJwt(token)).toMatchObject({ aud: audience, appid: appId, appidacr: "2" });
  }
});

test("both signatures and both thumbprints are accepted, and an assertion may be reused", async () => {
  const { directory, appId } = await openApplication(newCertificate(), certificate);
  const sha256 = createHash("sha256").update(Buffer.from(certificate.key, "base64")).digest("base64url");
  const assertion = await sign(appId, certificate, { alg: "PS256", header: { "x5t#S256": sha256 } });
  expect(await exchange(directory, appId, assertion)).toMatchObject({ status: 200 });
  expect(await exchange(directory, appId, assertion)).toMatchObject({ status: 200 });
  expect(await exchange(directory, appId, await sign(appId, certificate, { header: { kid: certificate.thumbprint } }))).toMatchObject({
    status: 200,
  });
});

const elsewhere = { aud: "https://login.microsoftonline.com/common/oauth2/v2.0/token" };
const hour = 3600;
const seconds = Math.floor(Date.now() / 1000);

test.each<[string, Claims, number, string]>([
  ["for another audience", { claims: elsewhere }, 700023, "audience claim does not match"],
  ["of another subject", { claims: { sub: wellKnown.clientId } }, 700021, "doesn't match 'client_id'"],
  ["that is over", { claims: { nbf: seconds - 2 * hour, exp: seconds - hour } }, 700024, "not within its valid time range"],
  ["that begins later", { claims: { nbf: seconds + hour, exp: seconds + 2 * hour } }, 700024, "not within its valid time range"],
  [
    "of a key that is not registered",
    { header: { x5t: "AAAA" } },
    700027,
    "[Reason - The key was not found., Thumbprint of key used by client: '000000'",
  ],
  ["that names no key", { header: {} }, 700027, "[Reason - The key was not found., Please visit"],
  ["without an end", { claims: { exp: undefined } }, 50027, "JWT token is invalid or malformed"],
])("an assertion %s is refused with Entra's code", async (_, changes, number, sentence) => {
  const { directory, appId } = await openApplication(certificate);
  expect(await exchange(directory, appId, await sign(appId, certificate, changes))).toMatchObject({
    status: 401,
    body: { error: "invalid_client", error_codes: [number], error_description: expect.stringContaining(sentence) },
  });
});

test("a signature by another key, and a text that is not an assertion, are refused", async () => {
  const { directory, appId } = await openApplication(certificate);
  const assertion = await sign(appId, { ...certificate, privateKey: newCertificate().privateKey });
  expect(await exchange(directory, appId, assertion)).toMatchObject({
    body: {
      error_codes: [700027],
      error_description: expect.stringContaining("The provided signature value did not match the expected signature value."),
    },
  });
  expect(await exchange(directory, appId, "a.b.c")).toMatchObject({ body: { error_codes: [50027] } });
});

test.each([
  ["over", { from: -30, to: -1 }],
  ["yet to begin", { from: 1, to: 30 }],
])("a certificate that is %s is refused as expired", async (_, days) => {
  const other = newCertificate(days);
  const { directory, appId } = await openApplication(other);
  expect(await exchange(directory, appId, await sign(appId, other))).toMatchObject({
    body: { error_codes: [700027], error_description: expect.stringContaining("[Reason - The key used is expired.") },
  });
});

test("a certificate is accepted only some time after it was added, and not after it was removed", async () => {
  const { directory, appId, id } = await openApplication(certificate);
  const assertion = await sign(appId, certificate);
  await seedState(directory.server.directory, { knobs: { credentialLagSeconds: 3600 } });
  expect(await exchange(directory, appId, assertion)).toMatchObject({ body: { error_codes: [700027] } });
  await seedState(directory.server.directory, { knobs: { credentialLagSeconds: 0 } });
  expect(await exchange(directory, appId, assertion)).toMatchObject({ status: 200 });
  await directory.send("PATCH", `applications/${id}`, { keyCredentials: [] });
  expect(await exchange(directory, appId, assertion)).toMatchObject({ body: { error_codes: [700027] } });
});

test("an application without a service principal is not in the tenant", async () => {
  const directory = await openDirectory();
  const { appId } = applicationIn(await directory.send("POST", "applications", { displayName: "demo" }));
  expect(await exchange(directory, appId, await sign(appId, certificate))).toMatchObject({ status: 400, body: { error_codes: [700016] } });
});
