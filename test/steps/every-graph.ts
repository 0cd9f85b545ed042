/** The graphs of every create, in every combination of options that changes which steps there are. */
import { openAzure } from "../../src/azure/azure.js";
import { clouds } from "../../src/azure/cloud.js";
import { scaledClock } from "../../src/azure/clock.js";
import { earlyRequests } from "../../src/azure/early-requests.js";
import { systemRandom } from "../../src/azure/random.js";
import type { SignedIn } from "../../src/azure/signed-in.js";
import { assignedComponents, controlPlaneComponents } from "../../src/domain/components.js";
import type { Part } from "../../src/domain/create-parts.js";
import type { IamSpec } from "../../src/iam/spec.js";
import type { IdentitySpec } from "../../src/domain/identity-spec.js";
import type { IssuerSpec } from "../../src/domain/issuer.js";
import { defaultEgress, type Egress } from "../../src/domain/egress.js";
import type { InfraSpec } from "../../src/domain/infra-spec.js";
import type { Step } from "../../src/engine/step.js";
import { chosenPools } from "../../src/aks/domain/choices.js";
import { clusterKinds, type ClusterKind } from "../../src/domain/cluster-kind.js";
import { presets, type AksClusterSpec, type Preset } from "../../src/aks/domain/cluster-spec.js";
import { presetFacts } from "../../src/aks/domain/presets.js";
import { platformOf } from "../../src/arc/domain/distribution.js";
import { extensionType } from "../../src/arc/domain/extension-types.js";
import type { ArcSecretsAccess } from "../../src/arc/domain/secrets.js";
import type { ArcAccess } from "../../src/arc/domain/cluster-access.js";
import { arcGraph } from "../../src/arc/steps/graph.js";
import { extensionGraph } from "../../src/arc/steps/extension.js";
import { arcSecretsGraph } from "../../src/arc/steps/secrets.js";
import { aksClusterGraph } from "../../src/aks/steps/graph.js";
import type { ExternalDnsAccess } from "../../src/domain/dns-zone.js";
import type { CredentialStore } from "../../src/steps/client-secret.js";
import { dnsZoneGraph } from "../../src/dns-zone/steps.js";
import { createAllGraph } from "../../src/all/steps.js";
import { iamGraph } from "../../src/iam/steps.js";
import { identityGraph } from "../../src/identities/steps/identities.js";
import { infraGraph } from "../../src/infra/steps/infra.js";
import { keyPair } from "../../src/issuer/steps/key-pair.js";
import { issuerGraph } from "../../src/issuer/steps/oidc-issuer.js";

const subscriptionId = "5b5c0000-0000-4000-8000-000000000001";
const network = (path: string) => `/subscriptions/${subscriptionId}/resourceGroups/theirs/providers/Microsoft.Network/${path}`;
const caller: SignedIn = { objectId: subscriptionId, tenantId: subscriptionId, principalType: "User" };

/** Nothing is asked of it. */
export const unasked = openAzure({
  clock: scaledClock(1),
  random: systemRandom,
  operations: new Set(),
  early: earlyRequests(),
  signal: new AbortController().signal,
  current: () => undefined,
  cloud: clouds.AzurePublicCloud,
  tenantId: subscriptionId,
  subscriptionId,
  credential: { getToken: () => Promise.reject(new Error("nothing is asked")), forget: () => undefined },
  userAgent: "test",
});

export interface NamedGraph {
  readonly name: string;
  readonly parts: ReadonlySet<Part>;
  readonly steps: readonly Step<unknown>[];
  /** Of a graph of infrastructure alone. */
  readonly spec?: InfraSpec;
}

const flags = ["existingGroup", "singleGroup", "vnet", "subnet", "nsg", "hypershift", "nat", "files", "made", "hcpRoles"] as const;
type Flag = (typeof flags)[number];

