/** The permissions that are enough for each command. docs/least-privilege.md is written from them, and test/docs/least-privilege.test.ts runs each row. */

/** Where a role is assigned. */
export const places = {
  subscription: "the subscription",
  groups: "its resource groups",
  zoneGroup: "the resource group of the base domain's zone",
  zones: "the DNS zones that it changes",
  vault: "the vault",
} as const;

export type Place = keyof typeof places;

export interface Grant {
  readonly on: Place;
  /** Names of built-in roles. */
  readonly roles: readonly string[];
  /** The flag without which the command does not need the roles. */
  readonly flag?: string;
}

export interface Row {
  /** With the flags that need the permissions. */
  readonly commands: readonly string[];
  /** In addition to Reader on the subscription. */
  readonly grants: readonly Grant[];
  /** A permission of Microsoft Graph. */
  readonly graph?: string;
}

const on = (place: Place, ...roles: readonly string[]): Grant => ({ on: place, roles });
const withFlag = (flag: string, grant: Grant): Grant => ({ ...grant, flag });

const rbac = "Role Based Access Control Administrator";
const ownApplications = "Application.ReadWrite.OwnedBy";
const readApplications = "Application.Read.All";

const ofAll = [rbac, "Network Contributor", "Managed Identity Contributor", "Key Vault Contributor", "Storage Account Contributor"];
/** To see what others have put there. */
const readContents = ["Key Vault Reader", "Storage Blob Data Reader"];

export const rows: readonly Row[] = [
  { commands: ["create all", "create fleet"], grants: [on("groups", ...ofAll), on("zoneGroup", rbac)], graph: ownApplications },
  { commands: ["create infra"], grants: [on("groups", "Network Contributor")] },
  {
    commands: ["create infra --assign-identity-roles"],
    grants: [on("groups", "Network Contributor", rbac), on("zoneGroup", rbac)],
    graph: readApplications,
  },
  {
    commands: ["create identities"],
    grants: [on("groups", "Managed Identity Contributor", "Key Vault Contributor", rbac)],
    graph: ownApplications,
  },
  {
    commands: ["create identities --key-vault-id"],
    grants: [on("groups", "Managed Identity Contributor"), on("vault", rbac)],
    graph: ownApplications,
  },
  { commands: ["create oidc-issuer"], grants: [on("groups", "Storage Account Contributor", rbac)] },
  { commands: ["create iam"], grants: [on("groups", "Managed Identity Contributor")] },
  {
    commands: ["create encryption-key"],
    grants: [on("vault", "Key Vault Contributor", "Key Vault Certificate User", rbac)],
    graph: readApplications,
  },
  { commands: ["rotate encryption-key"], grants: [on("vault", rbac)] },
  {
    commands: ["rotate credentials"],
    grants: [on("vault", "Key Vault Certificates Officer", "Key Vault Secrets Officer")],
    graph: ownApplications,
  },
  {
    commands: ["create management-cluster"],
    grants: [on("groups", "Contributor", rbac), withFlag("--key-vault-id", on("vault", rbac))],
  },
  {
    commands: ["create service-cluster"],
    grants: [
      on("groups", "Contributor", rbac),
      withFlag("--regional-zone", on("zones", "DNS Zone Contributor")),
      withFlag("--certificate-vault-id", on("vault", "Key Vault Certificates Officer", rbac)),
    ],
  },
  {
    commands: ["create dns-zone"],
    grants: [on("groups", "DNS Zone Contributor", rbac), on("zones", "DNS Zone Contributor")],
    graph: ownApplications,
  },
  { commands: ["create arc"], grants: [on("groups", "Kubernetes Cluster - Azure Arc Onboarding")] },
  { commands: ["create arc secrets"], grants: [on("groups", "Key Vault Contributor", rbac)], graph: ownApplications },
  { commands: ["create arc extension", "destroy arc extension"], grants: [on("groups", "Kubernetes Extension Contributor")] },
  { commands: ["adopt infra", "adopt iam"], grants: [on("groups", "Tag Contributor")] },
  { commands: ["adopt oidc-issuer"], grants: [on("groups", "Tag Contributor", "Storage Blob Data Contributor")] },
  {
    commands: ["destroy all", "destroy fleet"],
    grants: [on("groups", "Contributor", rbac, ...readContents), on("zoneGroup", rbac)],
    graph: ownApplications,
  },
  { commands: ["destroy infra"], grants: [on("groups", "Contributor", rbac), on("zoneGroup", rbac)] },
  { commands: ["destroy identities"], grants: [on("groups", "Contributor", rbac, "Key Vault Reader")], graph: ownApplications },
  {
    commands: ["destroy identities --key-vault-id"],
    grants: [on("groups", "Contributor"), on("vault", "Key Vault Certificates Officer", "Key Vault Secrets Officer", rbac)],
    graph: ownApplications,
  },
  { commands: ["destroy oidc-issuer"], grants: [on("groups", "Contributor", rbac, "Storage Blob Data Reader")] },
  { commands: ["destroy iam"], grants: [on("groups", "Contributor")] },
  { commands: ["destroy encryption-key"], grants: [on("vault", rbac)], graph: readApplications },
  {
    commands: ["destroy management-cluster"],
    grants: [on("groups", "Contributor", rbac, "Key Vault Reader"), withFlag("--key-vault-id", on("vault", rbac))],
  },
  {
    commands: ["destroy service-cluster"],
    grants: [
      on("groups", "Contributor", rbac),
      withFlag("--regional-zone", on("zones", "DNS Zone Contributor")),
      withFlag("--certificate-vault-id", on("vault", "Key Vault Certificates Officer", rbac)),
    ],
  },
  {
    commands: ["destroy dns-zone"],
    grants: [on("groups", "Contributor", rbac), on("zones", "DNS Zone Contributor")],
    graph: ownApplications,
  },
  { commands: ["destroy arc"], grants: [on("groups", "Contributor", rbac, "Key Vault Reader")], graph: ownApplications },
  {
    commands: ["destroy arc --purge"],
    grants: [on("groups", "Contributor", rbac, "Key Vault Reader"), on("subscription", "Key Vault Purge Operator")],
    graph: ownApplications,
  },
  { commands: ["budget"], grants: [], graph: "Directory.Read.All" },
  { commands: ["sweep"], grants: [on("groups", "Contributor", rbac)], graph: ownApplications },
  { commands: ["list", "audit"], grants: [], graph: readApplications },
  { commands: ["show identities", "show all"], grants: [on("vault", "Key Vault Reader")], graph: readApplications },
  { commands: ["verify service-cluster"], grants: [withFlag("--certificate-vault-id", on("vault", "Key Vault Reader"))] },
  {
    commands: ["verify identities", "verify all", "verify fleet"],
    grants: [on("vault", "Key Vault Certificate User")],
    graph: readApplications,
  },
  {
    commands: ["show infra", "verify estate", "verify infra", "show dns-zone", "verify dns-zone", "verify arc", "doctor"],
    grants: [],
    graph: readApplications,
  },
  {
    commands: [
      ...[
        "show iam",
        "show encryption-key",
        "show management-cluster",
        "show service-cluster",
        "show arc",
        "show arc extension",
        "show settings",
      ],
      ...["verify management-cluster", "doctor management-cluster", "doctor service-cluster", "wait arc"],
    ],
    grants: [],
  },
];

