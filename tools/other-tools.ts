/**
 * Every command and flag of the tools that aro-hcp replaces, with what replaces it or the reason why nothing does. docs/other-tools.md is written from it,
 * and test/cli/other-tools.test.ts runs each row.
 *
 * Sources: openshift/hypershift at 3ee9615567 (`cmd/infra/azure`, `cmd/cluster/core`, `cmd/cluster/azure`, `cmd/nodepool/azure`,
 * `contrib/managed-azure`) and openshift/cloud-credential-operator at b187feee6 (`pkg/cmd/provisioning/azure`).
 */

/** The arguments that are added to those of the table; empty if the table has them, or if none are needed. */
export interface Same {
  readonly flag: string;
  readonly ours: readonly string[];
  readonly note?: string;
}

/** `why` there is no such flag: a sentence without a period. */
export interface Missing {
  readonly flag: string;
  readonly why: string;
}

export type Row = Same | Missing;

export interface Table {
  /** The other tool's command, between backticks. */
  readonly theirs: string;
  /** The command that does the same. `base`: the arguments that it needs. "@" begins the name of a file that the test makes. */
  readonly ours: string;
  readonly base: readonly string[];
  readonly rows: readonly Row[];
}

const is = (flag: string, ours: readonly string[] = [], note?: string): Row => ({ flag, ours, ...(note !== undefined && { note }) });
/** The same flag with this value. */
const same = (flag: string, ...values: readonly string[]): Row => is(flag, [flag, ...values]);
const no = (flag: string, why: string): Row => ({ flag, why });

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const network = `${subscription}/resourceGroups/net/providers/Microsoft.Network`;
const vnet = ["--vnet-id", `${network}/virtualNetworks/vnet`];
const subnet = ["--subnet-id", `${network}/virtualNetworks/vnet/subnets/default`];
const nsg = ["--network-security-group-id", `${network}/networkSecurityGroups/nsg`];
const cluster = ["--name", "demo", "--infra-id", "demo-x7k2"];
const domain = ["--base-domain", "hcp.example.com"];
const identities = ["--managed-identities-file", "@cp.json", "--data-plane-identities-file", "@dp.json"];
const roles = [...identities, "--assign-identity-roles", "--dns-zone-rg-name", "dns"];
const local = ["--cloud", "local"];
const creds = is("--azure-creds", [], "the same file, or the sign-in of the Azure CLI or of the SDK");

const createInfra: Table = {
  theirs: "`hypershift create infra azure`",
  ours: "create infra",
  base: [...local, ...cluster, ...domain, "--dry-run"],
  rows: [
    is("--name"),
    is("--infra-id"),
    is("--base-domain"),
    creds,
    same("--location", "eastus"),
    is("--cloud", [], "for every client, also for roles and the directory"),
    same("--resource-group-name", "shared"),
    is("--output-file", ["--output-file", "@created.json"], "JSON, which hypershift reads too"),
    is("--network-security-group-id", [...nsg, ...vnet, ...subnet]),
    is("--subnet-id", [...subnet, ...nsg]),
    is("--vnet-id", [...vnet, ...subnet, ...nsg]),
    same("--resource-group-tags", "team=a"),
    is("-t", ["-t", "team=a"]),
    is("--managed-identities-file", roles),
    is("--data-plane-identities-file", roles),
    is("--workload-identities-file", ["--workload-identities-file", "@wi.json"]),
    is("--assign-identity-roles", roles),
    is("--dns-zone-rg-name", roles),
    is("--assign-custom-hcp-roles", [...roles, "--assign-custom-hcp-roles"]),
    same("--disable-cluster-capabilities", "ImageRegistry"),
  ],
};