function infraSpec(on: ReadonlySet<Flag>): InfraSpec {
  const clientIds = on.has("files");
  return {
    cluster: { name: "demo", infraId: "demo-x7k2" },
    subscriptionId,
    location: "eastus",
    baseDomain: "hcp.example.com",
    naming: on.has("hypershift") ? "hypershift" : "documented",
    vnetCidr: "10.0.0.0/16",
    subnetCidr: "10.0.0.0/24",
    egress: { ...defaultEgress, type: on.has("nat") ? "nat-gateway" : "load-balancer" },
    groupTags: {},
    existingGroup: on.has("existingGroup") ? "mine" : undefined,
    singleResourceGroup: on.has("singleGroup"),
    existing: {
      vnetId: on.has("vnet") ? network("virtualNetworks/theirs") : undefined,
      subnetId: on.has("subnet") ? network("virtualNetworks/theirs/subnets/workers") : undefined,
      networkSecurityGroupId: on.has("nsg") ? network("networkSecurityGroups/theirs") : undefined,
    },
    dnsZoneGroup: "dns",
    roles:
      clientIds || on.has("made")
        ? {
            assignees: assignedComponents.map((component, at) => ({ component, clientId: clientIds ? `client-${String(at)}` : undefined })),
            customHcpRoles: on.has("hcpRoles"),
            assigns: true,
            identities: { title: "identity set demo", replace: false },
          }
        : undefined,
  };
}

const identities: IdentitySpec = {
  key: { name: "demo", subscriptionId, groupName: "demo-common", vaultName: "kv-demo" },
  tenantId: subscriptionId,
  location: "eastus",
  components: controlPlaneComponents,
  certificates: { keySize: 2048, validityMonths: 12 },
  purgeProtection: "none",
  objectEncoding: undefined,
  readerObjectId: subscriptionId,
  issuerUrl: "https://demo.blob.core.windows.net/demo",
};
const issuer: IssuerSpec = {
  ...{ group: "demo-oidc", account: "demo", container: "demo", owner: { identitySet: "demo" }, subscriptionId, location: "eastus" },
  ...{ url: "https://demo.blob.core.windows.net/demo", tags: {}, retiredKeys: [] },
};

function combinations(of: readonly Flag[]): ReadonlySet<Flag>[] {
  return of.reduce<ReadonlySet<Flag>[]>((sets, flag) => [...sets, ...sets.map((set) => new Set([...set, flag]))], [new Set()]);
}

