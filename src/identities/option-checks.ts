/** Checks of identities, of their issuer, and of the manifests that refer to them. */
import { issuerUrlProblem } from "../domain/issuer-url.js";
import { nameProblem } from "../domain/name-rules.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { Check } from "../settings/option-check.js";
import { issuerContainerName, issuerGroupName } from "../domain/issuer.js";
import { plural } from "../text/plural.js";
import { takes } from "../settings/commands.js";
import { variableOf } from "../settings/option.js";
import { flagOf, options } from "../settings/options.js";
import { controlPlaneNamespace } from "../domain/hosted-cluster-key.js";
import { encryptionKeyProblem, shortestMinAgeMs } from "../domain/encryption-key.js";
import { otherSubscription, readId } from "../settings/network-checks.js";
import { clusterLabel, clusterLabelRule, subdomain } from "../domain/cluster-label.js";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longestValidityMonths = 120;

/** Only in the subscription of the set: its role assignments are searched there. */
function givenVaultProblem(text: string, subscription: string | undefined): string | undefined {
  const id = readId(text, resourceTypes.keyVault.type);
  if (typeof id === "string") return id;
  return nameProblem("keyVault", id.name) ?? (subscription === undefined ? undefined : otherSubscription(id, subscription));
}

const checkIdentitySet: Check = ({ command, values, problem, notice }) => {
  const {
    persistentResourceGroupName,
    keyVaultName,
    keyVaultId,
    managedHsmName,
    keyVaultReaderObjectId,
    oidcIssuerUrl,
    validityMonths,
    component,
    minAge,
  } = values;
  const report = (key: Parameters<typeof problem>[0], wrong: string | undefined) => {
    if (wrong !== undefined) problem(key, wrong);
  };
  if (persistentResourceGroupName !== undefined)
    report("persistentResourceGroupName", nameProblem("resourceGroup", persistentResourceGroupName));
  if (keyVaultName !== undefined) report("keyVaultName", nameProblem("keyVault", keyVaultName));
  // For an AKS cluster, it is a list.
  if (typeof keyVaultId === "string") {
    report("keyVaultId", givenVaultProblem(keyVaultId, values.subscription));
    if (keyVaultName !== undefined) problem("keyVaultId", "cannot be combined with --key-vault-name, the name of a vault of the set's own");
    if (managedHsmName !== undefined)
      problem(
        "keyVaultId",
        "cannot be combined with --managed-hsm-name: a tag of the set's vault names the HSM, and this vault is never changed",
      );
    if (values.purgeProtection === true) notice("--purge-protection has no effect: the vault of --key-vault-id is never changed");
  }
  if (managedHsmName !== undefined) {
    // The same rule as for vaults.
    report("managedHsmName", nameProblem("keyVault", managedHsmName));
    if (takes(command, "enableKms") && values.enableKms !== true) problem("managedHsmName", "requires --enable-kms, which creates the key");
  }
  if (oidcIssuerUrl !== undefined) report("oidcIssuerUrl", issuerUrlProblem(oidcIssuerUrl));
  if (keyVaultReaderObjectId !== undefined && !uuid.test(keyVaultReaderObjectId)) {
    problem("keyVaultReaderObjectId", `"${keyVaultReaderObjectId}" is not a UUID: expected an object ID, not a name`);
  }
  if (validityMonths !== undefined && (validityMonths < 1 || validityMonths > longestValidityMonths)) {
    problem("validityMonths", `${validityMonths} is not between 1 and ${longestValidityMonths}`);
  }
  if (command === "rotate encryption-key" && minAge !== undefined && minAge < shortestMinAgeMs) {
    problem("minAge", "is less than 2m: after two rotations so close, the key that etcd is encrypted with would not be the backup key");
  }
  // In other commands, an empty list selects all components.
  if (command === "rotate credentials" && component?.length === 0) problem("component", "is empty");
  if (component !== undefined && component.length > 1 && component.includes("all")) {
    problem("component", `"all" cannot be combined with other components`);
  }
};

