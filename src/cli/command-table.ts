/** Every command in words, and the module that runs it. Loads nothing: `--help` is made from this. */
import type { CommandName } from "../settings/option.js";
import type { CommandModule } from "./run/run-command.js";

export interface CommandText<C extends CommandName> {
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly string[];
  /** What may stand behind the command, beside flags. */
  readonly word?: { readonly name: string; readonly help: string };
  /** The module that runs it, loaded only then. */
  readonly load: () => Promise<CommandModule<C>>;
}

export const commands: { readonly [C in CommandName]: CommandText<C> } = {
  "create infra": {
    summary: "make the Azure infrastructure of a cluster",
    description:
      "Makes the resource groups, network, private DNS zone, public IP address and load balancer of a cluster, and with --assign-identity-roles " +
      "gives its identities their roles. Run it again after anything went wrong: it completes what is missing and changes nothing else.",
    examples: [
      "aro-hcp create infra --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dry-run",
      "aro-hcp create infra --azure-creds creds.json --name demo --infra-id demo-x7k2 --base-domain example.com --output-file infra.json",
    ],
    load: () => import("./commands/create-infra.js"),
  },
  "destroy infra": {
    summary: "remove what create infra made",
    description:
      "Removes what is provably this cluster's: by ownership tags, by role assignments whose name only it can have, and what its Kubernetes made in " +
      "its groups. What was brought, or belongs to others, is named and kept.",
    examples: [
      "aro-hcp destroy infra --cloud local --name demo --infra-id demo-x7k2",
      "aro-hcp destroy infra --azure-creds creds.json --infra-json infra.json --yes",
    ],
    load: () => import("./commands/destroy-infra.js"),
  },
  "show infra": {
    summary: "show what exists of a cluster's infrastructure, and where it differs",
    description:
      "Reads every resource that create infra would make with the same settings, and tells its state and how it differs. Writes nothing.",
    examples: ["aro-hcp show infra --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com"],
    load: () => import("./commands/show-infra.js"),
  },
  "create identities": {
    summary: "make the identities of a cluster, or of several",
    description:
      "Makes a key vault, an Entra application with certificate and credential secret for each component of the control plane, and the managed " +
      "identities of the data plane, and writes the files that name them. Run for the same name again it changes nothing: one set serves several clusters.",
    examples: [
      "aro-hcp create identities --cloud local --name demo --resource-group-name demo-common --oidc-issuer-url https://issuer.example.com/demo",
      "aro-hcp create identities --azure-creds creds.json --name demo --resource-group-name common --oidc-issuer-url https://... --output-file ids.json",
    ],
    load: () => import("./commands/create-identities.js"),
  },
  "destroy identities": {
    summary: "remove what create identities made",
    description:
      "Removes the set's role assignments, applications, managed identities and key vault, and the group where it was made for them and is empty. " +
      "Azure keeps the vault and the applications recoverable for a while; --purge does away with them at once.",
    examples: ["aro-hcp destroy identities --cloud local --name demo --resource-group-name demo-common --purge"],
    load: () => import("./commands/destroy-identities.js"),
  },
  "show identities": {
    summary: "show the identities of a set, and when their credentials expire",
    description:
      "Reads vault, directory and managed identities. Exits with 3 where a credential expires soon (--warn-days). Writes nothing.",
    examples: ["aro-hcp show identities --cloud local --name demo --resource-group-name demo-common"],
    load: () => import("./commands/show-identities.js"),
  },
  "rotate credentials": {
    summary: "replace the certificates of the control plane's identities",
    description:
      "Makes a new certificate, registers it beside the old one, rewrites the secret, proves it by signing in, and takes the old certificate back " +
      "after --overlap: in this run where that ends within --timeout, else in the next one.",
    examples: ["aro-hcp rotate credentials --cloud local --name demo --resource-group-name demo-common --component cpo,disk"],
    load: () => import("./commands/rotate-credentials.js"),
  },
  graph: {
    summary: "draw the graph of steps, or the flow of the identities, as mermaid or dot",
    description:
      "Draws what create infra would make with the same settings, and what waits for what. Asks nothing of Azure.\n" +
      "With --flow it draws from which secret or token each pod has its identity, and with which role that works on what, as the files tell it: " +
      "names that they do not tell are those that create all gives.",
    examples: [
      "aro-hcp graph --name demo --infra-id demo-x7k2 --base-domain example.com --format dot | dot -Tsvg > graph.svg",
      "aro-hcp graph --flow --input-dir demo",
      "aro-hcp graph --flow --managed-identities-file identities.json --name demo --infra-id demo-x7k2 --dns-zone-rg-name dns",
    ],
    load: () => import("./commands/graph.js"),
  },
  "render secret-provider-classes": {
    summary: "print the SecretProviderClasses by which the control plane's pods mount their credentials",
    description:
      "Prints one SecretProviderClass for each identity of the control plane, as HyperShift's operators make them: to compare with, or to apply before\n" +
      "they run. --key-vault-user-client-id is the client id of the identity that AKS' add-on mounts secrets with:\n" +
      "az aks show --query addonProfiles.azureKeyvaultSecretsProvider.identity.clientId. Asks nothing of Azure.",
    examples: [
      "aro-hcp render secret-provider-classes --name demo --managed-identities-file demo/identities.json --key-vault-user-client-id 1f0e... | kubectl apply -f -",
      "aro-hcp render secret-provider-classes --name demo --managed-identities-file demo/identities.json --format json --output-file classes.json",
    ],
    load: () => import("./commands/render-secret-provider-classes.js"),
  },
  "render hosted-cluster": {
    summary: "print the part of a HostedCluster that follows from infrastructure, identities and issuer",
    description:
      "Prints a HostedCluster with everything that the files tell of it, checked by the rules of its API first: what is missing or would be refused is\n" +
      "told all at once, with file and line. Release, pull secret, networking, services and etcd are yours to add. The signing key is never printed:\n" +
      "the kubectl command that makes its secret from the file is told on standard error. Asks nothing of Azure.",
    examples: [
      "aro-hcp render hosted-cluster --infra-json demo/infra.json --oidc-issuer-url https://demo.blob.core.windows.net/demo > hc.yaml",
      "aro-hcp render hosted-cluster --infra-json infra.json --managed-identities-file ids.json --oidc-issuer-url https://... --encryption-key-id https://...",
    ],
    load: () => import("./commands/render-hosted-cluster.js"),
  },
  "create key-pair": {
    summary: "make the key that signs service-account tokens",
    description:
      "Makes an RSA key of 4096 bits in serviceaccount-signer.private, and its public half in serviceaccount-signer.public. A private key that is " +
      "there already is kept, and its public half told from it again. Asks nothing of Azure.",
    examples: ["aro-hcp create key-pair --output-dir keys"],
    load: () => import("./commands/create-key-pair.js"),
  },
  "create oidc-issuer": {
    summary: "publish the public key, so that Entra trusts the cluster's tokens",
    description:
      "Makes a storage account with a container that everybody may read and nobody list, publishes discovery document and key set in it, and reads " +
      "them back as Entra will. A further key is published beside those that are; --retire-key takes one back.",
    examples: [
      "aro-hcp create oidc-issuer --cloud local --name demo --public-key-file keys/serviceaccount-signer.public",
      "aro-hcp create oidc-issuer --azure-creds creds.json --name demo --storage-account-name demoissuer --output-dir keys",
    ],
    load: () => import("./commands/create-oidc-issuer.js"),
  },
  "destroy oidc-issuer": {
    summary: "remove what create oidc-issuer made",
    description:
      "Removes the storage account of the set, the role that was given on it, and the group where it was made for it and is empty.",
    examples: ["aro-hcp destroy oidc-issuer --cloud local --name demo"],
    load: () => import("./commands/destroy-oidc-issuer.js"),
  },
  "create all": {
    summary: "make signing key, issuer, identities, infrastructure and roles in one run",
    description:
      "Makes everything that a hosted cluster needs, side by side where nothing has to wait, and writes every file that a HostedCluster is made from " +
      "into --output-dir. Run it again after anything went wrong: it completes what is missing and changes nothing else.",
    examples: [
      "aro-hcp create all --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns --output-dir demo",
      "aro-hcp create all --azure-creds creds.json --config cluster.yaml --output-dir demo",
    ],
    load: () => import("./commands/create-all.js"),
  },
  "destroy all": {
    summary: "remove what create all made",
    description:
      "Removes infrastructure, identities and issuer, each only where it is provably ours. Files and signing key stay where they are. " +
      "Azure keeps the vault and the applications recoverable for a while; --purge does away with them at once.",
    examples: ["aro-hcp destroy all --cloud local --name demo --infra-id demo-x7k2 --purge"],
    load: () => import("./commands/destroy-all.js"),
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
    load: () => import("./commands/verify-identities.js"),
  },
  doctor: {
    summary: "check what a create needs, before anything is made",
    description:
      "Looks at this machine, the sign-in and the subscription, and tells what a create with the same settings would fail for, why, and what to do. " +
      "Writes nothing, but for providers with --register. Exits with 6 where a check failed, with 3 where there are warnings only.",
    examples: [
      "aro-hcp doctor --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com --dns-zone-rg-name dns",
      "aro-hcp doctor infra --azure-creds creds.json --config cluster.yaml --output json",
    ],
    word: { name: "what", help: "what is to be made: all (as where it is absent), infra, identities or oidc-issuer" },
    load: () => import("./commands/doctor.js"),
  },
  "verify infra": {
    summary: "check the infrastructure of a cluster, and what would block a hosted cluster on it",
    description:
      "Compares every resource and property of create infra with Azure, and looks for what stalls a hosted cluster: locations, subnet, DNS, address " +
      "ranges, roles, locks.\nTells every check that does not hold, why, and what to do. Writes nothing. Exits with 6 where a check failed, with 3 " +
      "where there are warnings only.",
    examples: [
      "aro-hcp verify infra --cloud local --name demo --infra-id demo-x7k2 --base-domain hcp.example.com",
      "aro-hcp verify infra --azure-creds creds.json --infra-json infra.json --only network-ranges,zone-overlap --output json",
    ],
    load: () => import("./commands/verify-infra.js"),
  },
  schema: {
    summary: "print the JSON Schema of a file that is written or read here",
    description: "Prints the schema of the document (JSON Schema 2020-12); without one, the names of all documents.",
    examples: ["aro-hcp schema identities"],
    word: { name: "document", help: "name of the document" },
    load: () => import("./commands/schema.js"),
  },
};