const destroyInfra: Table = {
  theirs: "`hypershift destroy infra azure`",
  ours: "destroy infra",
  base: [...local, ...cluster, "--dry-run"],
  rows: [
    is("--name"),
    is("--infra-id"),
    creds,
    is("--location", ["--location", "eastus"], "accepted and unused, as in hypershift"),
    is("--cloud"),
    same("--resource-group-name", "shared"),
    is("--preserve-resource-group", ["--preserve-resource-group"], "nothing is deleted by a part of its name"),
  ],
};

const iamPlace = [...local, ...cluster, "--resource-group-name", "iam"];

const createIam: Table = {
  theirs: "`hypershift create iam azure`",
  ours: "create iam",
  base: [...iamPlace, "--oidc-issuer-url", "https://issuer.example.com/demo", "--dry-run"],
  rows: [
    is("--name"),
    is("--infra-id"),
    creds,
    is("--resource-group-name"),
    is("--oidc-issuer-url"),
    is("--output-file", ["--output-file", "@iam.json"], "JSON, which hypershift reads too"),
    same("--location", "eastus"),
    is("--cloud"),
    same("--enable-kms"),
  ],
};
const destroyIam: Table = {
  theirs: "`hypershift destroy iam azure`",
  ours: "destroy iam",
  base: [...iamPlace, "--dry-run"],
  rows: [
    no("--workload-identities-file", "the identities are found by their tag and their names"),
    creds,
    is("--resource-group-name"),
    is("--name"),
    is("--infra-id"),
    no("--dns-zone-rg-name", "role assignments are found by their identities"),
    is("--cloud"),
  ],
};

const overlay = (field: string) => `rare: set ${field} in an overlay of kustomize ([manifests.md](manifests.md#other-fields))`;
const elsewhere = "create infra has it, and the manifests take what it made from infra.json";
const online = "the manifests are written without a cluster; kubectl applies them, and oc adm wait-for waits";
const marketplace = Object.entries({ publisher: "azureopenshift", offer: "aro4", sku: "aro_414", version: "414.92.2024021" }).flatMap(
  ([key, value]) => [`--marketplace-${key}`, value],
);
const nat = ["--endpoint-access-private-nat-subnet-id", `${network}/virtualNetworks/vnet/subnets/nat`];
const isPrivate = ["--endpoint-access", "Private", ...nat];

