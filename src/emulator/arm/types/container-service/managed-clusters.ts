/** AKS clusters as Azure shows them: the node resource group, scale sets and identities. No API server runs behind them. */
import { ApiError } from "../../../service.js";
import type { AzureState } from "../../../state/state.js";
import { normalLocation } from "../../locations.js";
import { wasDeleted } from "../../operations.js";
import { removeTree } from "../../removal.js";
import { keyOf, nameOf, segmentsOf } from "../../resource-id.js";
import { defineType, type Put } from "../../resource-type.js";
import { noSystemPool, poolsOf, profileDifferences, profilesIn, replacePools } from "./agent-pools.js";
import { clusterBody, type ClusterBody } from "./cluster-body.js";
import { networkProfileFor, profiles, versionsFor } from "./defaults.js";
import { ensureGroup, ensureIdentity, removeIdentity, type NodeGroup } from "./node-group.js";
import { ensureNodes, groupId, readerName } from "./nodes.js";
import { aksDelete, aksPut, aksVersions, notFound } from "./provider.js";

export const managedClusters = defineType<ClusterBody>({
  name: "Microsoft.ContainerService/managedClusters",
  answeredName: "Microsoft.ContainerService/ManagedClusters",
  apiVersions: aksVersions,
  differs: [
    { member: "kind", since: "2025-07-01" },
    { member: "supportPlan", since: "2023-09-01" },
    { member: "metricsProfile", since: "2024-02-01" },
    { member: "bootstrapProfile", since: "2025-01-01" },
    { member: "nodeProvisioningProfile", since: "2025-07-01" },
    ...profileDifferences,
  ],
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  lowerCaseGroup: true,
  namePattern: /^[a-zA-Z0-9](?:[\w-]{0,61}[a-zA-Z0-9])?$/,
  nameRule: "It must have 1 to 63 letters, digits, '_' or '-', and begin and end with a letter or digit.",
  body: clusterBody,
  latency: { put: "aks.create", update: "aks.update", delete: "aks.delete", inGroup: "aks" },
  put: aksPut("PutManagedCluster"),
  delete: aksDelete("DeleteManagedCluster"),
  busy: { creating: "Creating", updating: "Updating" },
  missing: (id, { state }) => (wasDeleted(state, id) ? notFound(id, "managed cluster") : undefined),
  check(put) {
    const { state, body, existing } = put;
    const { identity, properties } = body;
    const missing = Object.keys(identity?.userAssignedIdentities ?? {}).find((one) => state.resources[keyOf(one)] === undefined);
    if (missing !== undefined) throw new ApiError(404, "ResourceNotFound", `The Resource '${missing}' was not found.`);
    if (!properties.agentPoolProfiles.some(({ mode }) => mode === "System")) throw noSystemPool();
    const held = state.resources[keyOf(newNodeGroup(put).id)];
    if (existing === undefined && held !== undefined) {
      throw new ApiError(
        409,
        "NodeResourceGroupAlreadyExists",
        `The node resource group '${held.name}' already exists. Choose another with nodeResourceGroup.`,
      );
    }
  },
  store(put) {
    const { call, id, name, body, existing } = put;
    const { agentPoolProfiles, addonProfiles, kubernetesVersion, dnsPrefix, oidcIssuerProfile, ...sent } = body.properties;
    const location = normalLocation(body.location);
    const kubernetes = versionsFor(kubernetesVersion ?? textOf(existing?.properties["kubernetesVersion"]));
    const networkProfile = networkProfileFor(sent.networkProfile);
    const group = newNodeGroup(put);
    ensureGroup(group);
    const kubelet = ensureIdentity(group, `${name}-agentpool`);
    const addOn = addonProfiles?.azureKeyvaultSecretsProvider;
    const reader = addOn?.enabled === true ? ensureIdentity(group, readerName(name)) : undefined;
    if (reader === undefined) removeIdentity(group, readerName(name));
    replacePools(call, existing?.id ?? id, poolsOf(agentPoolProfiles, kubernetes.current, networkProfile));
    const host = textOf(existing?.properties["fqdn"])?.split(".")[0] ?? `${dnsPrefix}-${call.uuid().slice(0, 8)}`;
    return {
      ...profiles,
      ...sent,
      dnsPrefix,
      kubernetesVersion: kubernetes.wanted,
      currentKubernetesVersion: kubernetes.current,
      networkProfile,
      ...(addonProfiles && {
        addonProfiles: {
          ...addonProfiles,
          ...(addOn && { azureKeyvaultSecretsProvider: { ...addOn, config: addOn.config ?? null, ...(reader && { identity: reader }) } }),
        },
      }),
      oidcIssuerProfile: oidcIssuerProfile.enabled
        ? { enabled: true, issuerURL: issuerOf(existing?.properties) ?? newIssuer(put, location) }
        : { enabled: false },
      fqdn: `${host}.hcp.${location}.azmk8s.io`,
      azurePortalFQDN: `${host}.portal.hcp.${location}.azmk8s.io`,
      identityProfile: { kubeletidentity: kubelet },
      maxAgentPools: 100,
      nodeResourceGroup: nameOf(group.id),
      powerState: { code: "Running" },
      resourceUID: existing?.properties["resourceUID"] ?? call.uuid().replaceAll("-", "").slice(0, 24),
    };
  },
  storeBeside: ({ identity, kind = "Base" }, { state, call, existing }) => {
    if (identity === undefined) return { kind };
    if (identity.type === "UserAssigned") {
      const userAssignedIdentities = Object.keys(identity.userAssignedIdentities ?? {}).map(
        (one) => [one, principalOf(state, one)] as const,
      );
      return { kind, identity: { type: identity.type, userAssignedIdentities: Object.fromEntries(userAssignedIdentities) } };
    }
    const before = existing?.beside?.["identity"] as { principalId?: string } | undefined;
    return { kind, identity: { type: identity.type, principalId: before?.principalId ?? call.uuid(), tenantId: state.tenantId } };
  },
  // The nodes get their identity while the cluster is created.
  present(state, { id, properties: { identityProfile, ...properties } }) {
    const isNew = properties["provisioningState"] === "Creating";
    return { ...properties, agentPoolProfiles: profilesIn(state, id), ...(!isNew && { identityProfile }) };
  },
  changed(moment, id) {
    const cluster = moment.state.resources[keyOf(id)];
    if (cluster !== undefined) ensureNodes(moment, cluster);
  },
  remove: ({ state }, cluster) => {
    removeTree(state, groupId(cluster.id, String(cluster.properties["nodeResourceGroup"])));
    removeTree(state, cluster.id);
    return undefined;
  },
});

/** Fixed at creation. */
function newNodeGroup({ call, state, id, name, body, existing }: Put<ClusterBody>): NodeGroup {
  const location = normalLocation(body.location);
  const wanted = body.properties.nodeResourceGroup ?? `MC_${segmentsOf(id)[3] ?? ""}_${name}_${location}`.slice(0, 80);
  const kept = textOf(existing?.properties["nodeResourceGroup"]);
  return { state, now: call.now, uuid: call.uuid, id: groupId(id, kept ?? wanted), location, managedBy: existing?.id ?? id };
}

function issuerOf(properties: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return (properties?.["oidcIssuerProfile"] as { readonly issuerURL?: string } | undefined)?.issuerURL;
}

function newIssuer({ call, state }: Put<ClusterBody>, location: string): string {
  return `https://${location}.oic.prod-aks.azure.com/${state.tenantId}/${call.uuid()}/`;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function principalOf(state: AzureState, identityId: string): Readonly<Record<string, unknown>> {
  const { principalId, clientId } = state.resources[keyOf(identityId)]?.properties ?? {};
  return { principalId, clientId };
}
