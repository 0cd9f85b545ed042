/** Starts and stops AKS clusters. A stopped cluster keeps its settings, and its nodes are deallocated. */
import type { Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import type { Endpoint } from "../../endpoint.js";
import { start } from "../../operations.js";
import type { ArmCall } from "../../resource-type.js";
import { childrenOf } from "../../uses.js";
import { clusterEndpoint } from "./cluster-endpoint.js";
import { requireIdle } from "./cluster-rules.js";
import { recordOf } from "./cluster-state.js";
import { ensureNodes } from "./nodes.js";
import { aksAction } from "./provider.js";
import { logOperation } from "../../../state/operation-log.js";

interface Change {
  readonly operation: string;
  readonly busy: string;
  readonly code: "Running" | "Stopped";
  readonly latency: string;
}

const changes = {
  stop: { operation: "StopManagedCluster", busy: "Stopping", code: "Stopped", latency: "aks.stop" },
  start: { operation: "StartManagedCluster", busy: "Starting", code: "Running", latency: "aks.start" },
} as const satisfies Record<string, Change>;

export const powerEndpoints: readonly Endpoint[] = Object.entries(changes).map(([action, change]) =>
  clusterEndpoint("POST", action, `${action}/action`, (call, cluster) => apply(call, cluster, change)),
);

/** A cluster that is in that state already is 204. */
function apply(call: ArmCall, cluster: StoredResource, { operation, busy, code, latency }: Change): Answer {
  requireIdle(call.state, cluster);
  if (recordOf(cluster).powerState.code === code) return { status: 204, takes: call.sample("read") };
  cluster.properties["powerState"] = { code };
  for (const pool of childrenOf(call.state, cluster.id, "agentPools")) pool.properties["powerState"] = { code };
  cluster.properties["provisioningState"] = busy;
  ensureNodes(call, cluster);
  const seconds = call.sample(latency);
  logOperation(call.state, { resource: cluster.id, verb: "POST", seconds });
  const { headers } = start(call, aksAction(operation), "put", cluster, seconds);
  return { status: 202, headers, takes: call.sample("read") };
}