/** The commands that send no request to Azure. */
export const offlineCommands = [
  ...["init", "create key-pair", "graph", "graph infra", "graph management-cluster", "graph service-cluster"],
  ...["render secret-provider-classes", "render hosted-cluster", "render hypershift-install", "render ingress", "render arc"],
  ...[
    "local serve",
    "local env",
    "local reset",
    "local seed",
    "local status",
    "show fleet",
    "render fleet-jobs",
    "schema",
    "completion",
    "version",
    "help",
  ],
] as const;

/** A resource group that somebody else may create first. */
export interface PreparedGroups {
  readonly commands: readonly string[];
  readonly names: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

/** With the flags of the other pages: `--name demo --infra-id demo-x7k2`. */
export const preparedGroups: readonly PreparedGroups[] = [
  {
    commands: ["create infra"],
    names: ["demo-demo-x7k2", "demo-demo-x7k2-vnet", "demo-demo-x7k2-nsg"],
    tags: { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" },
  },
  { commands: ["create identities"], names: ["demo-common"], tags: { "aro-hcp-identities": "demo" } },
  { commands: ["create oidc-issuer"], names: ["demo-oidc"], tags: { "aro-hcp-identities": "demo" } },
  { commands: ["create iam"], names: ["demo-iam"], tags: { "aro-hcp-iam": "demo/demo-x7k2" } },
  { commands: ["create management-cluster"], names: ["mgmt"], tags: { "aro-hcp-management-cluster": "mgmt" } },
  { commands: ["create service-cluster"], names: ["svc"], tags: { "aro-hcp-service-cluster": "svc" } },
  { commands: ["create arc", "create arc secrets"], names: ["arc-arc"], tags: { "aro-hcp-arc": "arc" } },
  { commands: ["create dns-zone"], names: ["blue-dns"], tags: { "aro-hcp-dns-zone": "blue.hcp.example.com" } },
];
