/** The commands about a set of identities. Part of the table of commands. */
import type { Command } from "./command.js";
import { changes, identityFiles, madeIdentities, reads } from "./shared-options.js";

export const identityCommands = {
  "create identities": {
    summary: "make the identities of a cluster, or of several",
    description:
      "Makes a key vault, an Entra application with certificate and credential secret for each component of the control plane, and the managed " +
      "identities of the data plane, and writes the files that name them. Run for the same name again it changes nothing: one set serves several clusters.",
    examples: [
      "aro-hcp create identities --cloud local --name demo --resource-group-name demo-common --oidc-issuer-url https://issuer.example.com/demo",
      "aro-hcp create identities --azure-creds creds.json --name demo --resource-group-name common --oidc-issuer-url https://... --output-file ids.json",
    ],
    required: ["name", "persistentResourceGroupName", "oidcIssuerUrl"],
    options: [...changes, "keyVaultName", ...madeIdentities, "managedIdentitiesOutputFile", "dataPlaneIdentitiesOutputFile", "outputFile"],
  },
  "destroy identities": {
    summary: "remove what create identities made",
    description:
      "Removes the set's role assignments, applications, managed identities and key vault, and the group where it was made for them and is empty. " +
      "Azure keeps the vault and the applications recoverable for a while; --purge does away with them at once.",
    examples: ["aro-hcp destroy identities --cloud local --name demo --resource-group-name demo-common --purge"],
    required: ["name", "persistentResourceGroupName"],
    options: [...changes, "keyVaultName", "purge"],
  },
  "show identities": {
    summary: "show the identities of a set, and when their credentials expire",
    description:
      "Reads vault, directory and managed identities. Exits with 3 where a credential expires soon (--warn-days). Writes nothing.",
    examples: ["aro-hcp show identities --cloud local --name demo --resource-group-name demo-common"],
    required: ["name", "persistentResourceGroupName"],
    options: [...reads, "location", "keyVaultName", "warnDays"],
  },
  "verify identities": {
    summary: "check every link from the identity files to a token that works",
    description:
      "Follows each identity from its file through vault and Entra to Azure: signs in with its certificate or a token of the cluster, and reads with that.\n" +
      "With --kubeconfig it follows the secrets on to the pods of the management cluster.\n" +
      "Tells every link that does not hold, why, and what to do. Writes nothing but --report. Exits with 6 where a check failed, with 3 where there are warnings only.",
    examples: [
      "aro-hcp verify identities --cloud local --input-dir demo",
      "aro-hcp verify identities --managed-identities-file cp.json --component cpo,disk --only sign-in --output json",
      "aro-hcp verify identities --azure-creds creds.json --input-dir demo --kubeconfig mgmt.kubeconfig",
    ],
    options: [
      ...reads,
      "name",
      "infraJson",
      "inputDir",
      ...identityFiles,
      "assignCustomHcpRoles",
      "disableClusterCapabilities",
      "oidcIssuerUrl",
      "signingKeyToTry",
      "encryptionKeyId",
      "kubeconfig",
      "namespace",
      "verifiedComponents",
      "only",
      "watchExpiry",
      "report",
    ],
  },
  "rotate credentials": {
    summary: "replace the certificates of the control plane's identities",
    description:
      "Makes a new certificate, registers it beside the old one, rewrites the secret, proves it by signing in, and takes the old certificate back " +
      "after --overlap: in this run where that ends within --timeout, else in the next one.",
    examples: ["aro-hcp rotate credentials --cloud local --name demo --resource-group-name demo-common --component cpo,disk"],
    required: ["name", "persistentResourceGroupName"],
    options: [...changes, "keyVaultName", "rotatedComponents", "overlap", "minAge"],
  },
} as const satisfies Readonly<Record<string, Command>>;
