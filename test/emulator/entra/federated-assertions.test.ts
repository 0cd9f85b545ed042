/** Entra: tokens for a trusted issuer's assertions about a managed identity, verified with its published keys, and each refusal's code. */
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ClientAssertionCredential } from "@azure/identity";
import { decodeJwt, exportJWK, importPKCS8, SignJWT } from "jose";
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../../src/emulator/index.js";
import { openLocalServer, type Reply } from "../local-server.js";
import { temporaryDirectory } from "../../harness/temporary-directory.js";
import { account, openStorage, type Storage } from "../blob/storage.js";
import { sdkAccess } from "../sdk-access.js";

const issuer = "https://demo.blob.core.windows.net/oidc";
const subject = "system:serviceaccount:openshift-cluster-csi-drivers:azure-disk-csi-driver-operator";
const clientId = "aaaaaaaa-0000-4000-8000-00000000000d";
const principalId = "bbbbbbbb-0000-4000-8000-00000000000d";
const tokenPath = `/${wellKnown.tenantId}/oauth2/v2.0/token`;
const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/demo`;
const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/disk`;
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

const signing = { ...newKeys(), kid: "one" };

function newKeys(): { publicKey: string; privateKey: string } {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

interface Documents {
  readonly discovery?: object | undefined;
  readonly keys?: readonly object[];
}

/** An issuer in a public container, and an identity that trusts it. */
async function openIssuer({ discovery = { issuer, jwks_uri: `${issuer}/openid/v1/jwks` }, keys }: Documents = {}): Promise<Storage> {
  const storage = await openStorage();
  const jwk = { ...(await exportJWK(createPublicKey(signing.publicKey))), kid: signing.kid, alg: "RS256", use: "sig" };
  const write = (path: string, text: string) => storage.container.getBlockBlobClient(path).upload(text, text.length);
  await write(".well-known/openid-configuration", JSON.stringify(discovery));
  await write("openid/v1/jwks", JSON.stringify({ keys: keys ?? [jwk] }));
  await seedState(storage.server.directory, {
    identities: [{ id: identity, clientId, principalId }],
    roleAssignments: [{ scope: group, role: reader, principalId }],
  });
  await trust(storage, { issuer, subject, audiences: ["openshift"] });
  return storage;
}

async function trust({ server }: Storage, properties: object): Promise<void> {
  const target = `${identity}/federatedIdentityCredentials/disk?api-version=2024-11-30`;
  const reply = await server.call("management.azure.com", target, { method: "PUT", token: await server.token(), body: { properties } });
  expect(reply).toMatchObject({ status: 201 });
}

interface Claims {
  readonly claims?: Record<string, unknown>;
  readonly kid?: string;
  readonly privateKey?: string;
}

/** As kube-apiserver signs the tokens of service accounts. */
async function sign({ claims, kid = signing.kid, privateKey = signing.privateKey }: Claims = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iss: issuer, sub: subject, aud: ["openshift"], iat: now, nbf: now, exp: now + 3600, ...claims })
    .setProtectedHeader({ alg: "RS256", kid })
    .sign(await importPKCS8(privateKey, "RS256"));
}

function exchange({ server }: Storage, assertion: string, client = clientId): Promise<Reply> {
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: client,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
    scope: "https://management.azure.com/.default",
  });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return server.call("login.microsoftonline.com", tokenPath, { method: "POST", body: form.toString(), headers });
}

const refused = (status: number, number: number, sentence: string) => ({
  status,
  body: { error_codes: [number], error_description: expect.stringContaining(sentence) },
});

test("Azure's own credential gets the identity's token, which gives exactly the identity's rights in ARM", async () => {
  const storage = await openIssuer();
  const { options } = sdkAccess(storage.server);
  const credential = new ClientAssertionCredential(wellKnown.tenantId, clientId, () => sign(), {
    ...options,
    disableInstanceDiscovery: true,
  });
  const { token } = await credential.getToken("https://management.azure.com/.default");
  expect(decodeJwt(token)).toMatchObject({
    oid: principalId,
    appid: clientId,
    xms_mirid: identity.replace("resourceGroups", "resourcegroups"),
  });
  const call = (method: string) => storage.server.call("management.azure.com", `${account}?api-version=2025-01-01`, { method, token });
  expect(await call("GET")).toMatchObject({ status: 200 });
  expect(await call("DELETE")).toMatchObject({ status: 403, body: { error: { code: "AuthorizationFailed" } } });
});

const other = newKeys();
const now = Math.floor(Date.now() / 1000);

test.each<[string, Claims, number, string]>([
  ["of another issuer", { claims: { iss: "https://example.com/oidc" } }, 700211, "assertion issuer 'https://example.com/oidc'"],
  ["whose issuer ends in a slash", { claims: { iss: `${issuer}/` } }, 700211, `assertion issuer '${issuer}/'`],
  [
    "of another subject",
    { claims: { sub: "system:serviceaccount:default:x" } },
    700213,
    "assertion subject 'system:serviceaccount:default:x'",
  ],
  ["of a subject in another case", { claims: { sub: subject.toUpperCase() } }, 700213, "assertion subject"],
  ["for another audience", { claims: { aud: ["api://AzureADTokenExchange"] } }, 700212, "assertion audience 'api://AzureADTokenExchange'"],
  [
    "by a key that is not published",
    { kid: "two" },
    7000272,
    `identifier two used to sign the federated credential could not be found in the metadata of identity provider ${issuer}`,
  ],
  ["with a signature of another key", { privateKey: other.privateKey }, 700027, "did not match the expected signature value"],
  ["that is over", { claims: { nbf: now - 7200, exp: now - 3600 } }, 700024, "not within its valid time range"],
])("an assertion %s is refused with Entra's code", async (_, changes, number, sentence) => {
  expect(await exchange(await openIssuer(), await sign(changes))).toMatchObject(refused(401, number, sentence));
});

