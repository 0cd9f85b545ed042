/** The commands for management clusters and service clusters, as part of the table of commands. */
import type { Command } from "../settings/command.js";
import { changes, creates, everywhere, managementCluster, manifests, reads, serviceCluster, verifies } from "../settings/shared-options.js";

const outputs = ["managementClusterOutput", "outputKubeconfig"] as const;

export const commands = {
  "create management-cluster": {
    summary: "create an AKS cluster for hosted control planes",
    description:
      "Creates the network, address, identities and roles of a management cluster, and the AKS cluster with its agent pools. The cluster's " +
      "secrets provider may then read the Key Vaults of --key-vault-id. After a failure, rerun it: it creates the missing resources, and " +
      "restores changed properties of its own.",
    examples: [
      "aro-hcp create management-cluster --cloud local --name mgmt --dry-run",
      "aro-hcp create management-cluster --azure-creds creds.json --name mgmt --location westus3 --output-file management-cluster.json",
      "aro-hcp create management-cluster --azure-creds creds.json --name mgmt --location westus3 --user-pool size=Standard_D16ds_v5,min=1,max=5,zones=1/2/3",
    ],
    required: ["name"],
    options: [...creates, ...managementCluster, "purgeProtection", ...outputs],
    usual: ["location", "preset", "userPool", "keyVaultId", "dryRun", "yes", "managementClusterOutput", "outputKubeconfig", "output"],
  },
  "destroy management-cluster": {
    summary: "delete the resources of create management-cluster",
    description:
      "Deletes the AKS cluster with its node resource group, then its role assignments and the other resources that create management-cluster " +
      "created. Keeps existing resources that you passed, resources of other owners, and the Key Vaults of identity sets.",
    examples: [
      "aro-hcp destroy management-cluster --cloud local --name mgmt",
      "aro-hcp destroy management-cluster --azure-creds creds.json --management-cluster-file management-cluster.json --yes",
    ],
    options: [...changes, "name", "managementClusterFile", "aksGroupName", "purge", "deleteForeign"],
  },
  "show management-cluster": {
    summary: "show a management cluster and its drift",
    description:
      "Reads every resource of create management-cluster, and shows its state and its drift. The settings that the cluster was created with are " +
      "read from the output file or from what exists; flags override them. Read-only.",
    examples: [
      "aro-hcp show management-cluster --cloud local --name mgmt",
      "aro-hcp show management-cluster --azure-creds creds.json --management-cluster-file management-cluster.json",
    ],
    options: [...reads, "name", "location", "managementClusterFile", ...managementCluster, "shownExitCode"],
    usual: ["name", "managementClusterFile", "location", "shownExitCode", "output"],
  },
  "verify management-cluster": {
    summary: "check a management cluster for differences, and for problems that block hosted control planes",
    description:
      "Compares the cluster with its settings, and checks the secrets provider and its roles, the identities, agent pools, quotas, addresses and " +
      "rules. With --kubeconfig, it also checks the operator and the shared ingress. Read-only. Exits with 6 if a check failed, or with 3 if " +
      "there are only warnings.",
    examples: [
      "aro-hcp verify management-cluster --cloud local --name mgmt",
      "aro-hcp verify management-cluster --azure-creds creds.json --management-cluster-file management-cluster.json --kubeconfig mgmt.kubeconfig",
    ],
    options: [...verifies, "name", "location", "managementClusterFile", ...managementCluster, "aksKubeconfig"],
    usual: ["name", "managementClusterFile", "location", "aksKubeconfig", "only", "verifyOutput"],
  },
  "graph management-cluster": {
    summary: "print the steps of create management-cluster",
    description:
      "Prints the steps of create management-cluster with the same settings, and their dependencies. Sends no requests to Azure. " +
      "With --flow, prints the cluster with its addresses and IP tags, who can reach it, and what it reaches; with the files of a management cluster " +
      "and a service cluster, it prints both.",
    examples: [
      "aro-hcp graph management-cluster --name mgmt --format dot | dot -Tsvg > graph.svg",
      "aro-hcp graph management-cluster --flow --management-cluster-file management-cluster.json",
    ],
    options: [
      ...everywhere,
      ...(["subscription", "cloud", "location", "name", "managementClusterFile", "serviceClusterFile"] as const),
      ...managementCluster,
      ...(["flow", "graphFormat"] as const),
    ],
    usual: ["name", "managementClusterFile", "serviceClusterFile", "location", "preset", "userPool", "flow"],
  },
  "create service-cluster": {
    summary: "create an AKS cluster for the services of ARO HCP",
    description:
      "Creates what create management-cluster creates, and an ingress: AKS's Istio add-on and Gateway API, an address with rules for the service " +
      "tags that may reach it, an A record, and a TLS certificate. After a failure, rerun it: it creates the missing resources, and restores " +
      "changed properties of its own.",
    examples: [
      "aro-hcp create service-cluster --cloud local --name svc --dry-run",
      "aro-hcp create service-cluster --azure-creds creds.json --name svc --location westus3 --ops-ingress --regional-zone westus3.example.com",
    ],
    required: ["name"],
    options: [...creates, ...serviceCluster, "purgeProtection", ...outputs],
    usual: [
      "location",
      "preset",
      "userPool",
      "opsIngress",
      "regionalZone",
      "dryRun",
      "yes",
      "managementClusterOutput",
      "outputKubeconfig",
      "output",
    ],
  },
  "destroy service-cluster": {
    summary: "delete the resources of create service-cluster",
    description:
      "Deletes the AKS cluster with its node resource group, then its role assignments, A record and the other resources that create " +
      "service-cluster created. Keeps existing resources that you passed, and resources of other owners.",
    examples: [
      "aro-hcp destroy service-cluster --cloud local --name svc",
      "aro-hcp destroy service-cluster --azure-creds creds.json --service-cluster-file service-cluster.json --yes",
    ],
    options: [...changes, "name", "serviceClusterFile", "aksGroupName", "purge", "deleteForeign"],
  },
  "show service-cluster": {
    summary: "show a service cluster and its drift",
    description:
      "Reads every resource of create service-cluster, and shows its state and its drift. The settings that the cluster was created with are " +
      "read from the output file or from what exists; flags override them. Read-only.",
    examples: [
      "aro-hcp show service-cluster --cloud local --name svc",
      "aro-hcp show service-cluster --azure-creds creds.json --service-cluster-file service-cluster.json",
    ],
    options: [...reads, "name", "location", "serviceClusterFile", ...serviceCluster, "shownExitCode"],
    usual: ["name", "serviceClusterFile", "location", "shownExitCode", "output"],
  },
  "verify service-cluster": {
    summary: "check a service cluster for differences, and for problems that block its ingress",
    description:
      "Compares the cluster with its settings, and checks the addresses, rules, A record, TLS certificate, identities, agent pools and quotas. " +
      "With --kubeconfig, it also checks the gateways. Read-only. Exits with 6 if a check failed, or with 3 if there are only warnings.",
    examples: [
      "aro-hcp verify service-cluster --cloud local --name svc",
      "aro-hcp verify service-cluster --azure-creds creds.json --service-cluster-file service-cluster.json --kubeconfig svc.kubeconfig",
    ],
    options: [...verifies, "name", "location", "serviceClusterFile", ...serviceCluster, "aksKubeconfig"],
    usual: ["name", "serviceClusterFile", "location", "aksKubeconfig", "only", "verifyOutput"],
  },
  "graph service-cluster": {
    summary: "print the steps of create service-cluster",
    description:
      "Prints the steps of create service-cluster with the same settings, and their dependencies. Sends no requests to Azure. " +
      "With --flow, prints the cluster with its addresses and IP tags, who can reach it, and what it reaches; with the files of a service cluster and " +
      "a management cluster, it prints both.",
    examples: ["aro-hcp graph service-cluster --name svc --ops-ingress --format dot | dot -Tsvg > graph.svg"],
    options: [
      ...everywhere,
      ...(["subscription", "cloud", "location", "name", "serviceClusterFile", "managementClusterFile"] as const),
      ...serviceCluster,
      ...(["flow", "graphFormat"] as const),
    ],
    usual: ["name", "serviceClusterFile", "managementClusterFile", "location", "preset", "opsIngress", "regionalZone", "flow"],
  },
  "render ingress": {
    summary: "print the manifests of a service cluster's ingress: gateways, routes and TLS secret",
    description:
      "Prints the annotations that put the gateway of AKS's Istio add-on at its address, an Istio Gateway and a VirtualService for each hostname, and " +
      "the SecretProviderClass of the TLS certificate with a Deployment that mounts it. With an address of the operators, also a Gateway of the " +
      "Gateway API and its HTTPRoutes. The settings that the cluster was created with are read from --service-cluster-file; flags override them. " +
      "Sends no requests to Azure.",
    examples: [
      "aro-hcp render ingress --service-cluster-file service-cluster.json | kubectl apply --server-side -f -",
      "aro-hcp render ingress --service-cluster-file service-cluster.json --ops-backend admin=admin-api.aro-hcp:8443 --output-dir manifests",
    ],
    required: ["serviceClusterFile"],
    options: [
      ...everywhere,
      "regionalZone",
      "ingressHost",
      "opsHost",
      "ingressBackend",
      "opsBackend",
      "certificateVaultId",
      "certificateName",
      ...manifests,
      "manifestDir",
    ],
  },
} as const satisfies Readonly<Record<string, Command>>;
