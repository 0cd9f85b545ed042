/** Checks of identities, of their issuer, and of the manifests that name them. */
import { issuerUrlProblem } from "../../domain/issuer-url.js";
import { nameProblem } from "../../domain/name-rules.js";
import type { Check } from "./check.js";
import { realPath } from "./combinations.js";
import { issuerNames } from "../../domain/issuer.js";
import { takes } from "../commands.js";
import { controlPlaneNamespace } from "../../domain/hosted-cluster-key.js";
import { encryptionKeyProblem } from "../../domain/encryption-key.js";
import { clusterLabel, noClusterLabel, subdomain } from "../../domain/cluster-label.js";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longestValidityMonths = 120;

export const checkIdentitySet: Check = ({ command, values, problem }) => {
  const { persistentResourceGroupName, keyVaultName, keyVaultReaderObjectId, oidcIssuerUrl, validityMonths, component } = values;
  const tell = (key: Parameters<typeof problem>[0], wrong: string | undefined) => {
    if (wrong !== undefined) problem(key, wrong);
  };
  if (persistentResourceGroupName !== undefined)
    tell("persistentResourceGroupName", nameProblem("resourceGroup", persistentResourceGroupName));
  if (keyVaultName !== undefined) tell("keyVaultName", nameProblem("keyVault", keyVaultName));
  if (oidcIssuerUrl !== undefined) tell("oidcIssuerUrl", issuerUrlProblem(oidcIssuerUrl));
  if (keyVaultReaderObjectId !== undefined && !uuid.test(keyVaultReaderObjectId)) {
    problem("keyVaultReaderObjectId", `"${keyVaultReaderObjectId}" is not a UUID: an object id is wanted, not a name`);
  }
  if (validityMonths !== undefined && (validityMonths < 1 || validityMonths > longestValidityMonths)) {
    problem("validityMonths", `${validityMonths} is not between 1 and ${longestValidityMonths}`);
  }
  // Elsewhere none named means every one.
  if (command === "rotate credentials" && component?.length === 0) problem("component", "is empty");
  if (component !== undefined && component.length > 1 && component.includes("all")) {
    problem("component", `"all" stands for every component: give it alone`);
  }
};

/** Each document is written whole, so two in one file would take turns. */
export const checkIdentityOutputs: Check = ({ values, problem }) => {
  const taken = new Map<string, string>();
  for (const key of ["events", "outputFile", "managedIdentitiesOutputFile", "dataPlaneIdentitiesOutputFile"] as const) {
    const path = values[key];
    if (path === undefined) continue;
    const real = realPath(path);
    const other = taken.get(real);
    if (other !== undefined && key !== "outputFile") problem(key, `"${path}" is also ${other}: one of them would be overwritten`);
    taken.set(real, key);
  }
};

export const checkIssuerNames: Check = ({ command, values, given, problem }) => {
  const { name, oidcResourceGroupName, storageAccountName, blobContainerName, retireKey } = values;
  if (!takes(command, "oidcResourceGroupName") || name === undefined) return;
  const names = issuerNames(name, { oidcResourceGroupName, storageAccountName, blobContainerName });
  const tell = (key: "storageAccountName" | "blobContainerName", wrong: string | undefined) => {
    if (wrong !== undefined) problem(key, given(key) ? wrong : `is needed: made from --name, the ${wrong}`);
  };
  tell("storageAccountName", nameProblem("storageAccount", names.account));
  tell("blobContainerName", nameProblem("blobContainer", names.container));
  const group = given("oidcResourceGroupName") ? undefined : nameProblem("resourceGroup", names.group);
  if (group !== undefined) problem("name", group);
  const odd = retireKey?.find((kid) => !/^[\w-]+$/.test(kid));
  if (odd !== undefined) problem("retireKey", `"${odd}" is not the id of a key: base64url, as in the key set`);
};

const addOnIdentity = "az aks show --query addonProfiles.azureKeyvaultSecretsProvider.identity.clientId";
/** A namespace is a label of DNS: RFC 1123. */
const longestNamespace = 63;

export const checkHostedCluster: Check = ({ command, values, problem }) => {
  if (!takes(command, "namespace")) return;
  const { name, namespace } = values;
  if (namespace !== undefined && !clusterLabel.test(namespace)) problem("namespace", `"${namespace}" ${noClusterLabel}`);
  else if (name !== undefined && namespace !== undefined && subdomain.test(name)) {
    const made = controlPlaneNamespace({ namespace, name });
    if (made.length > longestNamespace) {
      problem("name", `"${made}", the control plane's namespace, has ${made.length} characters, Kubernetes takes ${longestNamespace}`);
    }
  }
};

/** What the directory of --input-dir tells where it is given. */
const neededByCommand = {
  "render secret-provider-classes": ["name", "managedIdentitiesFile"],
  "render hosted-cluster": ["infraJson", "oidcIssuerUrl"],
} as const;

export const checkManifests: Check = ({ command, values, problem }) => {
  if (command !== "render secret-provider-classes" && command !== "render hosted-cluster") return;
  for (const key of values.inputDir === undefined ? neededByCommand[command] : []) {
    if (values[key] === undefined) problem(key, "is required where --input-dir is not given");
  }
  const { keyVaultUserClientId, kmsCredentialsSecretName, encryptionKeyId } = values;
  if (keyVaultUserClientId !== undefined && !uuid.test(keyVaultUserClientId)) {
    problem("keyVaultUserClientId", `"${keyVaultUserClientId}" is not a UUID: the client id is wanted that \`${addOnIdentity}\` prints`);
  }
  if (kmsCredentialsSecretName !== undefined && !/^[a-z0-9-]{1,127}$/i.test(kmsCredentialsSecretName)) {
    problem("kmsCredentialsSecretName", `"${kmsCredentialsSecretName}" is not 1 to 127 letters, digits and hyphens`);
  }
  const wrongKey = encryptionKeyId === undefined ? undefined : encryptionKeyProblem(encryptionKeyId);
  if (wrongKey !== undefined) problem("encryptionKeyId", wrongKey);
  if (command === "render hosted-cluster" && kmsCredentialsSecretName !== undefined && encryptionKeyId === undefined) {
    problem("kmsCredentialsSecretName", "needs --encryption-key-id: the key that etcd is encrypted with");
  }
};
