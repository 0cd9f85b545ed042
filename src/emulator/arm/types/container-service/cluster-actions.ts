/** The actions of an AKS cluster: credentials, start, stop and upgrade versions. */
import type { Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import { ofResource, type OfResource, type Endpoint, type Parameters } from "../../endpoint.js";
import { start } from "../../operations.js";
import { keyOf, segmentsOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { aksVersions, notFound, refusal, aksAction, stopped } from "./provider.js";
import { recordOf } from "./cluster-state.js";
import { kubeconfig } from "./kubeconfig.js";
import { childrenOf } from "../../uses.js";
import { requireIdle } from "./cluster-rules.js";
import { ensureNodes } from "./nodes.js";
import { logOperation } from "../../../state/operation-log.js";
import { idAnswered } from "../../present.js";
import { upgradesFrom } from "./kubernetes-versions.js";
import { imageOf, type StoredPool } from "./pool-defaults.js";

const clusterType = "Microsoft.ContainerService/managedClusters";

/** `right` is what follows the type in the name of the right: "stop/action". */
function clusterEndpoint(method: Endpoint["method"], path: string, right: string, handle: OfResource["handle"], since = ""): Endpoint {
  const versions = aksVersions.filter((version) => version >= since);
  return ofResource({ method, type: clusterType, path, versions, right, handle });
}

/** The user that the kubeconfig names, by action. */
const users = {
  listClusterAdminCredential: "clusterAdmin",
  listClusterUserCredential: "clusterUser",
  listClusterMonitoringUserCredential: "clusterMonitoringUser",
} as const;

export const credentialEndpoints: readonly Endpoint[] = Object.entries(users).map(([action, user]) =>
  clusterEndpoint("POST", action, `${action}/action`, (call, cluster) => list(call, cluster, user)),
);

function list(call: ArmCall, cluster: StoredResource, user: string): Answer {
  const { disableLocalAccounts, aadProfile } = recordOf(cluster);
  const hasEntra = aadProfile?.managed === true && user === "clusterUser";
  if (disableLocalAccounts === true && !hasEntra) {
    throw refusal(400, "BadRequest", "Getting static credential is not allowed because this cluster is set to disable local accounts.");
  }
  const group = segmentsOf(cluster.id)[3] ?? "";
  const config = kubeconfig({
    cluster: cluster.name,
    user: `${user}_${group}_${cluster.name}`,
    apiServer: call.state.knobs?.apiServer,
    tenantId: hasEntra ? (aadProfile.tenantID ?? call.state.tenantId) : undefined,
    format: call.request.query.get("format"),
  });
  const value = Buffer.from(config).toString("base64");
  return { status: 200, body: { kubeconfigs: [{ name: user, value }] }, takes: call.sample("read") };
}

/** Starts and stops AKS clusters, and renews what they sign with. A stopped cluster keeps its settings, and its nodes are deallocated. */
interface Change {
  readonly operation: string;
  readonly busy: string;
  /** Of the cluster when it has ended; absent if it stays. */
  readonly code?: "Running" | "Stopped";
  readonly latency: string;
  /** The first api-version that has it; if absent, all. */
  readonly since?: string;
}

const changes = {
  stop: { operation: "StopManagedCluster", busy: "Stopping", code: "Stopped", latency: "aks.stop" },
  start: { operation: "StartManagedCluster", busy: "Starting", code: "Running", latency: "aks.start" },
  rotateClusterCertificates: {
    operation: "RotateClusterCertificates",
    busy: "RotatingClusterCertificates",
    latency: "aks.update",
  },
  rotateServiceAccountSigningKeys: {
    operation: "RotateServiceAccountSigningKeys",
    busy: "RotatingServiceAccountSigningKeys",
    latency: "aks.update",
    since: "2022-09-01",
  },
} as const satisfies Record<string, Change>;

export const changeEndpoints: readonly Endpoint[] = Object.entries<Change>(changes).map(([action, change]) =>
  clusterEndpoint("POST", action, `${action}/action`, (call, cluster) => apply(call, cluster, change), change.since),
);

/** A cluster that is in that state already is 204. */
function apply(call: ArmCall, cluster: StoredResource, { operation, busy, code, latency }: Change): Answer {
  requireIdle(call.state, cluster);
  const { powerState } = recordOf(cluster);
  if (powerState.code === code) return { status: 204, takes: call.sample("read") };
  if (code === undefined && powerState.code === "Stopped") throw stopped(cluster.id);
  if (code !== undefined) {
    cluster.properties["powerState"] = { code };
    for (const pool of childrenOf(call.state, cluster.id, "agentPools")) pool.properties["powerState"] = { code };
  }
  cluster.properties["provisioningState"] = busy;
  ensureNodes(call, cluster);
  const seconds = call.sample(latency);
  logOperation(call.state, { resource: cluster.id, verb: "POST", seconds });
  const { headers } = start(call, aksAction(operation), "put", cluster, seconds);
  return { status: 202, headers, takes: call.sample("read") };
}

/** The versions that an AKS cluster and each of its pools can be upgraded to. */
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
  if (found === undefined) throw notFound(id, "agentpool");
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
