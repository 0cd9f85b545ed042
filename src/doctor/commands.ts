/** The commands that check what a create needs. */
import { partsByCommand } from "../domain/create-parts.js";
import type { Command } from "../settings/command.js";
import { identitySet, infrastructure, managementCluster, serviceCluster, verifies } from "../settings/shared-options.js";

export const commands = {
  doctor: {
    summary: "check the prerequisites of create before creating anything",
    description:
      "Checks this machine, the sign-in and the subscription, and reports each problem that would fail create with the same settings, with its reason and a fix. " +
      "Read-only, except that --register registers resource providers. Exits with 6 if a check failed, or with 3 if there are only warnings.",
    examples: [
      "aro-hcp doctor --cloud local --name demo --infra-id x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns",
      "aro-hcp doctor infra --azure-creds creds.json --config cluster.yaml --clusters 20 --output json",
    ],
    argument: { name: "what", help: "create command to check; default: all", choices: Object.keys(partsByCommand) },
    options: [
      ...verifies,
      "location",
      "name",
      "infraId",
      "baseDomain",
      "resourceGroupName",
      ...infrastructure,
      ...identitySet,
      "oidcResourceGroupName",
      "storageAccountName",
      "clusters",
      "register",
    ],
    usual: ["name", "infraId", "location", "dnsZoneRgName", "register", "only", "verifyOutput"],
  },
  "doctor management-cluster": {
    summary: "check the prerequisites of create management-cluster",
    description:
      "Checks this machine, the sign-in and the subscription, and what the region offers: Kubernetes versions, VM sizes, zones and quotas. " +
      "Read-only, except that --register registers resource providers. Exits with 6 if a check failed, or with 3 if there are only warnings.",
    examples: [
      "aro-hcp doctor management-cluster --cloud local --name mgmt",
      "aro-hcp doctor management-cluster --azure-creds creds.json --name mgmt --location westus3 --preset production",
    ],
    options: [...verifies, "name", "location", ...managementCluster, "register"],
    usual: ["name", "location", "preset", "kubernetesVersion", "userPool", "register", "only", "verifyOutput"],
  },
  "doctor service-cluster": {
    summary: "check the prerequisites of create service-cluster",
    description:
      "Checks this machine, the sign-in and the subscription, and what the region offers: Kubernetes versions, VM sizes, zones and quotas. " +
      "Read-only, except that --register registers resource providers. Exits with 6 if a check failed, or with 3 if there are only warnings.",
    examples: ["aro-hcp doctor service-cluster --azure-creds creds.json --name svc --location westus3"],
    options: [...verifies, "name", "location", ...serviceCluster, "register"],
    usual: ["name", "location", "preset", "userPool", "opsIngress", "regionalZone", "register", "only", "verifyOutput"],
  },
} as const satisfies Readonly<Record<string, Command>>;