test.each<[string, Documents]>([
  ["of another issuer", { discovery: { issuer: `${issuer}/`, jwks_uri: `${issuer}/openid/v1/jwks` } }],
  ["without an address of keys", { discovery: { issuer } }],
  ["whose keys are not there", { discovery: { issuer, jwks_uri: `${issuer}/openid/v1/other` } }],
  ["whose keys are not served over HTTPS", { discovery: { issuer, jwks_uri: `${issuer.replace("https", "http")}/openid/v1/jwks` } }],
])("documents %s are no proof", async (_, documents) => {
  expect(await exchange(await openIssuer(documents), await sign())).toMatchObject(
    refused(400, 50166, "Request to External OIDC endpoint failed."),
  );
});

test("documents that are no longer public prove nothing, until they are public again", async () => {
  const storage = await openIssuer();
  const permit = async (allowBlobPublicAccess: boolean) =>
    storage.server.call("management.azure.com", `${account}?api-version=2025-01-01`, {
      method: "PATCH",
      token: await storage.server.token(),
      body: { properties: { allowBlobPublicAccess } },
    });
  await permit(false);
  expect(await exchange(storage, await sign())).toMatchObject(refused(400, 50166, "Request to External OIDC endpoint failed."));
  await permit(true);
  expect(await exchange(storage, await sign())).toMatchObject({ status: 200 });
});

test("an unreachable issuer proves nothing", async () => {
  const storage = await openIssuer();
  const nowhere = "https://demo.invalid/oidc";
  const target = `${identity}/federatedIdentityCredentials/nowhere?api-version=2024-11-30`;
  const body = { properties: { issuer: nowhere, subject, audiences: ["openshift"] } };
  await storage.server.call("management.azure.com", target, { method: "PUT", token: await storage.server.token(), body });
  expect(await exchange(storage, await sign({ claims: { iss: nowhere } }))).toMatchObject(refused(400, 50166, "External OIDC"));
});

test("an identity without a federated credential is refused with that reason", async () => {
  const storage = await openIssuer();
  const target = `${identity}/federatedIdentityCredentials/disk?api-version=2024-11-30`;
  await storage.server.call("management.azure.com", target, { method: "DELETE", token: await storage.server.token() });
  expect(await exchange(storage, await sign())).toMatchObject(
    refused(401, 70025, "The client 'disk' has no configured federated identity credentials."),
  );
});

test("a client that asks before its credential exists is refused for a while after its creation", async () => {
  const storage = await openIssuer();
  const early = await sign({ claims: { sub: "system:serviceaccount:default:early" } });
  await seedState(storage.server.directory, { knobs: { federationMissSeconds: 3600 } });
  expect(await exchange(storage, early)).toMatchObject(refused(401, 700213, "assertion subject"));
  const target = `${identity}/federatedIdentityCredentials/early?api-version=2024-11-30`;
  const body = { properties: { issuer, subject: "system:serviceaccount:default:early", audiences: ["openshift"] } };
  await storage.server.call("management.azure.com", target, { method: "PUT", token: await storage.server.token(), body });
  expect(await exchange(storage, early)).toMatchObject(refused(401, 70021, "No matching federated identity record found"));
  expect(await exchange(storage, await sign())).toMatchObject({ status: 200 });
});

test("an application trusts an issuer as an identity does, as long as it has the credential", async () => {
  const storage = await openIssuer();
  const token = await storage.server.token("https://graph.microsoft.com");
  const graph = (method: string, path: string, body?: object) =>
    storage.server.call("graph.microsoft.com", `/v1.0/${path}`, { method, token, ...(body && { body }) });
  const { id, appId } = (await graph("POST", "applications", { displayName: "demo" })).body as { id: string; appId: string };
  await graph("POST", "servicePrincipals", { appId });
  expect(await exchange(storage, await sign(), appId)).toMatchObject(refused(401, 70025, "The client 'demo'"));
  const credentials = `applications/${id}/federatedIdentityCredentials`;
  const credential = { name: "operator", issuer, subject, audiences: ["openshift"] };
  expect(await graph("POST", credentials, credential)).toMatchObject({ status: 201, body: credential });
  expect(await graph("POST", credentials, { ...credential, name: "again" })).toMatchObject({ status: 400 });
  expect(await graph("GET", credentials)).toMatchObject({ body: { value: [credential] } });
  expect(await exchange(storage, await sign(), appId)).toMatchObject({ status: 200 });
  expect(await graph("DELETE", `${credentials}/operator`)).toMatchObject({ status: 204 });
  expect(await exchange(storage, await sign(), appId)).toMatchObject({ status: 401 });
});

test("Entra's own requests are in no record of traffic", async () => {
  const storage = await openIssuer();
  const record = join(temporaryDirectory().path, "traffic.ndjson");
  const server = await openLocalServer({ directory: storage.server.directory, environment: { ARO_HCP_LOCAL_RECORD: record } });
  expect(await exchange({ ...storage, server }, await sign())).toMatchObject({ status: 200 });
  expect(readFileSync(record, "utf8").trim().split("\n")).toHaveLength(1);
});
