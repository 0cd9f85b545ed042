/** AKS clusters as Azure shows them: the node resource group, scale sets and identities. No API server runs behind them. */
import { ApiError } from "../../../service.js";
import type { AzureState } from "../../../state/state.js";
import { versionsOf } from "../../api-versions.js";
import { normalLocation } from "../../locations.js";
import { removeTree } from "../../removal.js";
import { keyOf, segmentsOf } from "../../resource-id.js";
import { defineType, type Put } from "../../resource-type.js";
import { clusterBody, type ClusterBody } from "./cluster-body.js";
import { ensureGroup, ensureIdentity, ensureScaleSets, removeIdentity, type NodeGroup } from "./node-group.js";

const at = { under: "location", status: "operations", result: "operationresults", runningStatus: 200 } as const;

export const managedClusters = defineType<ClusterBody>({
  name: "Microsoft.ContainerService/managedClusters",
  apiVersions: versionsOf("Microsoft.ContainerService", { from: "2021-05-01" }),
  verbs: ["read", "write", "tags", "delete"],
  kind: "tracked",
  namePattern: /^[a-zA-Z0-9](?:[\w-]{0,61}[a-zA-Z0-9])?$/,
  nameRule: "It must have 1 to 63 letters, digits, '_' or '-', and begin and end with a letter or digit.",
  body: clusterBody,
  latency: { put: "aks.create", update: "aks.update", delete: "aks.delete", inGroup: "aks" },
  put: { operation: "PutManagedCluster", answers: "resource", headers: ["azure-asyncoperation"], pollRetryAfter: [], at },
  delete: { operation: "DeleteManagedCluster", answers: "accepted", headers: ["azure-asyncoperation", "location"], pollRetryAfter: [], at },
  busy: { creating: "Creating", updating: "Updating" },
  check(put) {
    const { state, body, existing } = put;
    const { identity, properties } = body;
    const missing = Object.keys(identity.userAssignedIdentities ?? {}).find((one) => state.resources[keyOf(one)] === undefined);
    if (missing !== undefined) throw new ApiError(404, "ResourceNotFound", `The Resource '${missing}' was not found.`);
    if (!properties.agentPoolProfiles.some(({ mode }) => mode === "System")) {
      throw new ApiError(400, "InvalidParameter", "There must be at least one system agent pool.");
    }
    const held = state.resources[keyOf(nodeGroupOf(put).id)];
    if (existing === undefined && held !== undefined) {
      throw new ApiError(
        409,
        "NodeResourceGroupAlreadyExists",
        `The node resource group '${held.name}' already exists. Choose another with nodeResourceGroup.`,
      );
    }
  },
  store(put) {
    const { name, body, existing } = put;
    const { agentPoolProfiles, addonProfiles, kubernetesVersion, dnsPrefix } = body.properties;
    const group = nodeGroupOf(put);
    ensureGroup(group);
    const kubelet = ensureIdentity(group, `${name}-agentpool`);
    const readerName = `azurekeyvaultsecretsprovider-${name}`.toLowerCase();
    const addOn = addonProfiles?.azureKeyvaultSecretsProvider;
    const reader = addOn?.enabled === true ? ensureIdentity(group, readerName) : undefined;
    if (reader === undefined) removeIdentity(group, readerName);
    ensureScaleSets(group, agentPoolProfiles, reader === undefined ? [kubelet] : [kubelet, reader], readerName);
    const location = normalLocation(body.location);
    return {
      ...body.properties,
      agentPoolProfiles: agentPoolProfiles.map((pool) => ({
        ...pool,
        currentOrchestratorVersion: kubernetesVersion,
        powerState: { code: "Running" },
        provisioningState: "Succeeded",
      })),
      ...(addOn && {
        addonProfiles: { azureKeyvaultSecretsProvider: { ...addOn, config: addOn.config ?? null, ...(reader && { identity: reader }) } },
      }),
      currentKubernetesVersion: kubernetesVersion,
      fqdn: existing?.properties["fqdn"] ?? `${dnsPrefix}-${put.call.uuid().slice(0, 8)}.hcp.${location}.azmk8s.io`,
      identityProfile: { kubeletidentity: kubelet },
      maxAgentPools: 100,
      nodeResourceGroup: segmentsOf(group.id).at(-1) ?? "",
      powerState: { code: "Running" },
      resourceUID: existing?.properties["resourceUID"] ?? put.call.uuid().replaceAll("-", ""),
    };
  },
  storeBeside: ({ identity }, { state, call, existing }) => {
    if (identity.type === "UserAssigned") {
      const userAssignedIdentities = Object.keys(identity.userAssignedIdentities ?? {}).map(
        (one) => [one, principalOf(state, one)] as const,
      );
      return { identity: { type: identity.type, userAssignedIdentities: Object.fromEntries(userAssignedIdentities) } };
    }
    const before = existing?.beside?.["identity"] as { principalId?: string } | undefined;
    return { identity: { type: identity.type, principalId: before?.principalId ?? call.uuid(), tenantId: state.tenantId } };
  },
  remove: ({ state }, cluster) => {
    removeTree(state, groupId(cluster.id, String(cluster.properties["nodeResourceGroup"])));
    removeTree(state, cluster.id);
    return undefined;
  },
});

/** Fixed at creation. */
function nodeGroupOf({ call, state, id, name, body, existing }: Put<ClusterBody>): NodeGroup {
  const location = normalLocation(body.location);
  const wanted = body.properties.nodeResourceGroup ?? `MC_${segmentsOf(id)[3] ?? ""}_${name}_${location}`.slice(0, 80);
  const kept = existing?.properties["nodeResourceGroup"];
  return {
    state,
    now: call.now,
    uuid: call.uuid,
    id: groupId(id, typeof kept === "string" ? kept : wanted),
    location,
    managedBy: existing?.id ?? id,
  };
}

/** In addition to the cluster's own group. */
function groupId(clusterId: string, name: string): string {
  return `/${segmentsOf(clusterId).slice(0, 3).join("/")}/${name}`;
}

function principalOf(state: AzureState, identityId: string): Readonly<Record<string, unknown>> {
  const { principalId, clientId } = state.resources[keyOf(identityId)]?.properties ?? {};
  return { principalId, clientId };
}