const checkIssuerNames: Check = ({ command, values, given, problem }) => {
  const { identitiesName, oidcResourceGroupName, storageAccountName, blobContainerName, retireKey } = values;
  const { key, name } =
    identitiesName === undefined
      ? ({ key: "name", name: values.name } as const)
      : ({ key: "identitiesName", name: identitiesName } as const);
  if (!takes(command, "oidcResourceGroupName") || name === undefined) return;
  const account = storageAccountName === undefined ? undefined : nameProblem("storageAccount", storageAccountName);
  if (account !== undefined) problem("storageAccountName", account);
  const container = nameProblem("blobContainer", blobContainerName ?? issuerContainerName(name));
  if (container !== undefined)
    problem("blobContainerName", given("blobContainerName") ? container : `is required: derived from ${flagOf(key)}, the ${container}`);
  const group = oidcResourceGroupName === undefined ? nameProblem("resourceGroup", issuerGroupName(name)) : undefined;
  if (group !== undefined) problem(key, group);
  const malformed = retireKey?.find((kid) => !/^[\w-]+$/.test(kid));
  if (malformed !== undefined) problem("retireKey", `"${malformed}" is not a key ID: expected base64url, as \`kid\` in the key set`);
};

const addOnIdentityCommand = "az aks show --query addonProfiles.azureKeyvaultSecretsProvider.identity.clientId";
/** A namespace is a DNS label (RFC 1123). */
const longestNamespace = 63;

const checkHostedCluster: Check = ({ command, values, problem }) => {
  if (!takes(command, "namespace")) return;
  const { name, namespace } = values;
  if (namespace !== undefined && !clusterLabel.test(namespace)) problem("namespace", `"${namespace}" ${clusterLabelRule}`);
  else if (name !== undefined && namespace !== undefined && subdomain.test(name)) {
    const derived = controlPlaneNamespace({ namespace, name });
    if (derived.length > longestNamespace) {
      problem(
        "name",
        `the control plane namespace "${derived}" has ${plural(derived.length, "character")}; Kubernetes accepts at most ${longestNamespace}`,
      );
    }
  }
};

const checkManifests: Check = ({ command, values, problem }) => {
  if (!command.startsWith("render ")) return;
  if (command === "render secret-provider-classes" && values.inputDir === undefined) {
    for (const key of ["name", "managedIdentitiesFile"] as const) {
      if (values[key] === undefined) problem(key, "is required without --input-dir");
    }
  }
  const { keyVaultUserClientId, kmsCredentialsSecretName, encryptionKeyId, inputDir } = values;
  if (takes(command, "keyVaultUserClientId") && keyVaultUserClientId === undefined && values.managementClusterFile === undefined) {
    problem(
      "keyVaultUserClientId",
      `is required without --management-cluster-file; you can also set ${variableOf(options.keyVaultUserClientId)}, or keyVaultUserClientId in a --config file`,
    );
  }
  if (keyVaultUserClientId !== undefined && !uuid.test(keyVaultUserClientId)) {
    problem(
      "keyVaultUserClientId",
      `"${keyVaultUserClientId}" is not a UUID: expected the client ID that \`${addOnIdentityCommand}\` prints`,
    );
  }
  if (kmsCredentialsSecretName !== undefined && !/^[a-z0-9-]{1,127}$/i.test(kmsCredentialsSecretName)) {
    problem("kmsCredentialsSecretName", `"${kmsCredentialsSecretName}" is not 1 to 127 letters, digits and hyphens`);
  }
  for (const key of ["encryptionKeyId", "backupEncryptionKeyId"] as const) {
    const id = values[key];
    const wrongKey = id === undefined ? undefined : encryptionKeyProblem(id);
    if (wrongKey !== undefined) problem(key, wrongKey);
  }
  if (values.backupEncryptionKeyId !== undefined && (encryptionKeyId ?? inputDir) === undefined) {
    problem("backupEncryptionKeyId", "requires --encryption-key-id, the active key");
  }
};

export const checks: readonly Check[] = [checkIssuerNames, checkIdentitySet, checkHostedCluster, checkManifests];