const render: Table = {
  theirs: "`hypershift create cluster azure --render`",
  ours: "render hosted-cluster",
  base: [
    ...["--name", "demo", "--infra-file", "@infra.json", "--oidc-issuer-url", "https://demo.blob.core.windows.net/demo"],
    ...["--azure-creds", "@creds.json", "--release-image", "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64"],
  ],
  rows: [
    is("--render", [], "what the command does"),
    is("--render-into", ["--output-file", "@hosted-cluster.yaml"]),
    is(
      "--render-sensitive",
      ["--output-dir", "@manifests", "--pull-secret", "@pull-secret.json", "--sa-token-issuer-private-key-path", "@signer"],
      "Secrets are written to private files, never printed",
    ),
    is("--name"),
    same("--namespace", "clusters"),
    is("--infra-file"),
    is("--azure-creds", [], "only for a file of hypershift, which has no subscription and tenant"),
    is("--infra-id", [], "of infra.json"),
    is("--base-domain", [], "of infra.json"),
    is("--location", [], "of infra.json"),
    is("--release-image"),
    no("--release-stream", "the image is part of the manifest, so it is named and not looked up in the cluster"),
    same("--pull-secret", "@pull-secret.json"),
    same("--ssh-key", "@id.pub"),
    no("--generate-ssh", "a private key does not belong in a manifest; ssh-keygen creates one, and --ssh-key takes its public key"),
    same("--oidc-issuer-url", "https://demo.blob.core.windows.net/demo"),
    same("--sa-token-issuer-private-key-path", "@signer"),
    is("--managed-identities-file", ["--managed-identities-file", "@cp.json"]),
    is("--data-plane-identities-file", ["--data-plane-identities-file", "@dp.json"]),
    is("--workload-identities-file", ["--workload-identities-file", "@wi.json"]),
    no("--oauth-publishing-strategy", `LoadBalancer is for workload identities only, and ${overlay("spec.services")}`),
    is("--encryption-key-id", [
      ...["--encryption-key-id", "https://kv-demo.vault.azure.net/keys/etcd/0a0a"],
      ...["--kms-credentials-secret-name", "demo-kms"],
    ]),
    is("--kms-credentials-secret-name", [
      ...["--encryption-key-id", "https://demo-hsm.managedhsm.azure.net/keys/etcd/0a0a"],
      ...["--kms-credentials-secret-name", "demo-kms"],
    ]),
    is("--endpoint-access", isPrivate),
    is("--endpoint-access-private-nat-subnet-id", isPrivate),
    is("--endpoint-access-private-additional-allowed-subscriptions", [
      ...[...isPrivate, "--endpoint-access-private-additional-allowed-subscriptions"],
      "22222222-2222-2222-2222-222222222222",
    ]),
    same("--external-dns-domain", "ext.example.net"),
    same("--annotations", "a.example.com/b=c"),
    no("--labels", overlay("metadata.labels")),
    same("--control-plane-availability-policy", "HighlyAvailable"),
    same("--infra-availability-policy", "HighlyAvailable"),
    is("--control-plane-operator-image", ["--annotations", "hypershift.openshift.io/control-plane-operator-image=quay.io/a/b:c"]),
    same("--fips"),
    same("--etcd-storage-class", "premium"),
    same("--etcd-storage-size", "16Gi"),
    same("--cluster-cidr", "10.200.0.0/14"),
    same("--service-cidr", "10.220.0.0/16"),
    no("--machine-cidr", overlay("spec.networking.machineNetwork")),
    no("--default-dual", "hosted clusters on Azure have IPv4 only"),
    no("--network-type", overlay("spec.networking.networkType")),
    no("--disable-multi-network", overlay("spec.operatorConfiguration.clusterNetworkOperator")),
    no("--ovn-kubernetes-mtu", overlay("spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig")),
    no("--allocate-node-cidrs", overlay("spec.networking.allocateNodeCIDRs")),
    no("--base-domain-prefix", overlay("spec.dns.baseDomainPrefix")),
    no("--kas-dns-name", overlay("spec.kubeAPIServerDNSName")),
    no("--node-selector", overlay("spec.nodeSelector")),
    no("--pods-labels", overlay("spec.labels")),
    no("--toleration", overlay("spec.tolerations")),
    no("--olm-catalog-placement", overlay("spec.olmCatalogPlacement")),
    no("--olm-disable-default-sources", overlay("spec.configuration.operatorHub")),
    no("--feature-set", overlay("spec.configuration.featureGate")),
    no("--additional-trust-bundle", overlay("spec.additionalTrustBundle, with its ConfigMap")),
    no("--image-content-sources", overlay("spec.imageContentSources")),
    no("--pausedUntil", overlay("spec.pausedUntil")),
    same("--disable-cluster-capabilities", "Insights"),
    no("--enable-cluster-capabilities", overlay("spec.capabilities.enabled")),
    is(
      "--node-pool-replicas",
      ["--node-pool-replicas", "2"],
      "-1, for no NodePool, is not accepted: leave node-pools.yaml out in an overlay",
    ),
    is("--availability-zones", ["--availability-zones", "1,2,3"]),
    no("--availability-zone", "hypershift ignores it here; --availability-zones takes one zone too"),
    same("--instance-type", "Standard_D8s_v5"),
    same("--arch", "arm64"),
    same("--root-disk-size", "200"),
    same("--disk-storage-account-type", "StandardSSD_LRS"),
    same("--disk-encryption-set-id", `${subscription}/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/disks`),
    same("--enable-ephemeral-disk"),
    same("--encryption-at-host", "Disabled"),
    same("--image-generation", "Gen1"),
    is("--marketplace-publisher", marketplace),
    is("--marketplace-offer", marketplace),
    is("--marketplace-sku", marketplace),
    is("--marketplace-version", marketplace),
    no("--nodepool-subnet-id", "hypershift ignores it here; the nodes use the subnet of infra.json"),
    is("--diagnostics-storage-account-type", ["--diagnostics-storage-account-type", "Managed"]),
    is("--diagnostics-storage-account-uri", [
      ...["--diagnostics-storage-account-type", "UserManaged"],
      ...["--diagnostics-storage-account-uri", "https://demo.blob.core.windows.net/"],
    ]),
    same("--node-upgrade-type", "InPlace"),
    same("--auto-repair"),
    no("--node-drain-timeout", overlay("spec.nodeDrainTimeout of the NodePools")),
    no("--node-volume-detach-timeout", overlay("spec.nodeVolumeDetachTimeout of the NodePools")),
    ...["--resource-group-name", "--vnet-id", "--subnet-id", "--network-security-group-id", "--resource-group-tags", "-t"].map((flag) =>
      no(flag, elsewhere),
    ),
    ...["--dns-zone-rg-name", "--assign-service-principal-roles", "--assign-custom-hcp-roles"].map((flag) => no(flag, elsewhere)),
    ...["--kubeconfig", "--wait", "--version-check"].map((flag) => no(flag, online)),
    is("--timeout", ["--timeout", "5m"], "accepted and unused: nothing is waited for"),
  ],
};

