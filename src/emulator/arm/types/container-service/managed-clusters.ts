/** AKS clusters with their node resource group, network, scale sets and identities, but no nodes. */
import { versionOf } from "../../api-versions.js";
import { ApiError } from "../../../core/service.js";
import type { AzureState } from "../../../state/state.js";
import { isRecord } from "../../body-schema.js";
import { normalLocation } from "../../locations.js";
import { removeTree } from "../../removal.js";
import { keyOf, nameOf } from "../../resource-id.js";
import { defineType, type Put } from "../../resource-type.js";
import { addOnsFor, presentAddOns, presentIdentity } from "./add-ons.js";
import { profilesIn, storePools } from "./agent-pools.js";
import { apiServerFor } from "./api-server.js";
import { clusterBody, type ClusterBody } from "./cluster-body.js";
import { checkCluster, requireFreeNodeGroup, requireWritable } from "./cluster-rules.js";
import { allPools, nodeGroupName, recordOf, wantedCluster, type WantedCluster } from "./cluster-state.js";
import { defaultsSince, profilesFor, windowsProfileFor } from "./defaults.js";
import {
  eightDigits,
  hexOf,
  ensureGroup,
  ensureIdentity,
  type AssignedIdentity,
  type NodeGroup,
  assignedIdentity,
  ensureNodes,
  groupId,
} from "./nodes.js";
import { hasIssuerByDefault } from "./kubernetes-versions.js";
import { clusterVersions } from "./member-versions.js";
import { meshFor } from "./mesh.js";
import { checkClusterSubnets, ensureNodeNetwork } from "./node-subnets.js";
import { checkOutbound, effectiveAddresses, ensureBalancer } from "./outbound.js";
import { checkMachines } from "./pool-machines.js";
import { aksDelete, aksPut, aksVersions, etagMismatch } from "./provider.js";
import { missingRight, requireRights, rightsOfCaller } from "./required-rights.js";
import { resourcesWithin } from "../../indexes.js";
import { denialType } from "../../authorization-check.js";

