/** The record of traffic: every request, but no credential, in whatever form it is sent or answered. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seedState, stateSnapshot, wellKnown } from "../../src/emulator/index.js";
import { maskBody } from "../../src/emulator/core/traffic-record.js";
import type { ApiRequest } from "../../src/emulator/core/service.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";
import { openLocalServer } from "./local-server.js";

const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/demo`;
const account = `${group}/providers/Microsoft.Storage/storageAccounts/demo`;
const cluster = `${group}/providers/Microsoft.ContainerService/managedClusters/demo`;
const blobs = "demo.blob.core.windows.net";
const arm = "management.azure.com";
const vault = "demo-vault.vault.azure.net";

async function recordedServer() {
  const directory = temporaryDirectory().path;
  const record = join(directory, "traffic.ndjson");
  const server = await openLocalServer({ directory, environment: { ARO_HCP_LOCAL_RECORD: record } });
  await seedState(directory, {
    resources: {
      [group]: { location: "eastus" },
      [account]: { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: { allowBlobPublicAccess: true } },
      [`${group}/providers/Microsoft.KeyVault/vaults/demo-vault`]: {
        location: "eastus",
        properties: { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true },
      },
    },
    roleAssignments: [
      { scope: account, role: "ba92f5b4-2d11-453d-a403-e96b0029c9fe", principalId: wellKnown.clientPrincipalId },
      { scope: group, role: "00482a5a-887f-4fb3-b363-3b7fe8e74483", principalId: wellKnown.clientPrincipalId },
    ],
  });
  return { server, text: () => readFileSync(record, "utf8") };
}

test("the record has no password of an application, no delegation key and no signature of a shared URL", async () => {
  const { server, text } = await recordedServer();
  const graph = await server.token("https://graph.microsoft.com");
  const post = { method: "POST", token: graph };
  const made = await server.call("graph.microsoft.com", "/v1.0/applications", { ...post, body: { displayName: "demo" } });
  const { id } = made.body as { id: string };
  const added = await server.call("graph.microsoft.com", `/v1.0/applications/${id}/addPassword`, {
    ...post,
    body: { passwordCredential: { displayName: "ci" } },
  });
  const storage = await server.token("https://storage.azure.com");
  const keyInfo = `<KeyInfo><Start>${new Date().toISOString()}</Start><Expiry>${new Date(Date.now() + 60_000).toISOString()}</Expiry></KeyInfo>`;
  const headers = { "x-ms-version": "2025-07-05" };
  const delegation = await server.call(blobs, "/?restype=service&comp=userdelegationkey", {
    ...{ method: "POST", token: storage, headers, body: keyInfo },
  });
  await server.call(blobs, "/oidc/a?sv=2025-07-05&sig=c2lnbmF0dXJl&sp=r");
  const [, key = "no key"] = /<Value>([^<]+)/.exec(String(delegation.body)) ?? [];
  const { secretText } = added.body as { secretText: string };
  expect([delegation.status, added.status, key.length]).toEqual([200, 200, 44]);
  for (const secret of [secretText, key, "c2lnbmF0dXJl"]) expect(text()).not.toContain(secret);
  expect(text()).toContain("sig=***&sp=r");
});

test("the record has nothing that was sent to a vault as a secret, also if it was refused", async () => {
  const { server, text } = await recordedServer();
  const token = await server.token("https://vault.azure.net");
  const secret = "hush-hush";
  const put = { method: "PUT", token, headers: { "content-type": "application/json" } };
  const bodies = [
    JSON.stringify({ value: secret }),
    `\uFEFF${JSON.stringify({ value: secret })}`,
    `{"value": ${secret}}`,
    JSON.stringify({ Value: secret }),
    JSON.stringify({ value: [secret] }),
    JSON.stringify({ value: { a: secret } }),
    JSON.stringify([secret]),
    JSON.stringify(secret),
  ];
  const statuses: number[] = [];
  for (const body of bodies) statuses.push((await server.call(vault, "/secrets/a?api-version=7.5", { ...put, body })).status);
  expect(statuses).toEqual([200, ...bodies.slice(1).map(() => 400)]);
  expect(text()).not.toContain(secret);
});

test("a version that the emulator does not know is in the record and counted in the state, also if the request was refused", async () => {
  const { server, text } = await recordedServer();
  const token = await server.token();
  const get = async (version: string, name: string) =>
    (await server.call(arm, `${group}/providers/Microsoft.Storage/storageAccounts/${name}?api-version=${version}`, { token })).status;
  expect([await get("2099-01-01", "demo"), await get("2099-01-01", "nowhere"), await get("2025-08-01", "demo")]).toEqual([200, 404, 200]);
  const lines = text().trim().split("\n").slice(-3);
  expect(lines.map((line) => (JSON.parse(line) as { answeredAs?: string }).answeredAs)).toEqual(["2025-08-01", "2025-08-01", undefined]);
  expect((await stateSnapshot(server.directory)).answeredVersions).toEqual([
    { type: "Microsoft.Storage/storageAccounts", version: "2099-01-01", answeredAs: "2025-08-01", requests: 2 },
  ]);
});

test("the record has no password of a user", async () => {
  const { server, text } = await recordedServer();
  const form = "grant_type=password&client_id=a&username=b&password=hush-hush&scope=c";
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  await server.call("login.microsoftonline.com", `/${wellKnown.tenantId}/oauth2/v2.0/token`, { method: "POST", headers, body: form });
  expect(text()).toContain("grant_type");
  expect(text()).not.toContain("hush-hush");
});

const requestTo = (method: ApiRequest["method"], host: string, target: string): ApiRequest => ({
  ...{ method, host, target, path: target.split("/").slice(1), query: new URLSearchParams(), headers: {}, body: undefined },
});

test.each([
  ["a kubeconfig of Azure Red Hat OpenShift", requestTo("POST", arm, `${cluster}/listAdminCredentials`), { kubeconfig: "x" }],
  ["a secret in Resource Manager", requestTo("PUT", arm, `${group}/vaults/a/secrets/b`), { properties: { value: "x" } }],
  ["parameters of a deployment", requestTo("PUT", arm, `${group}/deployments/a`), { properties: { parameters: { a: { value: "x" } } } }],
  ["settings of an extension", requestTo("PUT", arm, cluster), { properties: { configurationProtectedSettings: { a: "x" } } }],
  ["a client secret", requestTo("PUT", arm, cluster), { properties: { servicePrincipalProfile: { clientId: "a", secret: "x" } } }],
  ["an imported key", requestTo("PUT", vault, "/keys/a"), { key: { kty: "RSA", n: "a", d: "x", p: "x" } }],
])("%s is masked, and what is beside it is not", (_name, request, body) => {
  expect(JSON.stringify(maskBody(request, body))).toBe(JSON.stringify(body).replaceAll('"x"', '"***"'));
});

test("a kubeconfig is masked in base64, as it is described", () => {
  const answered = { kubeconfigs: [{ name: "a", value: "x" }] };
  const masked = maskBody(requestTo("POST", arm, `${cluster}/listClusterAdminCredential`), answered);
  expect(masked).toEqual({ kubeconfigs: [{ name: "a", value: Buffer.from("***").toString("base64") }] });
});

test("lists of a vault stay as they are", () => {
  const body = { value: [{ id: "https://demo-vault.vault.azure.net/secrets/a", attributes: { enabled: true } }], nextLink: null };
  expect(maskBody(requestTo("GET", vault, "/secrets"), body)).toEqual(body);
});
