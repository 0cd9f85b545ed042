/** The identities of a cluster's nodes as principals: each gets its own token on a node, and can do what its roles allow, nothing else. */
import { randomUUID } from "node:crypto";
import { ContainerServiceClient } from "@azure/arm-containerservice";
import { KeyVaultManagementClient } from "@azure/arm-keyvault";
import { ResourceManagementClient } from "@azure/arm-resources";
import type { HttpClient } from "@azure/core-rest-pipeline";
import { createDefaultHttpClient } from "@azure/core-rest-pipeline";
import { ManagedIdentityCredential } from "@azure/identity";
import { SecretClient } from "@azure/keyvault-secrets";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { agentFor, seedState, wellKnown } from "../../../src/emulator/index.js";
import { askMetadata, nodeCredential } from "../node-credential.js";
import { openLocalServer, recording } from "../local-server.js";
import { all, sdkAccess } from "../sdk-access.js";

const { subscriptionId, tenantId, clientPrincipalId } = wellKnown;
const location = "eastus";
const secretsOfficer = "b86a8fe4-44ce-4948-aee5-eccb2c155cd7";
const secretsUser = "4633458b-17de-408a-b874-0445c86b69e6";
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";

/** A cluster with the add-on, and a vault with a secret. */
async function openCluster() {
  const server = await openLocalServer({ environment: recording() });
  const { credential, options } = sdkAccess(server);
  const resources = new ResourceManagementClient(credential, subscriptionId, options);
  await resources.resourceGroups.createOrUpdate("demo", { location });
  const { managedClusters } = new ContainerServiceClient(credential, subscriptionId, options);
  const cluster = await managedClusters.beginCreateOrUpdateAndWait("demo", "demo", {
    location,
    dnsPrefix: "demo",
    identity: { type: "SystemAssigned" },
    nodeResourceGroup: "demo-nodes",
    agentPoolProfiles: [{ name: "system", mode: "System", count: 1, vmSize: "Standard_D4s_v3" }],
    addonProfiles: { azureKeyvaultSecretsProvider: { enabled: true } },
  });
  const scaleSets = await all(
    resources.resources.listByResourceGroup("demo-nodes", { filter: "resourceType eq 'Microsoft.Compute/virtualMachineScaleSets'" }),
  );
  const vaults = new KeyVaultManagementClient(credential, subscriptionId, options).vaults;
  const properties = { tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true } as const;
  const vault = await vaults.createOrUpdate("demo", "demo-vault", { location, properties }, { updateIntervalInMs: 20 });
  const grant = (role: string, principalId: string, scope = vault.id) =>
    seedState(server.directory, { roleAssignments: [{ scope, role, principalId }] });
  await grant(secretsOfficer, clientPrincipalId);
  const url = vault.properties.vaultUri ?? "";
  await new SecretClient(url, credential, options).setSecret("demo", "the value");
  const node = scaleSets[0]?.name ?? "";
  const addOn = cluster.addonProfiles?.["azureKeyvaultSecretsProvider"]?.identity;
  const kubelet = cluster.identityProfile?.["kubeletidentity"];
  const readAs = async (clientId = "") => {
    const secret = await new SecretClient(url, nodeCredential(server, node, clientId), options).getSecret("demo");
    return secret.value;
  };
  return { server, node, addOn, kubelet, grant, readAs, vault };
}

test("a secret is read as the add-on's identity by its own token, and by no identity without the role", async () => {
  const { addOn, kubelet, grant, readAs, vault } = await openCluster();
  const forbidden = { statusCode: 403, code: "Forbidden" };
  await expect(readAs(addOn?.clientId)).rejects.toMatchObject(forbidden);
  // A role of another kind does not help, nor does the role on another secret.
  await grant(reader, addOn?.objectId ?? "");
  await grant(secretsUser, addOn?.objectId ?? "", `${vault.id}/secrets/other`);
  await expect(readAs(addOn?.clientId)).rejects.toMatchObject(forbidden);
  await grant(secretsUser, addOn?.objectId ?? "");
  expect(await readAs(addOn?.clientId)).toBe("the value");
  await expect(readAs(kubelet?.clientId)).rejects.toMatchObject(forbidden);
});

test("the token names the identity, found by any of its IDs", async () => {
  const { server, node, addOn } = await openCluster();
  for (const parameters of [{ client_id: addOn?.clientId }, { object_id: addOn?.objectId }, { msi_res_id: addOn?.resourceId }]) {
    const { status, body } = await askMetadata(server, node, parameters as Record<string, string>);
    const { access_token: token, ...others } = body as { access_token: string };
    expect([status, others]).toMatchObject([
      200,
      { client_id: addOn?.clientId, resource: "https://vault.azure.net", token_type: "Bearer" },
    ]);
    expect(decodeJwt(token)).toMatchObject({ oid: addOn?.objectId, appid: addOn?.clientId, aud: "https://vault.azure.net" });
  }
});

test("what the metadata service refuses", async () => {
  const { server, node, addOn } = await openCluster();
  const clientId = { client_id: addOn?.clientId ?? "" };
  const refused = (description: RegExp, error = "invalid_request") => ({
    status: 400,
    body: { error, error_description: expect.stringMatching(description) as string },
  });
  expect(await askMetadata(server, node, clientId, {})).toMatchObject(refused(/metadata header not specified/));
  expect(await askMetadata(server, node, clientId, { metadata: "true", "x-forwarded-for": "10.0.0.1" })).toMatchObject(
    refused(/X-Forwarded-For/),
  );
  expect(await askMetadata(server, node, {})).toMatchObject(refused(/Multiple user assigned identities exist/));
  expect(await askMetadata(server, node, { client_id: wellKnown.clientId })).toMatchObject(refused(/^Identity not found$/));
  expect(await askMetadata(server, node, { ...clientId, resource: "" })).toMatchObject(refused(/'resource' is missing/));
  expect(await askMetadata(server, node, { ...clientId, resource: "https://other" })).toMatchObject(
    refused(/AADSTS500011/, "invalid_resource"),
  );
  expect(await askMetadata(server, "other", clientId)).toMatchObject({ status: 502 });
});

test("Azure's own credential for managed identities works, with the machine's name for its address", async () => {
  const server = await openLocalServer();
  const group = `/subscriptions/${subscriptionId}/resourceGroups/demo`;
  // Azure's library keeps tokens for the life of the process, by client ID.
  const [clientId, principalId] = [randomUUID(), randomUUID()];
  const id = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/machine`;
  await seedState(server.directory, {
    resources: {
      [group]: { location },
      [`${group}/providers/Microsoft.Compute/virtualMachines/builder`]: {
        location,
        identity: { type: "UserAssigned", userAssignedIdentities: { [id]: {} } },
      },
    },
    identities: [{ id, clientId, principalId }],
  });
  const agent = agentFor(server);
  const plain = createDefaultHttpClient();
  const httpClient: HttpClient = {
    sendRequest(request) {
      request.url = request.url.replace("http://169.254.169.254", "https://builder.instance-metadata.invalid");
      request.agent = agent;
      return plain.sendRequest(request);
    },
  };
  const { token } = await new ManagedIdentityCredential({ clientId, httpClient }).getToken("https://vault.azure.net/.default");
  agent.destroy();
  expect(decodeJwt(token)).toMatchObject({ oid: principalId, xms_mirid: id.replace("resourceGroups", "resourcegroups") });
});
