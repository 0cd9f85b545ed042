/** The agent pools of AKS clusters: each is a resource of its own, and a profile in its cluster's answer. */
import { ApiError } from "../../../service.js";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { keyOf } from "../../resource-id.js";
import { defineType, type Moment, type VersionDifference } from "../../resource-type.js";
import { childrenOf, parentResource } from "../uses.js";
import { poolBody, poolName, poolNameRule, type ClusterBody, type Pool, type PoolBody } from "./cluster-body.js";
import { poolProperties } from "./defaults.js";
import { ensureNodes } from "./nodes.js";
import { aksDelete, aksPut, aksVersions, notFound } from "./provider.js";

const agentPoolType = "Microsoft.ContainerService/managedClusters/agentPools";

const differs: readonly VersionDifference[] = [
  { member: "upgradeSettings.maxUnavailable", since: "2025-05-01" },
  { member: "securityProfile.sshAccess", since: "2025-08-01" },
];

/** The same members in the profiles of a cluster. */
export const profileDifferences = differs.map((one) => ({ ...one, member: `agentPoolProfiles.${one.member}` }));

export const agentPools = defineType<PoolBody>({
  name: agentPoolType,
  apiVersions: aksVersions,
  differs,
  verbs: ["read", "write", "delete"],
  kind: "proxy",
  lowerCaseGroup: true,
  namePattern: poolName,
  nameRule: `It ${poolNameRule}.`,
  body: poolBody,
  latency: { put: "agentPool.create", delete: "agentPool.create" },
  put: aksPut("PutAgentPool"),
  delete: aksDelete("DeleteAgentPool"),
  busy: { creating: "Creating", updating: "Updating" },
  missing: (id) => notFound(id, "agent pool"),
  check: ({ state, id, body }) => {
    if (body.properties.mode !== "System") requireOtherSystemPool(state, id);
  },
  store({ state, id, body: { properties } }) {
    const { currentKubernetesVersion, networkProfile } = parentResource(state, id).properties;
    return poolProperties(properties, String(currentKubernetesVersion), networkProfile as Parameters<typeof poolProperties>[2]);
  },
  present: (state, pool) => presentPool(state, pool),
  changed: (moment, id) => ensureNodes(moment, parentResource(moment.state, id)),
  deletable: (state, { id }) => requireOtherSystemPool(state, id),
});

/** @throws ApiError 400 if no pool but this one is a system pool. */
function requireOtherSystemPool(state: AzureState, id: string): void {
  const others = childrenOf(state, parentResource(state, id).id, "agentPools").filter((pool) => keyOf(pool.id) !== keyOf(id));
  if (!others.some(({ properties }) => properties["mode"] === "System")) throw noSystemPool();
}

export function noSystemPool(): ApiError {
  return new ApiError(400, "InvalidParameter", "There must be at least one system agent pool.");
}

/** Stores the pools of a PUT of the cluster in place of those that were there. */
export function replacePools({ state }: Pick<Moment, "state">, cluster: string, pools: readonly StoredPool[]): void {
  for (const gone of childrenOf(state, cluster, "agentPools")) {
    if (!pools.some(({ name }) => name === gone.name)) delete state.resources[keyOf(gone.id)];
  }
  for (const { name, properties } of pools) {
    const id = `${cluster}/agentPools/${name}`;
    state.resources[keyOf(id)] = { id, name, type: agentPoolType, properties };
  }
}

export interface StoredPool {
  readonly name: string;
  readonly properties: Record<string, unknown>;
}

/** `kubernetes` is the version that the cluster runs. */
export function poolsOf(
  profiles: ClusterBody["properties"]["agentPoolProfiles"],
  kubernetes: string,
  network: Parameters<typeof poolProperties>[2],
): StoredPool[] {
  return profiles.map(({ name, ...pool }) => ({ name, properties: poolProperties(pool satisfies Pool, kubernetes, network) }));
}

/** A pool that was written with its cluster has the cluster's state. */
function presentPool(state: AzureState, { id, properties }: StoredResource): Record<string, unknown> {
  return { provisioningState: parentResource(state, id).properties["provisioningState"], ...properties };
}

export function profilesIn(state: AzureState, cluster: string): Record<string, unknown>[] {
  return childrenOf(state, cluster, "agentPools").map((pool) => ({ name: pool.name, ...presentPool(state, pool) }));
}
