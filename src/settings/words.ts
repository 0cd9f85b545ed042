/** What the words of commands mean, for the help: first the verb, then the noun. */

/** The verbs of several commands. A noun of one verb alone is named here. */
export const verbs: Readonly<Record<string, string>> = {
  create: "create what is missing; after a failure, rerun it",
  destroy: "delete what create created, and nothing else",
  adopt: "tag existing resources, so that destroy may delete them",
  show: "show what exists and what differs; also settings of a command",
  verify: "check resources and files, and name a fix for each problem",
  rotate: "replace credentials, or an encryption-key",
  render: "print manifests: hosted-cluster, hypershift-install, ingress, arc, secret-provider-classes, fleet-jobs",
  wait: "wait until arc has connected a cluster",
  local: "the built-in emulator: serve, env, status, seed, reset",
};

/** The nouns, with a sentence each. */
export const nouns: Readonly<Record<string, string>> = {
  all: "everything that one hosted cluster needs in Azure",
  infra: "its resource groups, network, DNS zones and roles",
  identities: "its applications, managed identities and vault",
  "oidc-issuer": "the public documents with which Azure trusts its tokens",
  "key-pair": "the key that signs its service account tokens",
  "encryption-key": "the Key Vault key that encrypts its etcd",
  iam: "workload identities of a self-managed control plane",
  "dns-zone": "a public DNS zone, and access to it for ExternalDNS",
  fleet: "the clusters of a file, many at once, with what they share",
  estate: "all clusters of aro-hcp, in all subscriptions (only verify)",
  "management-cluster": "an AKS cluster that runs hosted control planes",
  "service-cluster": "an AKS cluster that runs the services of ARO HCP",
  arc: "the connection of a hosted cluster to Azure Arc",
};
