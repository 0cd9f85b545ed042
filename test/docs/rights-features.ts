/** What the commands of docs/least-privilege.md are about: what exists before, how it is made, and where its roles are assigned. */
import { join } from "node:path";
import { builtInRoles } from "../../src/emulator/arm/built-in-roles.js";
import { roleAssignmentName } from "../../src/domain/role-assignment-name.js";
import { wellKnown } from "../../src/emulator/index.js";
import {
  arcAgentsReport,
  arcExtensionFlags,
  arcFlags,
  createIamFlags,
  createManagementFlags,
  createServiceFlags,
  demoSeed,
  iamGroupSeed,
  infraFlags,
  managementSeed,
  serviceSeed,
  setFlags,
  unclaimedIdentities,
  wholeFlags,
  zoneFlags,
  type DemoFiles,
} from "../../tools/demo-cluster.js";
import { preparedGroups, type Place } from "../../tools/least-privilege.js";
import { ccoctlIssuer, publishIssuer } from "../estate/ccoctl-seed.js";
import { seedInOrder } from "../estate/estate-seed.js";
import { hypershiftCreates } from "../infra/hypershift-infra.js";
import { changeState } from "../harness/state-changes.js";
import type { TestEmulator } from "../harness/test-emulator.js";
import { clientPrincipalId, subscription } from "../verify/other-client.js";

/** The arguments of a command whose files are in a directory. */
export type Command = (directory: string) => readonly string[];

export interface Feature {
  readonly places: Partial<Record<Place, readonly string[]>>;
  readonly seed?: readonly object[];
  /** It is made from this one. */
  readonly after?: string;
  /** By whoever has all permissions: a command, or what others do. */
  readonly made: Command | ((azure: TestEmulator) => Promise<void>);
  /** A command compares dates of Azure with those of this computer. */
  readonly isReal?: true;
}

const group = (name: string) => `${subscription}/resourceGroups/${name}`;
const vault = (groupName: string, name: string) => `${group(groupName)}/providers/Microsoft.KeyVault/vaults/${name}`;
const publicZone = (name: string) => `${group(wellKnown.dnsGroup)}/providers/Microsoft.Network/dnsZones/${name}`;

const groupsOf = (...creates: readonly string[]) =>
  preparedGroups.filter(({ commands }) => commands.some((one) => creates.includes(one))).flatMap(({ names }) => names.map(group));

export const filesIn = (directory: string): DemoFiles => ({
  managedIdentities: join(directory, "managed-identities.json"),
  dataPlaneIdentities: join(directory, "data-plane-identities.json"),
});

export const issuerFlags = ["--cloud", "local", "--name", "demo"] as const;
const zoneGroup = [group(wellKnown.dnsGroup)];
const hypershiftGroups = ["demo-demo-x7k2", "demo-vnet-demo-x7k2", "demo-nsg-demo-x7k2"].map(group);
const arcSeed = {
  providers: Object.fromEntries(
    ["Kubernetes", "KubernetesConfiguration", "PolicyInsights"].map((one) => [`Microsoft.${one}`, "Registered"]),
  ),
};
const certificateVault = vault("certificates", "kv-certificates");

export const givenVault = vault("platform", "kv-platform");
const givenSeed = {
  resources: {
    [group("platform")]: { location: "westeurope" },
    [givenVault]: {
      location: "westeurope",
      properties: { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true },
    },
  },
};

const identities: Command = (directory) => [
  ...["create", "identities", ...setFlags, "--oidc-issuer-url", "https://issuer.example.com/demo", "--enable-kms"],
  ...["--output-file", join(directory, "identities.json")],
];

/** The commands that make them. */
export const creates = {
  infra: (directory) => ["create", "infra", ...wholeFlags, "--output-file", join(directory, "infra.json")],
  infraWithRoles: (directory) => ["create", "infra", ...infraFlags(filesIn(directory)), "--output-file", join(directory, "infra.json")],
  identities,
  identitiesInGivenVault: (directory) => [...identities(directory), "--key-vault-id", givenVault],
  encryptionKey: () => ["create", "encryption-key", ...setFlags],
  issuer: (directory) => ["create", "oidc-issuer", ...issuerFlags, "--output-dir", join(directory, "demo")],
  all: (directory) => ["create", "all", ...wholeFlags, "--enable-kms", "--output-dir", join(directory, "demo")],
  iam: (directory) => ["create", "iam", ...createIamFlags, "--output-file", join(directory, "workload-identities.json")],
  management: (directory) => [
    ...["create", "management-cluster", ...createManagementFlags],
    ...["--output-file", join(directory, "management-cluster.json")],
  ],
  service: (directory) => ["create", "service-cluster", ...createServiceFlags, "--output-file", join(directory, "service-cluster.json")],
  arc: (directory) => ["create", "arc", ...arcFlags, "--output-dir", join(directory, "arc")],
  arcSecrets: (directory) => [
    ...["create", "arc", "secrets", ...arcFlags, "--output-file", join(directory, "arc-secrets.json")],
    ...["--output-credential", join(directory, "arc-credential.json")],
  ],
  arcExtension: () => ["create", "arc", "extension", ...arcExtensionFlags],
  zone: (directory) => [
    ...["create", "dns-zone", ...zoneFlags, "--external-dns-identity", "service-principal"],
    ...["--output-file", join(directory, "dns-zone.json"), "--external-dns-credentials-file", join(directory, "external-dns.json")],
  ],
} as const satisfies Readonly<Record<string, Command>>;

