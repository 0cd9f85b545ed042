/** The cluster of the quickstart, the benchmark, the simulations and the tests: its flags, its identities, and their files. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { wellKnown } from "../src/emulator/index.js";
import { assignedComponents, controlPlaneComponents } from "../src/domain/components.js";
import { certificatesOfficer, hsmCryptoOfficer, hsmCryptoUser, secretsOfficer } from "../src/domain/roles.js";
import { workloadIdentityName } from "../src/domain/workload-names.js";

const name = "demo";
const infraId = "demo-x7k2";

/** One for each component with roles: applications for the control plane, managed identities for the data plane. */
const identities = assignedComponents.map((component, index) => ({
  ...component,
  clientId: guid("c1d0", index),
  principalId: guid("0b1d", index),
}));
const controlPlane = identities.filter(({ plane }) => plane === "control");
const dataPlane = identities.filter(({ plane }) => plane === "data");

/** The flags of `destroy infra`. */
export const clusterFlags = ["--cloud", "local", "--name", name, "--infra-id", infraId] as const;

/** The flags of the commands for identities. */
export const setFlags = ["--cloud", "local", "--name", name, "--resource-group-name", `${name}-common`] as const;

/** The flags of `destroy iam`. */
export const iamFlags = [...clusterFlags, "--resource-group-name", `${name}-iam`] as const;

const iamGroup = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/${name}-iam`;

/** The flags of `create iam`, with every identity. */
export const createIamFlags = [...iamFlags, "--oidc-issuer-url", "https://issuer.example.com/demo", "--enable-kms"] as const;

/** The group of the workload identities, of others. */
export const iamGroupSeed: unknown = { resources: { [iamGroup]: { location: "eastus" } } };

/** In that group, `hypershift create iam azure` creates the identities, without tags. */
export const unclaimedIdentities: Meanwhile = {
  seed: {
    resources: Object.fromEntries(
      controlPlaneComponents.map((component) => [
        `${iamGroup}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${workloadIdentityName({ name, infraId }, component)}`,
        { location: "eastus" },
      ]),
    ),
  },
};

export const domainFlags = ["--base-domain", wellKnown.dnsZone] as const;
const zoneGroupFlags = ["--dns-zone-rg-name", wellKnown.dnsGroup] as const;

/** The flags of `create all`, except for the output directory. */
export const wholeFlags = [...clusterFlags, ...domainFlags, ...zoneGroupFlags] as const;

/** The flags of the commands about a fleet that is this cluster alone, and its file. Its output directory has the files of a `create all`. */
export function fleetFlags(directory: string, more: object = {}): readonly string[] {
  mkdirSync(directory, { recursive: true });
  const file = path.join(directory, "fleet.yaml");
  const values = { infraId, baseDomain: wellKnown.dnsZone, dnsZoneRgName: wellKnown.dnsGroup, enableKms: true };
  writeFileSync(file, JSON.stringify({ clusters: [{ name, ...values, ...more }] }));
  return ["--cloud", "local", "--fleet-file", file, "--output-dir", directory];
}

/** The flags of `create infra` and `show infra`, with all roles. `writeDemoFiles` writes the identity files. */
export function infraFlags({ managedIdentities, dataPlaneIdentities }: DemoFiles): string[] {
  return [
    ...wholeFlags,
    ...["--managed-identities-file", managedIdentities],
    ...["--data-plane-identities-file", dataPlaneIdentities],
    "--assign-identity-roles",
  ];
}

const others = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/theirs`;

/** The resources of others that `egressSeed` has. */
export const othersEgress = {
  routeTable: `${others}/providers/Microsoft.Network/routeTables/corp`,
  natGateway: `${others}/providers/Microsoft.Network/natGateways/corp`,
  publicIpPrefix: `${others}/providers/Microsoft.Network/publicIPPrefixes/corp`,
} as const;

