/** A pod's secrets are mounted with the identity's own token, and only with its right on the vault. */
import { KeyVaultManagementClient } from "@azure/arm-keyvault";
import { SecretClient } from "@azure/keyvault-secrets";
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../src/emulator/index.js";
import { mountSecrets } from "../harness/secrets-store.js";
import { openLocalServer } from "./local-server.js";
import { sdkAccess } from "./sdk-access.js";

const { subscriptionId, tenantId, clientPrincipalId } = wellKnown;
const group = `/subscriptions/${subscriptionId}/resourceGroups/arc`;
const vault = `${group}/providers/Microsoft.KeyVault/vaults/arc-demo-vault`;
const reader = "4633458b-17de-408a-b874-0445c86b69e6";
const officer = "b86a8fe4-44ce-4948-aee5-eccb2c155cd7";
const workload = "aaaaaaaa-0000-4000-8000-000000000001";
const workloadPrincipal = "aaaaaaaa-0000-4000-8000-000000000002";

test("a service principal's secret in the cluster mounts the vault's, once it may read it", async () => {
  const server = await openLocalServer();
  const { credential, options } = sdkAccess(server);
  await seedState(server.directory, {
    knobs: { dataRightsLagSeconds: 0 },
    resources: { [group]: { location: "eastus" } },
    applications: [{ appId: workload, displayName: "workload", servicePrincipalId: workloadPrincipal, secret: "of-the-workload" }],
  });
  await new KeyVaultManagementClient(credential, subscriptionId, options).vaults.createOrUpdate("arc", "arc-demo-vault", {
    location: "eastus",
    properties: { tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true },
  });
  await seedState(server.directory, { roleAssignments: [{ scope: vault, role: officer, principalId: clientPrincipalId }] });
  await new SecretClient("https://arc-demo-vault.vault.azure.net", credential, options).setSecret("greeting", "hello");
  const labels = { "secrets-store.csi.k8s.io/used": "true" };
  const credentials = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "secrets-store-creds", namespace: "demo", labels },
    stringData: { clientid: workload, clientsecret: "of-the-workload" },
  };
  const objects = "array:\n  - |\n    objectName: greeting\n    objectType: secret\n";
  const providerClass = {
    apiVersion: "secrets-store.csi.x-k8s.io/v1",
    kind: "SecretProviderClass",
    metadata: { name: "demo", namespace: "demo" },
    spec: { provider: "azure", parameters: { usePodIdentity: "false", keyvaultName: "arc-demo-vault", tenantId, objects } },
  };
  await expect(mountSecrets({ server, providerClass, credentials })).rejects.toMatchObject({ statusCode: 403 });
  await seedState(server.directory, { roleAssignments: [{ scope: vault, role: reader, principalId: workloadPrincipal }] });
  expect(await mountSecrets({ server, providerClass, credentials })).toEqual({ greeting: "hello" });
  const unlabelled = { ...credentials, metadata: { ...credentials.metadata, labels: {} } };
  await expect(mountSecrets({ server, providerClass, credentials: unlabelled })).rejects.toThrow("nodePublishSecretRef");
});