const keyPair: Table = {
  theirs: "`ccoctl azure create-key-pair`",
  ours: "create key-pair",
  base: ["--output-dir", "@keys"],
  rows: [is("--output-dir", [], "private files, without the copy for openshift-install")],
};

const place: readonly Row[] = [
  is("--name"),
  is("--region", ["--region", "eastus"]),
  is("--subscription-id", ["--subscription", "5b5c0000-0000-4000-8000-000000000001"]),
];

const issuer: Table = {
  theirs: "`ccoctl azure create-oidc-issuer`",
  ours: "create oidc-issuer",
  base: [...local, "--name", "demo", "--public-key-file", "@signer.public", "--dry-run"],
  rows: [
    ...place,
    no("--tenant-id", "the tenant is that of the subscription"),
    is("--public-key-file"),
    same("--oidc-resource-group-name", "oidc"),
    same("--storage-account-name", "demoissuer"),
    same("--blob-container-name", "keys"),
    same("--output-dir", "@issuer"),
    same("--user-tags", "team=a"),
    is("--dry-run", [], "reads Azure and writes nothing, local files neither"),
  ],
};

const requests = "the identities of hosted control planes are known, so no CredentialsRequests are read";
const managed: Table = {
  theirs: "`ccoctl azure create-managed-identities`",
  ours: "create identities",
  base: [
    ...local,
    "--name",
    "demo",
    "--resource-group-name",
    "common",
    "--oidc-issuer-url",
    "https://issuer.example.com/demo",
    "--dry-run",
  ],
  rows: [
    ...place,
    is("--issuer-url", ["--oidc-issuer-url", "https://issuer.example.com/demo"]),
    no("--credentials-requests-dir", requests),
    is("--oidc-resource-group-name", ["--resource-group-name", "identities"]),
    no("--installation-resource-group-name", "create infra makes that group, and --assign-identity-roles the roles on it"),
    no("--network-resource-group-name", "create infra --assign-identity-roles assigns the roles of a cluster"),
    no("--dnszone-resource-group-name", "create infra --dns-zone-rg-name assigns the role on that group"),
    no("--preserve-existing-roles", "no role of others is ever removed"),
    is("--output-dir", ["--output-file", "@identities.json"]),
    no("--user-tags", "add tags with az: a rerun keeps them"),
    no("--enable-tech-preview", requests),
    is("--dry-run"),
  ],
};

