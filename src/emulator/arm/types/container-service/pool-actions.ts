/** The actions of agent pools: new images of their nodes, and the end of what is written. */
import type { Answer } from "../../../core/service.js";
import { logOperation } from "../../../state/operation-log.js";
import type { StoredResource } from "../../../state/state.js";
import { ofResource, type Endpoint } from "../../endpoint.js";
import { operationOn, start } from "../../operations.js";
import { present } from "../../present.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { requireIdlePool } from "./agent-pools.js";
import { ensureNodes } from "./nodes.js";
import { imageOf } from "./pool-defaults.js";
import { aksAction, aksVersions, notFound } from "./provider.js";

const type = "Microsoft.ContainerService/managedClusters";

function poolEndpoint(
  action: string,
  since: string,
  handle: (call: ArmCall, pool: StoredResource, cluster: StoredResource) => Answer,
): Endpoint {
  return ofResource({
    method: "POST",
    type,
    path: `agentPools/{pool}/${action}`,
    versions: aksVersions.filter((version) => version >= since),
    right: `agentPools/${action}/action`,
    handle(call, cluster, { pool: name = "" }) {
      const id = `${cluster.id}/agentPools/${name}`;
      const pool = call.state.resources[keyOf(id)];
      if (pool === undefined) throw notFound(id, "agentpool");
      return handle(call, pool, cluster);
    },
  });
}

export const poolActionEndpoints: readonly Endpoint[] = [
  poolEndpoint("upgradeNodeImageVersion", "2020-07-01", upgradeImage),
  poolEndpoint("abort", "2023-02-01", (call, pool, cluster) => {
    abort(call, pool);
    ensureNodes(call, cluster);
    return accepted(call, pool, "AbortAgentPool", "none");
  }),
  ofResource({
    method: "POST",
    type,
    path: "abort",
    versions: aksVersions.filter((version) => version >= "2023-02-01"),
    right: "abort/action",
    handle(call, cluster) {
      abort(call, cluster);
      return accepted(call, cluster, "AbortManagedCluster", "none");
    },
  }),
];

function upgradeImage(call: ArmCall, pool: StoredResource, cluster: StoredResource): Answer {
  requireIdlePool(call.state, cluster, pool.id);
  pool.properties["nodeImageVersion"] = imageOf(String(pool.properties["osSKU"]));
  pool.properties["provisioningState"] = "UpgradingNodeImageVersion";
  const seconds = call.sample("agentPool.update");
  logOperation(call.state, { resource: pool.id, verb: "POST", seconds });
  return accepted(call, pool, "UpgradeNodeImageVersion", seconds);
}

function accepted(call: ArmCall, resource: StoredResource, operation: string, seconds: number | "none"): Answer {
  const { headers } = start(call, aksAction(operation), "put", resource, seconds);
  return { status: 202, headers, body: present(call, resource), takes: call.sample("read") };
}

/** Ends the write that runs. What it stored stays, except for the stop of a pool, which then runs again. */
function abort({ state }: ArmCall, resource: StoredResource): void {
  const running = operationOn(state, resource.id);
  if (running === undefined) return;
  running.status = "Canceled";
  running.error = { code: "OperationCanceled", message: "The operation was aborted." };
  if (resource.properties["provisioningState"] === "Stopping") resource.properties["powerState"] = { code: "Running" };
  resource.properties["provisioningState"] = "Canceled";
}
