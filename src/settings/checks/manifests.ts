/** What Kubernetes manifests are made with: names that Kubernetes takes, and ids that are ids. */
import { controlPlaneNamespace } from "../../domain/hosted-cluster-key.js";
import { encryptionKeyProblem } from "../../domain/encryption-key.js";
import { clusterLabel, noClusterLabel, subdomain } from "../../domain/cluster-label.js";
import { takes } from "../commands.js";
import type { Check } from "./check.js";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
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