const identity = (name: string) =>
  `/subscriptions/${subscriptionId}/resourceGroups/theirs/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
const vault = `/subscriptions/${subscriptionId}/resourceGroups/theirs/providers/Microsoft.KeyVault/vaults/theirs`;
const registry = `/subscriptions/${subscriptionId}/resourceGroups/theirs/providers/Microsoft.ContainerRegistry/registries/theirs`;

/** `existing`: every part that can be is an existing one. */
export function aksSpec(kind: ClusterKind, preset: Preset, existing: boolean): AksClusterSpec {
  const facts = presetFacts[preset];
  const tag = { type: "FirstPartyUsage", tag: "/NonProd" };
  return {
    ...{ cluster: { kind, name: "demo" }, subscriptionId, tenantId: subscriptionId, location: "eastus", kubernetesVersion: undefined },
    group: { name: "demo", isExisting: existing },
    nodeGroupName: "demo-nodes",
    securityGroupName: "demo-node-nsg",
    features: facts.features,
    network: {
      ...{ vnetCidr: "10.128.0.0/14", nodeSubnetCidr: "10.128.8.0/21", podSubnetCidr: facts.podSubnetCidr },
      ...{ serviceCidr: "10.130.0.0/16", dnsServiceIp: "10.130.0.10" },
    },
    existing: existing
      ? {
          nodeSubnetId: network("virtualNetworks/theirs/subnets/nodes"),
          podSubnetId: network("virtualNetworks/theirs/subnets/pods"),
          networkSecurityGroupId: network("networkSecurityGroups/theirs"),
          outboundAddressId: network("publicIPAddresses/theirs"),
          clusterIdentityId: identity("cluster"),
          kubeletIdentityId: identity("nodes"),
          etcdKeyId: "https://theirs.vault.azure.net/keys/etcd/0123456789abcdef0123456789abcdef",
        }
      : {},
    purgeProtection: "new",
    egressIpTags: [tag],
    pools: chosenPools(kind, { preset }).pools,
    vaultIds: [vault],
    adminGroupIds: [],
    registryIds: [registry],
    tags: {},
    ingress: {
      ...{ ipTags: [tag], ops: true, istioRevisions: [], genevaServiceTag: "GenevaActions", sreServiceTag: "CorpNetSaw" },
      domain: { zone: "eastus.example.com", zoneGroup: undefined, hosts: ["rp"], opsHosts: ["ops"], delegate: true },
      certificate: { vaultId: vault, name: "frontend", issuer: "Self", hostnames: ["rp.eastus.example.com"] },
    },
  };
}

const aks: NamedGraph[] = clusterKinds.flatMap((kind) =>
  presets.flatMap((preset) =>
    [false, true].map((existing) => ({
      name: `${kind} ${preset}${existing ? " of existing parts" : ""}`,
      parts: new Set(["aks"] as const),
      steps: aksClusterGraph(unasked, aksSpec(kind, preset, existing)).steps,
    })),
  ),
);

const iam: IamSpec = {
  cluster: { name: "demo", infraId: "demo-x7k2" },
  ...{ subscriptionId, groupName: "demo-iam", location: "eastus" },
  ...{ components: controlPlaneComponents, issuerUrl: identities.issuerUrl },
};

const place = { subscriptionId, groupName: "demo-arc", name: "demo" };
const arcParts: ReadonlySet<Part> = new Set(["arc"]);

const arcAccess: ArcAccess = {
  server: "https://demo.example.com",
  hasHelm: true,
  connectedAs: () => Promise.resolve(undefined),
  has: () => Promise.resolve(false),
  hasSecret: () => Promise.resolve(false),
  create: () => Promise.resolve(),
  remove: () => Promise.resolve(false),
  diagnose: () => Promise.resolve([]),
  release: () => Promise.resolve(undefined),
  helm: () => Promise.resolve(),
};

const arcClusters: NamedGraph[] = [undefined, arcAccess].flatMap((access) =>
  [false, true].map((isExisting) => {
    const none = {
      ...{ agentVersion: undefined, privateLinkScopeId: undefined, gatewayId: undefined, oidcIssuerUrl: undefined },
      ...{ customLocationsId: undefined, proxy: undefined, tags: {}, agentAutoUpgrade: true, workloadIdentity: false },
    };
    const group = { name: place.groupName, isExisting };
    const spec = {
      ...{ subscriptionId, tenantId: subscriptionId, location: "eastus", owner: { arc: "demo" }, name: "demo" },
      group,
      ...none,
      ...{ chosenPlatform: {}, detectedPlatform: platformOf([]) },
    };
    return {
      name: `arc${access ? " with access" : ""}${isExisting ? " in an existing group" : ""}`,
      parts: arcParts,
      steps: arcGraph(unasked, spec, { directory: "demo", access, skipDiagnostics: false }).steps,
    };
  }),
);

const arcExtensions: NamedGraph[] = ["key-vault", "policy"].map((given) => {
  const type = extensionType(given);
  const none = { releaseNamespace: undefined, releaseTrain: undefined, version: undefined, settings: {}, defaults: {} };
  const foreignDriver = () => Promise.resolve(undefined);
  const steps = extensionGraph(unasked, { place, extension: { type, name: "demo", ...none }, foreignDriver });
  return { name: `arc extension ${given}`, parts: arcParts, steps };
});

const store: CredentialStore = {
  read: () => Promise.resolve(undefined),
  write: () => Promise.reject(new Error("nothing is written")),
};

const accesses: readonly ArcSecretsAccess[] = [
  { kind: "service-principal" },
  { kind: "workload-identity", issuerUrl: identities.issuerUrl, namespace: "demo", serviceAccount: "demo" },
];
const arcSecrets: NamedGraph[] = accesses.map((access) => {
  const names = { vaultName: "kv-demo", secretName: "demo", secretValue: undefined };
  const spec = { ...place, tenantId: subscriptionId, location: "eastus", ...names, access };
  return { name: `arc secrets ${access.kind}`, parts: arcParts, steps: arcSecretsGraph(unasked, spec, caller, store).steps };
});

const externalDnsAccesses: readonly ExternalDnsAccess[] = [
  { kind: "none" },
  { kind: "service-principal" },
  { kind: "workload-identity", issuerUrl: identities.issuerUrl, namespace: "hypershift", serviceAccount: "external-dns" },
];
const dnsZones: NamedGraph[] = externalDnsAccesses.map((externalDns) => {
  const spec = { subscriptionId, groupName: "dns", zoneName: "blue.example.com", location: "eastus", externalDns };
  return { name: `DNS zone ${externalDns.kind}`, parts: new Set(["dns"] as const), steps: dnsZoneGraph(unasked, spec, store).steps };
});

const routed = { type: "user-defined-routing", routeTableId: network("routeTables/theirs") } as const;
const prefixed = { prefixIds: [network("publicIPPrefixes/theirs"), network("publicIPPrefixes/more")] };
const egresses: readonly (readonly [name: string, on: readonly Flag[], egress: Partial<Egress>])[] = [
  ["several addresses", [], { addresses: 3, isChosen: true }],
  ["prefixes", ["existingGroup"], prefixed],
  ["several addresses of a NAT gateway", [], { type: "nat-gateway", addresses: 2 }],
  ["prefixes of a NAT gateway", [], { type: "nat-gateway", ...prefixed }],
  ["an existing NAT gateway", [], { type: "nat-gateway", natGatewayId: network("natGateways/theirs") }],
  ["an existing NAT gateway on an existing subnet", ["vnet"], { type: "nat-gateway", natGatewayId: network("natGateways/theirs") }],
  ["a route table", ["existingGroup"], routed],
  ["a route table on an existing subnet", ["vnet"], { type: "user-defined-routing" }],
  ["a given route table on an existing subnet", ["vnet"], routed],
];
const ofEgress: NamedGraph[] = egresses.map(([name, on, egress]) => {
  const spec = { ...infraSpec(new Set(on)), egress: { ...defaultEgress, ...egress } };
  return { name: `infra with ${name}`, parts: new Set(["infra"] as const), spec, steps: infraGraph(unasked, spec).steps };
});

export function everyGraph(): NamedGraph[] {
  const infra = combinations(flags.filter((flag) => flag !== "made")).map((on) => ({
    name: `infra ${[...on].join(" ")}`,
    parts: new Set(["infra"] as const),
    spec: infraSpec(on),
    steps: infraGraph(unasked, infraSpec(on)).steps,
  }));
  const whole = combinations(["singleGroup", "vnet", "nsg", "nat", "hcpRoles"]).map((on) => {
    const spec = { keyDirectory: "demo", issuer, identities, hsmName: undefined, infra: infraSpec(new Set([...on, "made"])) };
    return {
      name: `all ${[...on].join(" ")}`,
      parts: new Set(["infra", "identities", "issuer"] as const),
      steps: createAllGraph(unasked, spec, caller).steps,
    };
  });
  return [
    ...infra,
    ...whole,
    ...aks,
    ...arcClusters,
    ...arcExtensions,
    ...arcSecrets,
    ...dnsZones,
    ...ofEgress,
    { name: "identities", parts: new Set(["identities"]), steps: identityGraph(unasked, identities, caller).steps },
    { name: "workload identities", parts: new Set(["identities"]), steps: iamGraph(unasked, iam).steps },
    {
      name: "issuer",
      parts: new Set(["issuer"]),
      steps: issuerGraph(unasked, issuer, keyPair("demo", unasked.connection.clock), caller).steps,
    },
  ];
}