export const managedClusters = defineType<ClusterBody>({
  name: "Microsoft.ContainerService/managedClusters",
  answeredName: "Microsoft.ContainerService/ManagedClusters",
  apiVersions: aksVersions,
  versionDifferences: clusterVersions,
  // Azure answers a small letter where its description has a capital one.
  undescribedMembers: ["backendPoolType"],
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  lowerCaseGroup: true,
  etag: "plain",
  etagMember: "eTag",
  conditionRefusal: etagMismatch,
  namePattern: /^[a-zA-Z0-9](?:[\w-]{0,61}[a-zA-Z0-9])?$/,
  nameRule: "It must have 1 to 63 letters, digits, '_' or '-', and begin and end with a letter or digit.",
  body: clusterBody,
  latency: { put: "aks.create", update: "aks.update", delete: "aks.delete", inGroup: "aks" },
  put: aksPut("PutManagedCluster"),
  delete: aksDelete("DeleteManagedCluster"),
  // A deletion ends the write before it; another write is refused by `check`.
  lock: { on: "self", second: "supersede" },
  busyStates: { creating: "Creating", updating: "Updating" },
  linkedRights: rightsOfCaller,
  checkPut(put) {
    const { state, body } = put;
    requireWritable(put);
    const missing = Object.keys(body.identity?.userAssignedIdentities ?? {}).find((one) => state.resources[keyOf(one)] === undefined);
    if (missing !== undefined) throw new ApiError(404, "ResourceNotFound", `The Resource '${missing}' was not found.`);
    const wanted = wantedCluster(put);
    checkCluster(put, wanted);
    requireFreeNodeGroup(put, nodeGroupOf(put).id);
    checkClusterSubnets(put, wanted);
    checkOutbound(put, wanted);
    const machines = wanted.pools.map(({ name, properties, before }) => ({ name, properties, nodesBefore: before?.count ?? 0 }));
    checkMachines({ state, cluster: put.id, location: body.location }, machines);
    requireRights(put, wanted);
  },
  putFailure: (put) => missingRight(put, wantedCluster(put)),
  storedProperties(put) {
    const { call, state, id, body, existing } = put;
    const { agentPoolProfiles: _profiles, addonProfiles, dnsPrefix, oidcIssuerProfile, identityProfile, ...others } = body.properties;
    const mesh = meshFor(others.serviceMeshProfile, existing?.properties["serviceMeshProfile"] as typeof others.serviceMeshProfile);
    const sent = { ...others, ...(mesh && { serviceMeshProfile: mesh }) };
    const wanted = wantedCluster(put);
    const group = nodeGroupOf(put);
    const cluster = existing?.id ?? id;
    const digits = eightDigits(cluster);
    ensureGroup(group);
    const pools = allPools(state, cluster, wanted.pools);
    const isManaged = pools.every(({ properties }) => properties.vnetSubnetID === undefined);
    ensureNodeNetwork(call, { group: group.id, location: group.location, digits, isManaged });
    const { loadBalancerProfile: profile } = wanted.network;
    ensureBalancer(call, { cluster, group: group.id, location: group.location, profile });
    ensureRestriction({
      state,
      uuid: call.uuid,
      group: group.id,
      level: (sent.nodeResourceGroupProfile ?? (existing?.properties["nodeResourceGroupProfile"] as typeof sent.nodeResourceGroupProfile))
        ?.restrictionLevel,
      manager: wanted.principalId,
    });
    storePools(call, cluster, wanted.pools);
    const addOns = addOnsFor(put, group, addonProfiles);
    const windowsProfile = windowsProfileFor(body.properties, existing?.properties);
    const prefix = dnsPrefix ?? textOf(existing?.properties["dnsPrefix"]) ?? "";
    return {
      ...profilesFor(sent, {
        before: existing?.properties,
        isScaled: pools.some(({ properties }) => properties.enableAutoScaling === true),
        tenantId: state.tenantId,
        apiVersion: versionOf(call.request),
      }),
      ...(prefix !== "" && { dnsPrefix: prefix }),
      supportPlan: wanted.plan,
      kubernetesVersion: wanted.version.wanted,
      currentKubernetesVersion: wanted.version.current,
      networkProfile: wanted.network,
      ...(addOns && { addonProfiles: addOns }),
      ...(windowsProfile && { windowsProfile }),
      oidcIssuerProfile: issuerFor(put, wanted, oidcIssuerProfile?.enabled),
      ...apiServerFor(put, body.properties.fqdnSubdomain ?? textOf(existing?.properties["fqdnSubdomain"]) ?? prefix),
      ...(wanted.hasIdentity && {
        identityProfile: { kubeletidentity: kubeletFor(put, group, identityProfile?.kubeletidentity?.resourceId) },
      }),
      maxAgentPools: 100,
      nodeResourceGroup: nameOf(group.id),
      powerState: { code: "Running" },
      resourceUID: hexOf(cluster, 24),
    };
  },
  storedMembers({ identity, sku, kind }, { state, call, existing }) {
    const before = existing?.beside;
    const held = identity ?? (before?.["identity"] as ClusterBody["identity"]);
    const of = { kind: kind ?? before?.["kind"] ?? "Base", sku: sku ?? before?.["sku"] ?? { name: "Base", tier: "Free" } };
    if (held === undefined) return of;
    if (held.type === "UserAssigned") {
      const ids = Object.keys(held.userAssignedIdentities ?? {});
      return {
        ...of,
        identity: { type: held.type, userAssignedIdentities: Object.fromEntries(ids.map((id) => [id, principalOf(state, id)])) },
      };
    }
    const { principalId } = (before?.["identity"] ?? {}) as { principalId?: string };
    return { ...of, identity: { type: held.type, principalId: principalId ?? call.uuid(), tenantId: state.tenantId } };
  },
  // Nodes get their identity, and the load balancer its addresses, while the cluster is created.
  presentedProperties(state, { id, properties: { identityProfile, addonProfiles, networkProfile, ...properties } }) {
    const isNew = properties["provisioningState"] === "Creating";
    const network = networkProfile as WantedCluster["network"];
    const group = groupId(id, String(properties["nodeResourceGroup"]));
    const { loadBalancerProfile: profile } = network;
    return {
      ...properties,
      networkProfile: {
        ...network,
        ...(isNew && { loadBalancerSku: network.loadBalancerSku.toLowerCase() }),
        ...(profile && { loadBalancerProfile: { ...profile, ...(!isNew && { effectiveOutboundIPs: effectiveAddresses(state, group) }) } }),
      },
      agentPoolProfiles: profilesIn(state, id),
      addonProfiles: presentAddOns(addonProfiles, group, isNew),
      ...(!isNew && isRecord(identityProfile) && { identityProfile: presentIdentities(identityProfile, group) }),
    };
  },
  presentedByPut: (put, presented) => ({
    ...presented,
    properties: withEmptyMembers(put, presented["properties"] as Readonly<Record<string, unknown>>),
  }),
  afterChange(moment, id) {
    const cluster = moment.state.resources[keyOf(id)];
    if (cluster !== undefined) ensureNodes(moment, cluster);
  },
  removeAtEnd: ({ state }, cluster) => {
    removeTree(state, groupId(cluster.id, String(cluster.properties["nodeResourceGroup"])));
    removeTree(state, cluster.id);
    return undefined;
  },
});