const connected: Feature["places"] = { groups: groupsOf("create arc") };
const setVault = vault("demo-common", "kv-demo-319613");
const ofSet: Feature["places"] = { groups: groupsOf("create identities"), vault: [setVault] };

/** The ID of a built-in role. */
export const roleIdOf = (name: string) => Object.entries(builtInRoles).find(([, { roleName }]) => roleName === name)?.[0] ?? name;
const held = (role: string, scope: string) => ({ roleAssignments: [{ scope, role: roleIdOf(role), principalId: clientPrincipalId }] });

const leftGroup = `${subscription}/resourceGroups/demo-demo-x7k2-nsg`;
const dnsGroup = `${subscription}/resourceGroups/dns`;

/** A group and a role assignment of a cluster that is gone, both of long ago. */
async function leftovers(azure: TestEmulator): Promise<void> {
  const row = {
    ...{ scope: dnsGroup, name: roleAssignmentName("demo-x7k2", "ingress", dnsGroup), role: roleIdOf("Contributor") },
    ...{ principalId: "90000000-0000-4000-8000-000000000001", createdOn: "2026-01-01T00:00:00Z" },
  };
  const tags = { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" };
  await azure.seed({ resources: { [leftGroup]: { location: "eastus", tags } }, roleAssignments: [row] });
  await changeState(azure, ({ resources }) => {
    for (const one of Object.values(resources)) if (one) one.createdAt = 0;
  });
}

export const features = {
  infra: { places: { groups: groupsOf("create infra"), zoneGroup }, seed: [demoSeed()], made: creates.infraWithRoles },
  identities: { places: ofSet, made: creates.identities, isReal: true },
  givenVault: {
    places: { groups: groupsOf("create identities"), vault: [givenVault] },
    seed: [givenSeed],
    made: creates.identitiesInGivenVault,
    isReal: true,
  },
  encryptionKey: {
    places: ofSet,
    after: "identities",
    seed: [held("Key Vault Certificate User", setVault)],
    made: creates.encryptionKey,
    isReal: true,
  },
  issuer: { places: { groups: groupsOf("create oidc-issuer") }, made: creates.issuer },
  all: {
    places: { ...ofSet, groups: groupsOf("create infra", "create identities", "create oidc-issuer"), zoneGroup },
    made: creates.all,
  },
  iam: { places: { groups: groupsOf("create iam") }, made: creates.iam },
  hypershiftInfra: { places: { groups: hypershiftGroups }, made: (azure: TestEmulator) => hypershiftCreates(azure) },
  ccoctlIssuer: {
    places: { groups: groupsOf("create oidc-issuer") },
    async made(azure: TestEmulator) {
      await seedInOrder(azure, ccoctlIssuer("demo", "demo-oidc"));
      await publishIssuer(azure, "demo");
    },
  },
  leftovers: { places: { groups: [leftGroup, dnsGroup] }, made: (azure: TestEmulator) => leftovers(azure) },
  hypershiftIam: {
    places: { groups: groupsOf("create iam") },
    seed: [iamGroupSeed as object],
    made: (azure: TestEmulator) => azure.seed(unclaimedIdentities.seed),
  },
  management: {
    places: { groups: groupsOf("create management-cluster"), vault: [vault("demo-common", "kv-demo")] },
    seed: [managementSeed()],
    made: creates.management,
  },
  service: {
    places: {
      groups: groupsOf("create service-cluster"),
      zones: [wellKnown.dnsZone, `eastus.${wellKnown.dnsZone}`].map(publicZone),
      vault: [certificateVault],
    },
    seed: [serviceSeed(), held("Key Vault Certificates Officer", certificateVault)],
    made: creates.service,
  },
  arc: { places: connected, seed: [arcSeed], made: creates.arc },
  agents: { places: connected, after: "arc", made: (azure: TestEmulator) => azure.seed(arcAgentsReport.seed) },
  arcExtension: { places: connected, after: "agents", made: creates.arcExtension },
  arcSecrets: { places: connected, after: "arcExtension", made: creates.arcSecrets },
  zone: { places: { groups: groupsOf("create dns-zone"), zones: [publicZone(wellKnown.dnsZone)] }, made: creates.zone },
} as const satisfies Readonly<Record<string, Feature>>;

export type FeatureName = keyof typeof features;
