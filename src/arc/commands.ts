/** The commands of Azure Arc: for connected clusters, their extensions, and the secrets of their workloads. */
import type { Command } from "../settings/command.js";
import { changes, creates, everywhere, manifests, reads, verifies } from "../settings/shared-options.js";

/** How the cluster itself is reached. */
const access = ["arcKubeconfig", "openshiftClusterId", "managementKubeconfig", "hostedCluster"] as const;

const features = [
  "distribution",
  "infrastructure",
  "agentAutoUpgrade",
  "agentVersion",
  "privateLinkScopeId",
  "gatewayId",
  "httpProxy",
  "httpsProxy",
  "proxySkipRange",
  "proxyCertificateFile",
  "workloadIdentity",
  "arcIssuerUrl",
  "customLocationsId",
] as const;

export const commands = {
  "create arc": {
    summary: "connect an OpenShift cluster to Azure Arc",
    description:
      "Creates the connected cluster in Azure, and writes the onboarding key, the Helm values, the manifests and the commands for the agents to " +
      "--output-dir. With access to the cluster, it also checks the cluster and installs the agents with helm. Rerun it after a failure.",
    examples: [
      "aro-hcp create arc --cloud local --name demo --output-dir arc --dry-run",
      "aro-hcp create arc --azure-creds creds.json --name demo --location eastus --output-dir arc --kubeconfig demo.kubeconfig",
    ],
    required: ["name", "outputDir"],
    options: [...creates, "arcGroupName", "arcTags", ...access, ...features, "skipDiagnostics"],
    usual: ["location", "arcGroupName", "arcKubeconfig", "managementKubeconfig", "hostedCluster", "dryRun", "yes", "output"],
  },
  "wait arc": {
    summary: "wait until the agents of a cluster are connected",
    description:
      "Reads the connected cluster until Azure reports that its agents are connected, and shows each state with its time. Read-only. Fails if the " +
      "agents were connected and no longer are, or if --timeout ends.",
    examples: ["aro-hcp wait arc --cloud local --name demo", "aro-hcp wait arc --azure-creds creds.json --name demo --timeout 15m"],
    required: ["name"],
    options: [...reads, "arcGroupName"],
  },
  "show arc": {
    summary: "show a connected cluster, its agents and its extensions",
    description:
      "Shows the connectivity, versions, certificate and extensions of a connected cluster. As a document, it has the members of az " +
      "connectedk8s show, and the extensions. Without --name, it lists the connected clusters of the subscription. Read-only.",
    examples: [
      "aro-hcp show arc --cloud local --name demo",
      "aro-hcp show arc --azure-creds creds.json --name demo --output json",
      "aro-hcp show arc --cloud local",
    ],
    options: ["name", ...reads, "arcGroupName"],
  },
  "verify arc": {
    summary: "check a connected cluster, its agents, its extensions and the secrets of its workloads",
    description:
      "Checks the connectivity, certificate and versions that Azure reports, the extensions and policies, and the role on the Key Vault. With " +
      "access to the cluster, it also checks the agents and the mounted secrets there. Read-only. Exits with 6 if a check failed, or with 3 if there are only warnings.",
    examples: [
      "aro-hcp verify arc --cloud local --name demo",
      "aro-hcp verify arc --azure-creds creds.json --name demo --kubeconfig demo.kubeconfig",
    ],
    required: ["name"],
    options: [...verifies, "arcGroupName", ...access],
  },
  "destroy arc": {
    summary: "disconnect a cluster from Azure Arc",
    description:
      "Deletes the extensions, the agents in the cluster if there is access to it, the connected cluster, and the identities, roles and resource " +
      "group that were created for it. Without access, it shows the commands that remove the agents. After a failure, rerun it.",
    examples: [
      "aro-hcp destroy arc --cloud local --name demo",
      "aro-hcp destroy arc --azure-creds creds.json --name demo --kubeconfig demo.kubeconfig --yes",
    ],
    required: ["name"],
    options: [...changes, "arcGroupName", ...access, "arcSecretsFile", "purge"],
  },
  "create arc extension": {
    summary: "install an extension on a connected cluster: the Key Vault secrets provider, Azure Policy or another",
    description:
      "Creates the extension, or updates its settings, and waits until the agents have installed it. Reports the errors of a failed installation. " +
      "With --kubeconfig, refuses a Secrets Store CSI driver that is there already. A rerun changes nothing.",
    examples: [
      "aro-hcp create arc extension --cloud local --name demo --extension-type key-vault --rotation-interval 2m",
      "aro-hcp create arc extension --azure-creds creds.json --name demo --extension-type policy",
    ],
    required: ["name", "extensionType"],
    options: [
      ...creates,
      "arcGroupName",
      "extensionName",
      "releaseNamespace",
      "releaseTrain",
      "extensionVersion",
      "extensionSetting",
      "secretRotation",
      "rotationInterval",
      "syncSecrets",
      "extensionKubeconfig",
    ],
    usual: [
      "location",
      "arcGroupName",
      "extensionVersion",
      "extensionSetting",
      "secretRotation",
      "rotationInterval",
      "dryRun",
      "yes",
      "output",
    ],
  },
  "show arc extension": {
    summary: "show the extensions of a connected cluster, with their errors, and the compliance with its policies",
    description:
      "Shows state, versions, settings and problems of each extension, or of --extension-type or --extension-name. For Azure Policy, also the assignments that " +
      "apply to the cluster, and its compliance. Read-only.",
    examples: [
      "aro-hcp show arc extension --cloud local --name demo",
      "aro-hcp show arc extension --azure-creds creds.json --name demo --extension-type policy --output json",
    ],
    required: ["name"],
    options: [...reads, "arcGroupName", "extensionType", "extensionName"],
  },
  "destroy arc extension": {
    summary: "remove an extension from a connected cluster",
    description:
      "Deletes the extension, which the agents then remove from the cluster. Custom resource definitions stay there. If the agents are not connected, " +
      "only --force-delete deletes it, and what it installed stays on the cluster.",
    examples: [
      "aro-hcp destroy arc extension --cloud local --name demo --extension-type key-vault --yes",
      "aro-hcp destroy arc extension --azure-creds creds.json --name demo --extension-name azurepolicy --force-delete",
    ],
    required: ["name"],
    options: [...changes, "arcGroupName", "extensionType", "extensionName", "forceDelete"],
  },
  "create arc secrets": {
    summary: "create a Key Vault secret and an identity that a connected cluster's workload reads it with",
    description:
      "Creates a Key Vault with Azure RBAC, a secret, and an identity with the role Key Vault Secrets User on that secret alone. The identity is a managed " +
      "identity if Entra can read the issuer of the cluster's tokens, otherwise a service principal with a client secret. Destroy arc deletes all of it.",
    examples: [
      "aro-hcp create arc secrets --cloud local --name demo --oidc-issuer-url https://demo.blob.core.windows.net/demo",
      "aro-hcp create arc secrets --azure-creds creds.json --name demo --secret-name db --secret-file db.txt",
    ],
    required: ["name"],
    options: [
      ...creates,
      "arcGroupName",
      "keyVaultName",
      "secretName",
      "secretFile",
      "secretsIdentity",
      "workloadIssuerUrl",
      "workloadNamespace",
      "serviceAccount",
      "arcSecretsOutputFile",
      "outputCredential",
      "returnOwnRoles",
    ],
    usual: ["location", "arcGroupName", "secretName", "secretFile", "workloadIssuerUrl", "dryRun", "yes", "arcSecretsOutputFile", "output"],
  },
  "render arc": {
    summary: "print the manifests that mount Key Vault secrets in a pod of a connected cluster",
    description:
      "Prints a SecretProviderClass, the service account or the credential Secret that signs in to the vault, a pod that mounts the secret, and the service " +
      "account with which the portal shows the cluster. With --output-dir, writes a file for each; only the owner can read that of the credential. " +
      "Sends no requests to Azure.",
    examples: [
      "aro-hcp render arc --arc-secrets-file arc-secrets.json --output-dir manifests",
      "aro-hcp render arc --arc-secrets-file arc-secrets.json --credential-file arc-credential.json --output-dir manifests",
    ],
    required: ["arcSecretsFile"],
    options: [...everywhere, "credentialFile", "observabilityRole", ...manifests, "manifestDir"],
  },
} as const satisfies Readonly<Record<string, Command>>;
