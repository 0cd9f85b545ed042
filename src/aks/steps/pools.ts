/** The agent pools of an AKS cluster, each created and changed alone. */
import type { AgentPool } from "@azure/arm-containerservice";
import { expectedDuration, poolUpdate } from "../../azure/expected-durations.js";
import { begun, finish, found } from "../../azure/long-running.js";
import { defineStep, type Change, type Decision, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { poolDifferences, withPoolProperties } from "../domain/differences.js";
import { wantedPool } from "../domain/pool-properties.js";
import { poolSize, withLiveSize, type AgentPoolSpec } from "../domain/pools.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { idBelow } from "../../steps/in-group.js";
import { busyState, failedState } from "../../steps/provisioning-state.js";
import { refuseStopped, type ClusterOutput } from "./cluster.js";
import type { AksContext } from "./context.js";
import type { VersionOutput } from "./kubernetes-version.js";
import type { ClusterNetworkOutput } from "./network.js";

export interface PoolNeeds {
  readonly cluster: Step<ClusterOutput>;
  readonly network: Step<ClusterNetworkOutput>;
  readonly version: Step<VersionOutput>;
}

interface Outputs {
  readonly network: ClusterNetworkOutput;
  readonly version: VersionOutput;
}

const row = resourceTypes.agentPool;

/** A pool of any role except system: the request for the cluster has the system pools. */
export function agentPool({ azure, spec, names, group }: AksContext, pool: AgentPoolSpec, needs: PoolNeeds): Step<unknown> {
  const { name } = pool;
  const wantedBy = ({ network, version }: Outputs, live?: AgentPool) =>
    wantedPool(spec, withLiveSize(pool, live), { ...network, kubernetesVersion: version.version });
  return defineStep({
    id: `${row.use.step}-${name}`,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, size: poolSize(pool) },
    seconds: expectedDuration("PUT", row.type).spread[1],
    resourceId: idBelow(group, row.type, names.cluster, name),
    needs: { group, ...needs },
    within: "cluster",
    read: async ({ group: { name: groupName } }) => found((await azure.clusters()).agentPools.get(groupName, names.cluster, name)),
    busy: (live) => busyState(live),
    wanted: (outputs) => wantedBy(outputs),
    decide(live, outputs) {
      const decision = decidePool(pool, live, wantedBy(outputs, live));
      const { id, isStopped } = outputs.cluster;
      return isStopped && (decision.act === "create" || decision.act === "update")
        ? refuseStopped(id, `${quotedTitleOf(row, name)} ${live === undefined ? "does not exist" : "differs"}`)
        : decision;
    },
    async apply(live, outputs): Promise<AgentPool> {
      const { agentPools } = await azure.clusters();
      const groupName = outputs.group.name;
      const wanted = wantedBy(outputs, live);
      const body = live === undefined ? wanted : withPoolProperties(live, wanted);
      const expected = live === undefined ? expectedDuration("PUT", row.type) : poolUpdate;
      return finish(azure, expected, (options) =>
        begun(
          agentPools.createOrUpdate(groupName, names.cluster, name, body, {
            ...options,
            ...(live?.eTag !== undefined && { ifMatch: live.eTag }),
          }),
        ),
      );
    },
    output: ({ id }) => ({ id }),
  });
}

function decidePool(pool: AgentPoolSpec, live: AgentPool | undefined, wanted: AgentPool): Decision {
  if (live === undefined) return { act: "create" };
  const found: readonly Change[] | Failure = poolDifferences(pool, live, wanted);
  if (found instanceof Failure) return { act: "refuse", failure: found };
  const failed = failedState(live);
  if (failed !== undefined) {
    const retried = { path: "provisioningState", from: failed, to: "Succeeded" };
    return { act: "update", why: "its last operation failed, so it is updated again", changes: [retried, ...found] };
  }
  return found.length === 0 ? { act: "keep" } : { act: "update", why: "it differs", changes: found };
}
