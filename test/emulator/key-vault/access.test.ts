import { expect, test } from "vitest";
import { sampleUuid } from "../../../src/emulator/state/sampling.js";
import { wellKnown } from "../../../src/emulator/state/well-known.js";
import { refusal, VaultState } from "./vault-state.js";

const secretsUser = "4633458b-17de-408a-b874-0445c86b69e6";
const certificatesOfficer = "a4417e6f-fecd-4de8-b567-7b0420556985";
const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";

test("a request without a token learns where to get one", async () => {
  const state = await VaultState.open();
  const answer = await state.send("GET", "/secrets/a", { headers: {} });
  expect(answer).toMatchObject({
    ...refusal(401, "Unauthorized"),
    headers: {
      "www-authenticate": `Bearer authorization="https://login.microsoftonline.com/${state.state.tenantId}", resource="https://vault.azure.net"`,
    },
  });
  expect(JSON.stringify(answer.body)).toContain("AKV10000: Request is missing a Bearer or PoP token.");
});

test("a token for another audience, an old one and a forged one are refused", async () => {
  const state = await VaultState.open();
  const send = async (token: string) => state.send("GET", "/secrets/a", { headers: { authorization: `Bearer ${token}` } });
  const other = await send(state.tokenFor("https://management.azure.com"));
  expect(JSON.stringify(other.body)).toContain(
    "AKV10022: Invalid audience. Expected https://vault.azure.net, found: https://management.azure.com.",
  );
  expect(await send(`${state.token}x`)).toMatchObject(refusal(401, "Unauthorized"));
  state.arm.pass(3600);
  expect(await send(state.token)).toMatchObject(refusal(401, "Unauthorized"));
});

test("a caller needs a data action: rights on the vault do not include its content", async () => {
  const state = await VaultState.open({ role: contributor });
  const refused = await state.send("PUT", "/secrets/a", { body: { value: "x" } });
  expect(refused).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
  const { message } = (refused.body as { error: { message: string } }).error;
  expect(message).toContain("Caller is not authorized to perform action on resource.\r\nIf role assignments");
  expect(message).toContain("Action: 'Microsoft.KeyVault/vaults/secrets/setSecret/action'");
});