const everything: Table = {
  theirs: "`ccoctl azure create-all`",
  ours: "create all",
  // The set of the test is in this group.
  base: [
    ...[...local, ...cluster, ...domain, "--dns-zone-rg-name", "dns"],
    ...["--persistent-resource-group-name", "common", "--output-dir", "@all", "--dry-run"],
  ],
  rows: [
    ...place,
    no("--tenant-id", "the tenant is that of the subscription"),
    no("--credentials-requests-dir", requests),
    is("--dnszone-resource-group-name", ["--dns-zone-rg-name", "dns"]),
    same("--oidc-resource-group-name", "oidc"),
    is(
      "--installation-resource-group-name",
      ["--resource-group-name", "shared"],
      "an existing group; without the flag, the group is created, as ccoctl does",
    ),
    same("--storage-account-name", "demoissuer"),
    same("--blob-container-name", "keys"),
    no("--public-key-file", "the output directory contains the key pair, and an existing one is kept"),
    is("--output-dir"),
    is("--user-tags", ["--resource-group-tags", "team=a"], "on the resource groups of the cluster"),
    no("--enable-tech-preview", requests),
    no("--network-resource-group-name", "the roles are assigned on the group of the network that is created or named"),
    no("--preserve-existing-roles", "no role of others is ever removed"),
  ],
};

const remove: Table = {
  theirs: "`ccoctl azure delete`",
  ours: "destroy oidc-issuer",
  base: [...local, "--name", "demo", "--dry-run"],
  rows: [
    is("--name", [], "destroy identities deletes the identities"),
    is("--region", [], "not needed"),
    is("--subscription-id", ["--subscription", "5b5c0000-0000-4000-8000-000000000001"]),
    no("--delete-oidc-resource-group", "the group is deleted if it is empty and was created with the issuer"),
    same("--storage-account-name", "demoissuer"),
    same("--oidc-resource-group-name", "oidc"),
    is("--dry-run", [], "which ccoctl accepts and ignores"),
  ],
};

export const tables: readonly Table[] = [
  createInfra,
  destroyInfra,
  createIam,
  destroyIam,
  render,
  keyPair,
  issuer,
  managed,
  everything,
  remove,
];

/** A script of a folder of hypershift's `contrib`. */
export interface Script {
  readonly script: string;
  /** Commands of aro-hcp with arguments that the test runs; empty if none replaces it. */
  readonly ours: readonly (readonly string[])[];
  readonly note: string;
}

const mgmt = ["--cloud", "local", "--name", "mgmt"];
const set = ["--cloud", "local", "--name", "demo", "--resource-group-name", "common"];
const zone = [...local, "--base-domain", "blue.hcp.example.com", "--dns-zone-rg-name", "blue-dns"];
const setDryRun = [...set, "--oidc-issuer-url", "https://issuer.example.com/demo", "--dry-run"];

