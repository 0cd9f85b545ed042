/** The versions that an AKS cluster and each of its pools can be upgraded to. */
import type { Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import type { Endpoint, Parameters } from "../../endpoint.js";
import { idAnswered } from "../../present.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { childrenOf } from "../../uses.js";
import { clusterEndpoint, clusterType } from "./cluster-endpoint.js";
import { recordOf } from "./cluster-state.js";
import { upgradesFrom } from "./kubernetes-versions.js";
import { imageOf, type StoredPool } from "./pool-defaults.js";
import { notFound } from "./provider.js";

export const upgradeEndpoints: readonly Endpoint[] = [
  clusterEndpoint("GET", "upgradeProfiles/default", "upgradeProfiles/read", ofCluster),
  clusterEndpoint("GET", "agentPools/{pool}/upgradeProfiles/default", "agentPools/upgradeProfiles/read", ofPool),
  clusterEndpoint("GET", "availableAgentPoolVersions", "availableAgentPoolVersions/read", availableVersions),
];

const profile = (current: string) => ({ kubernetesVersion: current, osType: "Linux", upgrades: upgradesFrom(current) });

function ofCluster(call: ArmCall, cluster: StoredResource): Answer {
  const pools = childrenOf(call.state, cluster.id, "agentPools").map(({ name, properties }) => ({
    name,
    ...profile((properties as StoredPool).currentOrchestratorVersion),
  }));
  const body = {
    id: `${idOf(call, cluster)}/upgradeprofiles/default`,
    name: "default",
    type: `${clusterType}/upgradeprofiles`,
    properties: { controlPlaneProfile: profile(recordOf(cluster).currentKubernetesVersion), agentPoolProfiles: pools },
  };
  return { status: 200, body, takes: call.sample("read") };
}

function ofPool(call: ArmCall, cluster: StoredResource, { pool = "" }: Parameters): Answer {
  const id = `${cluster.id}/agentPools/${pool}`;
  const found = call.state.resources[keyOf(id)];
  if (found === undefined) throw notFound(id, "agent pool");
  const { currentOrchestratorVersion, ...properties } = found.properties as StoredPool;
  const body = {
    id: `${idOf(call, cluster)}/agentPools/${found.name}/upgradeprofiles/default`,
    name: "default",
    type: `${clusterType}/agentPools/upgradeProfiles`,
    properties: { ...profile(currentOrchestratorVersion), latestNodeImageVersion: imageOf(String(properties["osSKU"])) },
  };
  return { status: 200, body, takes: call.sample("read") };
}

/** Those that a new pool may have: not newer than the control plane. */
function availableVersions(call: ArmCall, cluster: StoredResource): Answer {
  const { currentKubernetesVersion: kubernetesVersion } = recordOf(cluster);
  const body = {
    id: `${idOf(call, cluster)}/availableagentpoolversions/default`,
    name: "default",
    type: `${clusterType}/availableAgentpoolVersions`,
    properties: { agentPoolVersions: [{ default: true, kubernetesVersion }] },
  };
  return { status: 200, body, takes: call.sample("read") };
}

function idOf({ types }: ArmCall, cluster: StoredResource): string {
  return idAnswered(types.of(cluster), cluster.id);
}
