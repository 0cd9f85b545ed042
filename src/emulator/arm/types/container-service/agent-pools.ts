/** The agent pools of AKS clusters: each is a resource of its own, and a profile in its cluster's answer. */
import { isDeepStrictEqual } from "node:util";
import type { AzureState, StoredResource } from "../../../state/state.js";
import { versionOf } from "../../api-versions.js";
import { operationOn, renewEtag } from "../../operations.js";
import { keyOf } from "../../resource-id.js";
import { defineType, type Moment } from "../../resource-type.js";
import { childrenOf, parentResource } from "../../uses.js";
import { ofCluster, recordOf } from "./cluster-state.js";
import { poolVersions } from "./member-versions.js";
import { checkPoolSubnets } from "./node-subnets.js";
import { ensureNodes } from "./nodes.js";
import { poolBody, poolName, poolNameRule, type PoolBody } from "./pool-body.js";
import { poolFor, type StoredPool } from "./pool-defaults.js";
import { checkMachines } from "./pool-machines.js";
import { checkPool, checkSent, requireOtherSystemPool, requireUnchanged } from "./pool-rules.js";
import { aksAction, aksPut, aksVersions, etagMismatch, inProgress, notFound, stopped } from "./provider.js";
import { subnetsOf } from "./required-rights.js";

const agentPoolType = "Microsoft.ContainerService/managedClusters/agentPools";

export const agentPools = defineType<PoolBody>({
  name: agentPoolType,
  apiVersions: aksVersions,
  versionDifferences: poolVersions,
  verbs: ["read", "write", "delete"],
  kind: "proxy",
  lowerCaseGroup: true,
  etag: "plain",
  etagMember: "properties.eTag",
  conditionRefusal: etagMismatch,
  namePattern: poolName,
  nameRule: `It ${poolNameRule}.`,
  body: poolBody,
  latency: { put: "agentPool.create", update: "agentPool.update", delete: "agentPool.delete" },
  put: aksPut("PutAgentPool"),
  delete: aksAction("DeleteAgentPool"),
  busyStates: { creating: "Creating", updating: "Updating" },
  stateOfUpdate: ({ call, state, id, body: { properties: sent }, existing }) => {
    const before = existing?.properties as StoredPool | undefined;
    if (before === undefined) return undefined;
    const after = poolFor(sent, before, ofCluster(state, parentResource(state, id), versionOf(call.request)));
    if (after.powerState.code !== before.powerState.code) return after.powerState.code === "Stopped" ? "Stopping" : "Starting";
    return after.currentOrchestratorVersion === before.currentOrchestratorVersion ? undefined : "Upgrading";
  },
  missingRefusal: (id) => notFound(id, "agentpool"),
  linkedRights: ({ properties }) =>
    subnetsOf([properties]).map((id) => ({ id, action: "Microsoft.Network/virtualNetworks/subnets/join/action" })),
  checkPut({ call, state, id, name, body: { properties: sent }, existing }) {
    const cluster = parentResource(state, id);
    requireIdlePool(state, cluster, id);
    const before = existing?.properties as StoredPool | undefined;
    if (before !== undefined) requireUnchanged(sent, before, "properties");
    checkSent(sent, before);
    const pool = poolFor(sent, before, ofCluster(state, cluster, versionOf(call.request)));
    checkPool(pool);
    if (pool.mode !== "System") requireOtherSystemPool(state, cluster, id);
    const others = childrenOf(state, cluster.id, "agentPools").filter((one) => one.name !== name);
    const all = [...others.map((one) => ({ name: one.name, properties: one.properties as StoredPool })), { name, properties: pool }];
    checkPoolSubnets(state, all, recordOf(cluster).networkProfile);
    const { location = "" } = cluster;
    checkMachines({ state, cluster: cluster.id, location }, [{ name, properties: pool, nodesBefore: before?.count ?? 0 }]);
  },
  storedProperties: ({ call, state, id, body: { properties }, existing }) => ({
    ...poolFor(
      properties,
      existing?.properties as StoredPool | undefined,
      ofCluster(state, parentResource(state, id), versionOf(call.request)),
    ),
  }),
  presentedProperties: (state, pool) => presentPool(state, pool),
  afterChange: (moment, id) => ensureNodes(moment, parentResource(moment.state, id)),
  checkDelete(state, { id }) {
    const cluster = parentResource(state, id);
    requireIdlePool(state, cluster, id);
    requireOtherSystemPool(state, cluster, id);
  },
});

/** Other pools of the cluster may be written at the same time. @throws ApiError 409 while the cluster or this pool is written */
export function requireIdlePool(state: AzureState, cluster: StoredResource, id: string): void {
  const running = operationOn(state, cluster.id) ?? operationOn(state, id);
  if (running !== undefined) throw inProgress(running.name);
  if (recordOf(cluster).powerState.code === "Stopped") throw stopped(cluster.id);
}

/** Stores the pools of a PUT of the cluster. Those that it does not name stay as they are. */
export function storePools(moment: Moment, cluster: string, pools: readonly { name: string; properties: StoredPool }[]): void {
  const { state } = moment;
  for (const { name, properties } of pools) {
    const id = `${cluster}/agentPools/${name}`;
    const before = state.resources[keyOf(id)];
    const pool: StoredResource = { ...before, id, name, type: agentPoolType, properties: { ...properties } };
    state.resources[keyOf(id)] = pool;
    if (!isDeepStrictEqual(asStored(before?.properties), asStored(properties))) renewEtag(moment, pool, agentPools);
  }
}

/** Without undefined members, and without the state of a pool that was written by itself. */
function asStored(properties: Readonly<Record<string, unknown>> | undefined): unknown {
  return properties && (JSON.parse(JSON.stringify({ ...properties, provisioningState: undefined })) as unknown);
}

/** A pool that was written with its cluster has the cluster's state. */
function presentPool(state: AzureState, { id, properties }: StoredResource): Record<string, unknown> {
  return { provisioningState: parentResource(state, id).properties["provisioningState"], ...properties };
}

export function profilesIn(state: AzureState, cluster: string): Record<string, unknown>[] {
  return childrenOf(state, cluster, "agentPools").map((pool) => {
    const presented = presentPool(state, pool);
    return { name: pool.name, ...presented, ...(presented["provisioningState"] !== "Creating" && { eTag: pool.etag }) };
  });
}
