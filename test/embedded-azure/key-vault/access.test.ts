import { expect, test } from "vitest";
import { drawUuid } from "../../../src/embedded-azure/world/draw.js";
import { refusal, VaultWorld } from "./vault-world.js";

const secretsUser = "4633458b-17de-408a-b874-0445c86b69e6";
const certificatesOfficer = "a4417e6f-fecd-4de8-b567-7b0420556985";
const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";

test("a request without a token is told where to get one", async () => {
  const world = await VaultWorld.open();
  const answer = await world.send("GET", "/secrets/a", { headers: {} });
  expect(answer).toMatchObject({
    ...refusal(401, "Unauthorized"),
    headers: {
      "www-authenticate": `Bearer authorization="https://login.microsoftonline.com/${world.world.tenantId}", resource="https://vault.azure.net"`,
    },
  });
  expect(JSON.stringify(answer.body)).toContain("AKV10000: Request is missing a Bearer or PoP token.");
});

test("a token for another audience, an old one and a forged one are refused", async () => {
  const world = await VaultWorld.open();
  const send = async (token: string) => world.send("GET", "/secrets/a", { headers: { authorization: `Bearer ${token}` } });
  const other = await send(await world.tokenFor("https://management.azure.com"));
  expect(JSON.stringify(other.body)).toContain(
    "AKV10022: Invalid audience. Expected https://vault.azure.net, found: https://management.azure.com.",
  );
  expect(await send(`${world.token}x`)).toMatchObject(refusal(401, "Unauthorized"));
  world.arm.pass(3600);
  expect(await send(world.token)).toMatchObject(refusal(401, "Unauthorized"));
});

test("a caller needs a data action: rights on the vault itself are none on what is in it", async () => {
  const world = await VaultWorld.open({ role: contributor });
  const refused = await world.send("PUT", "/secrets/a", { body: { value: "x" } });
  expect(refused).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
  const { message } = (refused.body as { error: { message: string } }).error;
  expect(message).toContain("Caller is not authorized to perform action on resource.\r\nIf role assignments");
  expect(message).toContain("Action: 'Microsoft.KeyVault/vaults/secrets/setSecret/action'");
});

test("a reader of secrets reads and does not write; an officer of certificates sees no secret", async () => {
  const world = await VaultWorld.open({ role: secretsUser });
  expect(await world.get("/secrets/a")).toMatchObject(refusal(404, "SecretNotFound"));
  expect(await world.get("/secrets")).toMatchObject({ status: 200, body: { value: [] } });
  expect(await world.send("PUT", "/secrets/a", { body: { value: "x" } })).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
  const officer = await VaultWorld.open({ role: certificatesOfficer });
  expect(await officer.get("/certificates/a")).toMatchObject(refusal(404, "CertificateNotFound"));
  expect(await officer.get("/secrets/a")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
});

test("a right on one secret reaches that secret alone", async () => {
  const world = await VaultWorld.open({ role: contributor });
  world.grant(secretsUser, `${world.vault}/secrets/mine`);
  expect(await world.get("/secrets/mine")).toMatchObject({ status: 404 });
  expect(await world.get("/secrets/other")).toMatchObject({ status: 403 });
});

test("a new role assignment reaches the vault only after a while", async () => {
  const world = await VaultWorld.open({ role: contributor });
  world.arm.seconds = { "rbac.propagation": 90 };
  world.grant(secretsUser);
  world.arm.pass(89);
  expect(await world.get("/secrets/a")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByRbac"));
  world.arm.pass(1);
  expect(await world.get("/secrets/a")).toMatchObject(refusal(404, "SecretNotFound"));
});

test("a vault that is not there, not yet ready or deleted has no address", async () => {
  const world = await VaultWorld.open();
  expect(await world.send("GET", "https://none.vault.azure.net/secrets")).toMatchObject(refusal(502, "HostNotResolved"));
  world.arm.seconds = { "keyVault.put": 30 };
  const properties = { tenantId: world.world.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
  world.arm.put(world.vault.replace("demo-vault", "other-vault"), { location: "eastus", properties });
  expect(await world.send("GET", "https://other-vault.vault.azure.net/secrets")).toMatchObject({ status: 502 });
  world.arm.pass(30);
  // Nobody asked Azure Resource Manager in between.
  expect(await world.send("GET", "https://other-vault.vault.azure.net/secrets")).toMatchObject({ status: 403 });
  world.arm.delete(world.vault);
  expect(await world.get("/secrets")).toMatchObject({ status: 502 });
});

test("the content of a deleted vault comes back with it, and is gone once it is purged", async () => {
  const world = await VaultWorld.open();
  const administrator = "00482a5a-887f-4fb3-b363-3b7fe8e74483";
  await world.send("PUT", "/secrets/a", { body: { value: "x" } });
  const body = { location: "eastus", properties: { tenantId: world.world.tenantId, sku: { family: "A", name: "standard" } } };
  world.arm.delete(world.vault);
  world.arm.put(world.vault, { ...body, properties: { ...body.properties, createMode: "recover" } });
  expect(await world.get("/secrets/a")).toMatchObject({ status: 403 });
  world.grant(administrator);
  expect(await world.get("/secrets/a")).toMatchObject({ status: 200, body: { value: "x" } });
  world.arm.delete(world.vault);
  const { subscriptions } = world.world;
  const subscription = `/subscriptions/${subscriptions[0]?.subscriptionId ?? ""}`;
  world.arm.send("POST", `${subscription}/providers/Microsoft.KeyVault/locations/eastus/deletedVaults/demo-vault/purge`);
  world.arm.put(world.vault, body);
  world.grant(administrator);
  expect(await world.get("/secrets/a")).toMatchObject(refusal(404, "SecretNotFound"));
});

test("what is not emulated, and versions that do not exist, are refused", async () => {
  const world = await VaultWorld.open();
  for (const target of ["/keys/a", "/certificates/contacts", "/certificates/issuers/a", "/storage"]) {
    expect(await world.get(target)).toMatchObject(refusal(501, "NotImplementedByEmbeddedAzure"));
  }
  expect(await world.send("GET", "/secrets", { apiVersion: "2001-01-01" })).toMatchObject(refusal(400, "BadParameter"));
  expect(await world.send("GET", "/secrets", { apiVersion: "7.6" })).toMatchObject({ status: 200 });
  expect(await world.get(`/secrets/${drawUuid(world.world)}_`)).toMatchObject(refusal(400, "BadParameter"));
});

test("a vault that decides by access policies has none here, and lets nobody in", async () => {
  const byPolicies = await VaultWorld.open({ enableRbacAuthorization: false });
  expect(await byPolicies.get("/secrets")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByPolicy"));
});

test("network rules let nobody in but whom they name", async () => {
  const closed = await VaultWorld.open({ networkAcls: { defaultAction: "Deny", ipRules: [{ value: "198.51.100.0/24" }] } });
  expect(await closed.get("/secrets")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByFirewall"));
  const admitted = await VaultWorld.open({ networkAcls: { defaultAction: "Deny", ipRules: [{ value: "203.0.113.0/24" }] } });
  expect((await admitted.get("/secrets")).status).toBe(200);
  const disabled = await VaultWorld.open({ publicNetworkAccess: "Disabled" });
  expect(await disabled.get("/secrets")).toMatchObject(refusal(403, "Forbidden", "ForbiddenByConnection"));
});