/** Ways out of the workers' subnet, with every option about them, also for a cluster that has another. */
export const egressFlags = {
  "nat-gateway": ["--egress", "nat-gateway", "--outbound-addresses", "2", "--change-egress"],
  addresses: ["--egress", "load-balancer", "--outbound-addresses", "3", "--expected-nodes", "100", "--change-egress"],
  prefix: ["--egress", "load-balancer", "--public-ip-prefix-id", othersEgress.publicIpPrefix, "--change-egress"],
  "existing-gateway": ["--egress", "nat-gateway", "--nat-gateway-id", othersEgress.natGateway, "--change-egress"],
  routing: ["--egress", "user-defined-routing", "--route-table-id", othersEgress.routeTable, "--change-egress"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type EgressChoice = keyof typeof egressFlags;

/** Leads all traffic of a subnet to a firewall. */
const toFirewall = {
  name: "out",
  properties: { addressPrefix: "0.0.0.0/0", nextHopType: "VirtualAppliance", nextHopIpAddress: "10.9.0.4" },
};

/** The seed document for `local seed`: a route table, a public IP prefix and a NAT gateway of others, which a create uses and never changes. */
export function egressSeed(routes: readonly object[] = [toFirewall]) {
  const standard = { location: "eastus", sku: { name: "Standard" } };
  const address = `${others}/providers/Microsoft.Network/publicIPAddresses/corp`;
  return {
    resources: {
      [others]: { location: "eastus" },
      [othersEgress.routeTable]: { location: "eastus", properties: { routes } },
      [othersEgress.publicIpPrefix]: { ...standard, properties: { prefixLength: 30 } },
      [address]: { ...standard, properties: { publicIPAllocationMethod: "Static" } },
      [othersEgress.natGateway]: { ...standard, properties: { publicIpAddresses: [{ id: address }] } },
    },
  };
}

/** The seed document for `local seed`: existing identities. */
export function demoSeed() {
  const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/identities`;
  return {
    resources: { [group]: { location: "eastus" } },
    applications: controlPlane.map(({ key, clientId, principalId }) => ({
      appId: clientId,
      displayName: `${name}-${key}`,
      servicePrincipalId: principalId,
    })),
    identities: dataPlane.map(({ key, clientId, principalId }) => ({
      id: `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}-${key}`,
      clientId,
      principalId,
    })),
  };
}

/** Of the key that encrypts etcd, in the managed HSM of `hsmSeed`. */
export const hsmFlags = ["--managed-hsm-name", "demo-hsm"] as const;

/** The seed document for `local seed`: a managed HSM, in which the signed-in principal may use and recover keys and assign roles. */
export function hsmSeed() {
  const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/hsm`;
  const assigned = [
    ["/keys", hsmCryptoUser],
    ["/", hsmCryptoOfficer],
  ] as const;
  return {
    resources: {
      [group]: { location: "eastus" },
      [`${group}/providers/Microsoft.KeyVault/managedHSMs/demo-hsm`]: { location: "eastus", properties: {} },
    },
    localRoleAssignments: assigned.map(([scope, { id: role }]) => ({
      ...{ managedHsm: "demo-hsm", scope, role },
      principalId: wellKnown.clientPrincipalId,
    })),
  };
}

const givenVault = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/platform/providers/Microsoft.KeyVault/vaults/kv-platform`;

/** Of a set in the vault of `givenVaultSeed`. */
export const givenVaultFlags = ["--key-vault-id", givenVault] as const;

/** The seed document for `local seed`: a vault that somebody else has prepared. */
export function givenVaultSeed() {
  const properties = { tenantId: wellKnown.tenantId, sku: { family: "A", name: "standard" }, enableRbacAuthorization: true };
  return {
    resources: {
      [givenVault.replace(/\/providers.*/, "")]: { location: "westeurope" },
      [givenVault]: { location: "westeurope", tags: { team: "platform" }, properties },
    },
  };
}

const setVault = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/${name}-common/providers/Microsoft.KeyVault/vaults/kv-${name}`;

/** The flags of `destroy management-cluster`. */
export const managementFlags = ["--cloud", "local", "--name", "mgmt"] as const;

/** The flags of `create management-cluster`, with every kind of resource and role. `managementSeed` has the vault. */
export const createManagementFlags = [...managementFlags, "--preset", "production", "--key-vault-id", setVault] as const;

/** The seed document for `local seed`: the vault of an identity set, and the feature that the preset needs. */
export function managementSeed() {
  const tags = { "aro-hcp-identities": name };
  return {
    features: { "Microsoft.Compute/EncryptionAtHost": "Registered" },
    resources: {
      [setVault.split("/").slice(0, 5).join("/")]: { location: "eastus", tags },
      [setVault]: {
        location: "eastus",
        tags,
        properties: { sku: { family: "A", name: "standard" }, tenantId: wellKnown.tenantId, enableRbacAuthorization: true },
      },
    },
  };
}

const regionalZone = `eastus.${wellKnown.dnsZone}`;
const certificateGroup = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/certificates`;
const certificateVault = `${certificateGroup}/providers/Microsoft.KeyVault/vaults/kv-certificates`;

/** The flags of `destroy service-cluster`. */
export const serviceFlags = ["--cloud", "local", "--name", "svc"] as const;

/** The flags of `create service-cluster`, with every part of its ingress. `serviceSeed` has the zone and the vault. */
export const createServiceFlags = [
  ...serviceFlags,
  ...["--regional-zone", regionalZone, "--delegate-zone", "--certificate-vault-id", certificateVault],
  ...["--ops-ingress", "--ops-host", "admin"],
] as const;

/** The seed document for `local seed`: the zone of the region, and a vault in which the signed-in principal can make certificates. */
export function serviceSeed() {
  return {
    resources: {
      [`/subscriptions/${wellKnown.subscriptionId}/resourceGroups/${wellKnown.dnsGroup}/providers/Microsoft.Network/dnsZones/${regionalZone}`]:
        {
          location: "global",
        },
      [certificateGroup]: { location: "eastus" },
      [certificateVault]: {
        location: "eastus",
        properties: { sku: { family: "A", name: "standard" }, tenantId: wellKnown.tenantId, enableRbacAuthorization: true },
      },
    },
    roleAssignments: [certificatesOfficer, secretsOfficer].map(({ id: role }) => ({
      scope: certificateVault,
      role,
      principalId: wellKnown.clientPrincipalId,
    })),
  };
}

/** The flags of `destroy arc`. */
export const arcFlags = ["--cloud", "local", "--name", "arc"] as const;

const arcCluster = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/arc-arc/providers/Microsoft.Kubernetes/connectedClusters/arc`;

/** What others do between two commands, as a seed document. */
export interface Meanwhile {
  readonly seed: unknown;
}

/** After `create arc`: the agents of its cluster report. */
export const arcAgentsReport: Meanwhile = { seed: { arcAgents: { [arcCluster]: {} } } };

/** After that, somebody installs an extension. */
export const otherExtension: Meanwhile = {
  seed: {
    resources: {
      [`${arcCluster}/providers/Microsoft.KubernetesConfiguration/extensions/flux`]: {
        identity: { type: "SystemAssigned" },
        properties: { extensionType: "microsoft.flux" },
      },
    },
  },
};

/** The flags of `destroy arc extension`. */
export const arcExtensionFlags = [...arcFlags, "--extension-type", "policy"] as const;

/** The flags of `destroy dns-zone`. */
export const zoneFlags = ["--cloud", "local", "--base-domain", `blue.${wellKnown.dnsZone}`, "--dns-zone-rg-name", "blue-dns"] as const;

/** The flags of `create dns-zone` for ExternalDNS with a token of the management cluster. */
export const createZoneFlags = [...zoneFlags, "--oidc-issuer-url", "https://issuer.example.com/mgmt"] as const;

/** The paths that `writeDemoFiles` returns. */
export interface DemoFiles {
  readonly managedIdentities: string;
  readonly dataPlaneIdentities: string;
}

/** Writes the identity files into `directory`, in the formats that the flags document. */
export function writeDemoFiles(directory: string): DemoFiles {
  mkdirSync(directory, { recursive: true });
  const write = (file: string, document: unknown): string => {
    const whole = path.join(directory, file);
    writeFileSync(whole, `${JSON.stringify(document, undefined, 2)}\n`, { mode: 0o600 });
    return whole;
  };
  return {
    managedIdentities: write("managed-identities.json", {
      managedIdentitiesKeyVault: { name: `${name}-vault`, tenantID: wellKnown.tenantId },
      ...Object.fromEntries(
        controlPlane.map(({ field, key, clientId }) => [
          field,
          { clientID: clientId, credentialsSecretName: `${name}-${key}`, objectEncoding: "utf-8" },
        ]),
      ),
    }),
    dataPlaneIdentities: write("data-plane-identities.json", Object.fromEntries(dataPlane.map(({ field, clientId }) => [field, clientId]))),
  };
}

function guid(prefix: string, index: number): string {
  return `${prefix}0000-0000-4000-8000-${String(index).padStart(12, "0")}`;
}
