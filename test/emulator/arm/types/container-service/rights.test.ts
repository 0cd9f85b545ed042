/** The roles that the identity of an AKS cluster needs, and what happens without each. */
import { beforeEach, expect, test } from "vitest";
import { ClusterParts, refused, unrecorded } from "./cluster-parts.js";

let parts: ClusterParts;
beforeEach(() => {
  parts = new ClusterParts();
});

const put = (properties?: Readonly<Record<string, unknown>>) => parts.arm.put(parts.id, parts.body(properties), unrecorded);

test("a cluster is refused until its identity may assign the kubelet identity, which it then answers with its IDs", () => {
  parts.grant("network", parts.network);
  parts.grant("network", parts.address);
  expect(refused(put())).toEqual([400, "CustomKubeletIdentityMissingPermissionError"]);
  parts.grant("operator", parts.kubeletIdentity);
  expect(put().status).toBe(201);
  const { clientId, principalId } = (parts.arm.get(parts.kubeletIdentity).body as { properties: Record<string, string> }).properties;
  expect(parts.arm.get(parts.id).body).toMatchObject({
    properties: { provisioningState: "Succeeded", identityProfile: { kubeletidentity: { clientId, objectId: principalId } } },
  });
});

test("only a cluster with a user-assigned identity can have a kubelet identity of the user's, and its IDs must be right", () => {
  parts.grantAll();
  const own = { ...parts.body(), identity: { type: "SystemAssigned" } };
  expect(refused(parts.arm.put(parts.id, own, unrecorded))).toEqual([400, "CustomKubeletIdentityOnlySupportedOnUserAssignedMSICluster"]);
  const other = "00000000-0000-4000-8000-000000000001";
  const wrong = { identityProfile: { kubeletidentity: { resourceId: parts.kubeletIdentity, clientId: other } } };
  expect(refused(put(wrong))).toEqual([400, "CustomKubeletIdentityPropertyError"]);
});

test.each([
  ["subnet", "Microsoft.Network/virtualNetworks/subnets/join/action", () => parts.address],
  ["outbound address", "Microsoft.Network/publicIPAddresses/join/action", () => parts.network],
])("without a role on the %s the operation fails, and another PUT repairs the cluster", (_what, action, granted) => {
  parts.grant("operator", parts.kubeletIdentity);
  parts.grant("network", granted());
  parts.arm.seconds = { "aks.create": 300 };
  const { status, headers } = put();
  expect(status).toBe(201);
  const operation = headers["Azure-AsyncOperation"] ?? "";
  expect(parts.arm.get(operation).body).toMatchObject({ status: "InProgress" });
  parts.arm.pass(300);
  expect(parts.arm.get(operation).body).toMatchObject({
    status: "Failed",
    error: { code: "LinkedAuthorizationFailed", message: expect.stringContaining(action) as string },
  });
  expect(parts.arm.get(parts.id).body).toMatchObject({ properties: { provisioningState: "Failed" } });
  parts.grantAll();
  expect(put().status).toBe(200);
  expect(parts.arm.get(parts.id).body).toMatchObject({ properties: { provisioningState: "Succeeded" } });
});

test("who creates a cluster must be allowed to use what it refers to", () => {
  parts.grantAll();
  const caller = parts.arm.caller("creator", [{ role: "b24988ac-6180-42a0-ab88-20f7382dd24c", scope: parts.id }]);
  const { body } = parts.arm.put(parts.id, parts.body(), { caller });
  expect(body).toMatchObject({
    error: { code: "LinkedAuthorizationFailed", message: expect.stringContaining("userAssignedIdentities/assign/action") as string },
  });
});

test("etcd is encrypted with a key that the cluster's identity may use", () => {
  parts.grantAll();
  const vault = `${parts.group}/providers/Microsoft.KeyVault/vaults/demo-etcd`;
  const settings = { tenantId: parts.arm.state.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
  parts.arm.put(vault, { location: "eastus", properties: settings });
  const key = parts.arm.put(`${vault}/keys/etcd`, { properties: { kty: "RSA" } });
  const { keyUriWithVersion } = (key.body as { properties: { keyUriWithVersion: string } }).properties;
  const kms = (keyId: string) => ({ securityProfile: { azureKeyVaultKms: { enabled: true, keyId, keyVaultNetworkAccess: "Public" } } });

  expect(refused(put(kms(keyUriWithVersion)))).toEqual([400, "AzureKeyVaultKmsValidateIdentityPermissionCustomerError"]);
  parts.grant("crypto", vault);
  expect(refused(put(kms(keyUriWithVersion.replace(/\/[^/]+$/, ""))))).toEqual([400, "BadRequest"]);
  expect(put(kms(keyUriWithVersion))).toMatchObject({ status: 201, body: { properties: kms(keyUriWithVersion) } });
  const own = {
    ...parts.body({ ...kms(keyUriWithVersion), identityProfile: {}, networkProfile: {} }),
    identity: { type: "SystemAssigned" },
  };
  expect(refused(parts.arm.put(parts.id.replace(/demo$/, "other"), own, unrecorded))).toEqual([400, "BadRequest"]);
});