test("a secrets reader reads and does not write; a certificates officer sees no secret", async () => {
  const state = await VaultState.open({ role: secretsUser });
  expect(await state.get("/secrets/a")).toMatchObject(refusal(404, "SecretNotFound"));
  expect(await state.get("/secrets")).toMatchObject({ status: 200, body: { value: [] } });
  expect(await state.send("PUT", "/secrets/a", { body: { value: "x" } })).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
  const officer = await VaultState.open({ role: certificatesOfficer });
  expect(await officer.get("/certificates/a")).toMatchObject(refusal(404, "CertificateNotFound"));
  expect(await officer.get("/secrets/a")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
});

test("a right on one secret applies to that secret alone", async () => {
  const state = await VaultState.open({ role: contributor });
  state.grant(secretsUser, `${state.vault}/secrets/mine`);
  expect(await state.get("/secrets/mine")).toMatchObject({ status: 404 });
  expect(await state.get("/secrets/other")).toMatchObject({ status: 403 });
});

test("a new role assignment reaches the vault only after a while", async () => {
  const state = await VaultState.open({ role: contributor });
  state.arm.seconds = { "rbac.propagation": 90 };
  state.grant(secretsUser);
  state.arm.pass(89);
  expect(await state.get("/secrets/a")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
  state.arm.pass(1);
  expect(await state.get("/secrets/a")).toMatchObject(refusal(404, "SecretNotFound"));
});

test("a vault that is missing, not ready or deleted has no address", async () => {
  const state = await VaultState.open();
  expect(await state.send("GET", "https://none.vault.azure.net/secrets")).toMatchObject(refusal(502, "HostNotResolved"));
  state.arm.seconds = { "keyVault.put": 30 };
  const properties = { tenantId: state.state.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
  state.arm.put(state.vault.replace("demo-vault", "other-vault"), { location: "eastus", properties });
  expect(await state.send("GET", "https://other-vault.vault.azure.net/secrets")).toMatchObject({ status: 502 });
  state.arm.pass(30);
  // No request to Azure Resource Manager in between.
  expect(await state.send("GET", "https://other-vault.vault.azure.net/secrets")).toMatchObject({ status: 403 });
  state.arm.delete(state.vault);
  expect(await state.get("/secrets")).toMatchObject({ status: 502 });
});

test("the content of a deleted vault is recovered with it, and deleted by a purge", async () => {
  const state = await VaultState.open();
  const administrator = "00482a5a-887f-4fb3-b363-3b7fe8e74483";
  await state.send("PUT", "/secrets/a", { body: { value: "x" } });
  const body = { location: "eastus", properties: { tenantId: state.state.tenantId, sku: { family: "A", name: "standard" } } };
  state.arm.delete(state.vault);
  state.arm.put(state.vault, { ...body, properties: { ...body.properties, createMode: "recover" } });
  expect(await state.get("/secrets/a")).toMatchObject({ status: 403 });
  state.grant(administrator);
  expect(await state.get("/secrets/a")).toMatchObject({ status: 200, body: { value: "x" } });
  state.arm.delete(state.vault);
  const { subscriptions } = state.state;
  const subscription = `/subscriptions/${subscriptions[0]?.subscriptionId ?? ""}`;
  state.arm.send("POST", `${subscription}/providers/Microsoft.KeyVault/locations/eastus/deletedVaults/demo-vault/purge`);
  state.arm.put(state.vault, body);
  state.grant(administrator);
  expect(await state.get("/secrets/a")).toMatchObject(refusal(404, "SecretNotFound"));
});

test("what is not emulated, and versions that do not exist, are refused", async () => {
  const state = await VaultState.open();
  for (const target of ["/certificates/contacts", "/storage"]) {
    expect(await state.get(target)).toMatchObject(refusal(501, "NotImplementedByEmbeddedAzure"));
  }
  expect(await state.send("GET", "/secrets", { apiVersion: "2001-01-01" })).toMatchObject(refusal(400, "BadParameter"));
  expect(await state.send("GET", "/secrets", { apiVersion: "7.6" })).toMatchObject({ status: 200 });
  expect(await state.get(`/secrets/${sampleUuid(state.state)}_`)).toMatchObject(refusal(400, "BadParameter"));
});

const policyOf = (permissions: object, more: object = {}) => ({
  tenantId: wellKnown.tenantId,
  objectId: wellKnown.clientPrincipalId,
  permissions,
  ...more,
});
const byPolicies = (...accessPolicies: object[]) => VaultState.open({ enableRbacAuthorization: false, accessPolicies });
const refusedByPolicy = refusal(403, "Forbidden", "ForbiddenByPolicy");

test("a vault that is governed by access policies permits what they name, and roles nothing", async () => {
  expect(await (await byPolicies()).get("/secrets")).toMatchObject(refusedByPolicy);
  const opened = await byPolicies(policyOf({ secrets: ["Get", "set"], keys: ["all"], certificates: ["getissuers"] }));
  expect(await opened.send("PUT", "/secrets/a", { body: { value: "x" } })).toMatchObject({ status: 200 });
  expect(await opened.get("/secrets/a")).toMatchObject({ status: 200 });
  expect(await opened.get("/secrets")).toMatchObject(refusedByPolicy);
  expect(await opened.send("DELETE", "/secrets/a")).toMatchObject(refusedByPolicy);
  expect(await opened.get("/keys")).toMatchObject({ status: 200 });
  expect(await opened.get("/certificates")).toMatchObject(refusedByPolicy);
  expect(await opened.get("/certificates/issuers/none")).toMatchObject({ status: 404 });
  const message = expect.stringContaining("does not have certificates listissuers permission on key vault 'demo-vault") as string;
  expect(await opened.get("/certificates/issuers")).toMatchObject({ status: 403, body: { error: { message } } });
});

test("an access policy for an application that acts for the principal does not permit the principal itself", async () => {
  const opened = await byPolicies(policyOf({ secrets: ["all"] }, { applicationId: wellKnown.clientId }));
  expect(await opened.get("/secrets")).toMatchObject(refusedByPolicy);
});

test("access policies are added to, replaced and removed one by one", async () => {
  const opened = await byPolicies(policyOf({ secrets: ["list"] }));
  const write = (operation: string, permissions: object) => {
    const body = { properties: { accessPolicies: [policyOf(permissions)] } };
    return opened.arm.send("PUT", `${opened.vault}/accessPolicies/${operation}`, body).body;
  };
  const only = (permissions: object) => ({ properties: { accessPolicies: [{ permissions }] } });
  expect(write("add", { secrets: ["get"] })).toMatchObject(only({ secrets: ["list", "get"] }));
  expect(write("replace", { keys: ["get"], secrets: ["get"] })).toMatchObject(only({ keys: ["get"], secrets: ["get"] }));
  expect(write("remove", { keys: ["get"] })).toMatchObject(only({ secrets: ["get"] }));
  expect(await opened.get("/secrets")).toMatchObject(refusedByPolicy);
  expect(write("remove", { secrets: ["Get"] })).toMatchObject({ properties: { accessPolicies: [] } });
  expect(opened.arm.get(opened.vault).body).toMatchObject({ properties: { accessPolicies: [] } });
  expect(opened.arm.send("PUT", `${opened.vault}/accessPolicies/grant`, {}, { unrecorded: true }).status).toBe(400);
});

test("the first version has no days of recovery", async () => {
  const opened = await VaultState.open();
  const days = async (apiVersion: string) =>
    (await opened.send("PUT", "/secrets/a", { body: { value: "x" }, apiVersion })).body as { attributes: object };
  expect((await days("7.0")).attributes).not.toHaveProperty("recoverableDays");
  expect((await days("7.1")).attributes).toMatchObject({ recoverableDays: 90 });
});

test("network rules admit only the addresses they name", async () => {
  const closed = await VaultState.open({ networkAcls: { defaultAction: "Deny", ipRules: [{ value: "198.51.100.0/24" }] } });
  expect(await closed.get("/secrets")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByFirewall"));
  const admitted = await VaultState.open({ networkAcls: { defaultAction: "Deny", ipRules: [{ value: "203.0.113.0/24" }] } });
  expect((await admitted.get("/secrets")).status).toBe(200);
  const disabled = await VaultState.open({ publicNetworkAccess: "Disabled" });
  expect(await disabled.get("/secrets")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByConnection"));
});
