/** The commands for connected clusters of Azure Arc. Part of the table of commands. */
import type { Command } from "../../settings/commands/command.js";
import { changes, creates, reads, verifies } from "../../settings/commands/shared-options.js";

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

/** Each row belongs in `commands` together with its module in `src/cli/command-modules.ts`. */
export const arcCommands = {
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
    options: [...changes, "arcGroupName", ...access, "arcSecretsJson", "purge"],
  },
} as const satisfies Readonly<Record<string, Command>>;