const managedScripts: readonly Script[] = [
  { script: "vars.sh", ours: [], note: "flags, environment variables or a `--config` file instead of variables" },
  {
    script: "setup_all.sh",
    ours: [["create", "all", ...everything.base]],
    note: "the parts of the cluster; the management cluster is below",
  },
  {
    script: "setup_MIv3_kv.sh",
    ours: [["create", "identities", ...setDryRun]],
    note: "the vault, eight applications with certificates and their secrets; without the Velero principal",
  },
  { script: "setup_oidc_provider.sh", ours: [["create", "oidc-issuer", ...issuer.base]], note: "also read back anonymously" },
  { script: "setup_dataplane_identities.sh", ours: [["create", "identities", ...setDryRun]], note: "in the same command" },
  {
    script: "setup_aks_mi.sh",
    ours: [["create", "management-cluster", ...mgmt, "--dry-run"]],
    note: "the identities are created with the cluster",
  },
  {
    script: "setup_aks_cluster.sh",
    ours: [["create", "management-cluster", ...mgmt, "--preset", "dev", "--dry-run"]],
    note: "`--preset dev` is its size; `create identities --management-cluster-file` assigns the role on the vault",
  },
  {
    script: "setup_external_dns.sh",
    ours: [
      ["create", "dns-zone", ...zone, "--external-dns-identity", "service-principal", "--dry-run"],
      [
        ...["render", "hypershift-install", "--key-vault-user-client-id", "1f0e0000-0000-4000-8000-00000000000a"],
        ...["--external-dns-credentials", "@azure.json", "--external-dns-domain-filter", "hcp.example.com"],
      ],
    ],
    note: "the zone, its delegation, and the principal with its roles and `azure.json`, which the operator's installation takes",
  },
  {
    script: "setup_install_ho_on_aks.sh",
    ours: [["render", "hypershift-install", "--key-vault-user-client-id", "1f0e0000-0000-4000-8000-00000000000a"]],
    note: "prints the commands, or writes them as a script",
  },
  {
    script: "setup_etcd_kv.sh",
    ours: [["create", "encryption-key", ...set, "--dry-run"]],
    note: "the key is in the vault of the set, and the role on the key alone",
  },
  {
    script: "setup_etcd_managed_hsm.sh",
    ours: [["create", "encryption-key", ...set, "--managed-hsm-name", "demo-hsm", "--dry-run"]],
    note: "the key and its role; creating and activating the HSM needs the keys of its security domain, which belong to people",
  },
  {
    script: "setup_backup_extension.sh",
    ours: [["create", "arc", "extension", "--help"]],
    note: "not for AKS: backup is not part of a hosted cluster; `create arc extension` installs extensions on connected clusters",
  },
  {
    script: "create_basic_hosted_cluster.sh",
    ours: [
      ["create", "infra", ...createInfra.base],
      ["render", "hosted-cluster", ...render.base],
    ],
    note: "then `kubectl apply -k`",
  },
  { script: "check_resources.sh", ours: [["show", "infra", ...local, ...cluster, ...domain]], note: "`verify` finds what is wrong" },
  {
    script: "delete_hosted_cluster.sh",
    ours: [["destroy", "infra", ...destroyInfra.base]],
    note: "after `kubectl delete -k`, which deletes the HostedCluster",
  },
  { script: "delete_aks_cluster.sh", ours: [["destroy", "management-cluster", ...mgmt, "--dry-run"]], note: "with its role assignments" },
  {
    script: "delete_all.sh",
    ours: [["destroy", "all", ...local, ...cluster, "--dry-run"]],
    note: "deletes the set too; `destroy infra` keeps it",
  },
];

const iam = [...iamPlace, "--oidc-issuer-url", "https://issuer.example.com/demo", "--dry-run"];

const selfManagedScripts: readonly Script[] = [
  { script: "vars.sh", ours: [], note: "the same as above" },
  { script: "setup_all.sh", ours: [], note: "the scripts below, and two of `contrib/managed-azure`: issuer and ExternalDNS" },
  {
    script: "setup_infra.sh",
    ours: [
      ["create", "iam", ...iam],
      ["create", "infra", ...createInfra.base, "--workload-identities-file", "@wi.json"],
    ],
    note: "managed identities first, then the infrastructure with their roles",
  },
  {
    script: "setup_hypershift_operator.sh",
    ours: [["render", "hypershift-install", "--help"]],
    note: "its commands are for AKS: on another management cluster, leave out those of the Secrets Store CSI driver",
  },
  {
    script: "create_hosted_cluster.sh",
    ours: [["render", "hosted-cluster", ...render.base, "--workload-identities-file", "@wi.json"]],
    note: "then `kubectl apply -k`",
  },
  { script: "setup_backup.sh", ours: [], note: "backup is not part of a hosted cluster's infrastructure" },
];

export const scripts: Readonly<Record<string, readonly Script[]>> = {
  "contrib/managed-azure": managedScripts,
  "contrib/self-managed-azure": selfManagedScripts,
};