function presentIdentities(profile: Readonly<Record<string, unknown>>, group: string): object {
  return Object.fromEntries(Object.entries(profile).map(([use, one]) => [use, presentIdentity(group, one as AssignedIdentity)]));
}

/**
 * The answer to a PUT repeats the empty labels and tags of the pools that it sent; the tags of a creation only in newer versions, which have
 * empty labels in any case.
 */
function withEmptyMembers({ call, body, existing }: Put<ClusterBody>, properties: Readonly<Record<string, unknown>>): object {
  const apiVersion = versionOf(call.request);
  const repeatsTags = existing !== undefined || apiVersion >= defaultsSince.explicitPools;
  const noLabels = apiVersion >= defaultsSince.explicit ? {} : undefined;
  const pools = (properties["agentPoolProfiles"] as Readonly<Record<string, unknown>>[]).map((pool) => {
    const sent = body.properties.agentPoolProfiles?.find(({ name }) => name === pool["name"]);
    return {
      ...pool,
      nodeLabels: pool["nodeLabels"] ?? sent?.nodeLabels ?? noLabels,
      tags: pool["tags"] ?? (repeatsTags ? sent?.tags : undefined),
    };
  });
  return { ...properties, agentPoolProfiles: pools };
}

function nodeGroupOf(put: Put<ClusterBody>): NodeGroup {
  const { call, state, id, body, existing } = put;
  const location = normalLocation(body.location);
  return { state, now: call.now, uuid: call.uuid, id: groupId(id, nodeGroupName(put)), location, managedBy: existing?.id ?? id };
}

/** A cluster without one of its own gets an identity in the node group, which stays there when it is replaced. */
function kubeletFor(put: Put<ClusterBody>, group: NodeGroup, sent: string | undefined): AssignedIdentity {
  const kept = put.existing === undefined ? undefined : recordOf(put.existing).identityProfile?.kubeletidentity?.resourceId;
  const wanted = sent ?? kept;
  return wanted === undefined ? ensureIdentity(group, `${put.name}-agentpool`) : assignedIdentity(put, wanted);
}

function issuerFor({ call, state, body, existing }: Put<ClusterBody>, { version }: WantedCluster, sent: boolean | undefined): object {
  const before = existing === undefined ? undefined : recordOf(existing).oidcIssuerProfile;
  const enabled = sent ?? before?.enabled ?? hasIssuerByDefault(version);
  if (!enabled) return { enabled };
  const host = `${normalLocation(body.location)}.oic.prod-aks.azure.com`;
  return { enabled, issuerURL: before?.issuerURL ?? `https://${host}/${state.tenantId}/${call.uuid()}/` };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function principalOf(state: AzureState, identityId: string): Readonly<Record<string, unknown>> {
  const { principalId, clientId } = state.resources[keyOf(identityId)]?.properties ?? {};
  return { principalId, clientId };
}

/** The restriction of a node resource group: a deny assignment of AKS, which overrides every role in the group but the right to read. */
export interface Restriction {
  readonly state: AzureState;
  readonly uuid: () => string;
  readonly group: string;
  readonly level: unknown;
  /** Object ID of the cluster's identity, which manages the group. */
  readonly manager: string | undefined;
}

const everyone = "00000000-0000-0000-0000-000000000000";

/** Azure's own level is Unrestricted: only a cluster that asks for it has a deny assignment. */
function ensureRestriction({ state, uuid, group, level, manager }: Restriction): void {
  const existing = resourcesWithin(state, group, denialType)[0];
  if (level !== "ReadOnly") {
    if (existing !== undefined) removeTree(state, existing.id);
    return;
  }
  if (existing !== undefined) return;
  const name = uuid();
  const id = `${group}/providers/${denialType}/${name}`;
  state.resources[keyOf(id)] = {
    id,
    name,
    type: denialType,
    properties: {
      denyAssignmentName: `System deny assignment created by Azure Kubernetes Service ${group}`,
      description: "Node resource group restriction of Azure Kubernetes Service.",
      permissions: [{ actions: ["*"], notActions: ["*/read"], dataActions: [], notDataActions: [] }],
      principals: [{ id: everyone, type: "SystemDefined" }],
      excludePrincipals: manager === undefined ? [] : [{ id: manager, type: "ServicePrincipal" }],
      doNotApplyToChildScopes: false,
      isSystemProtected: true,
    },
  };
}
