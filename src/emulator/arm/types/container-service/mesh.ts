/** The service mesh of AKS clusters: the Istio revisions of a region, and the default one. */
import type { StoredResource } from "../../../state/state.js";
import { inSubscription, ofResource, type Endpoint, type Parameters } from "../../endpoint.js";
import { idAnswered } from "../../present.js";
import type { ArmCall } from "../../resource-type.js";
import type { ServiceMeshProfile } from "./cluster-profiles.js";
import { aksVersions, refusal } from "./provider.js";

/** Oldest first; each can be upgraded to the next. */
const revisions = ["asm-1-27", "asm-1-28"];
const compatible = [{ name: "kubernetes", versions: ["1.33", "1.34", "1.35", "1.36"] }];

/** AKS chooses the newest revision, and keeps it. @throws ApiError for one that is not offered, unless the cluster has it already */
export function meshFor(sent: ServiceMeshProfile | undefined, before: ServiceMeshProfile | undefined): ServiceMeshProfile | undefined {
  if (sent === undefined) return before;
  // az sends the settings of the mesh even then.
  if (sent.mode === "Disabled") return { mode: sent.mode };
  const kept = before?.istio?.revisions ?? [];
  const missing = sent.istio?.revisions?.find((revision) => !revisions.includes(revision) && !kept.includes(revision));
  if (missing !== undefined) {
    throw refusal(
      400,
      "BadRequest",
      `Istio revision ${missing} is not supported in this region. Supported revisions are ${revisions.join(", ")}.`,
    );
  }
  const fallback = kept.length > 0 ? kept : revisions.slice(-1);
  const { revisions: wanted = fallback, ...istio } = { ...before?.istio, ...sent.istio };
  return { mode: sent.mode, istio: { ...istio, revisions: sent.istio?.revisions ?? wanted } };
}

const type = "Microsoft.ContainerService/locations/meshRevisionProfiles";
const path = "Microsoft.ContainerService/locations/{location}/meshRevisionProfiles";
const action = `${type}/read`;
const versions = aksVersions.filter((version) => version >= "2023-11-01");

const upgradesOf = (revision: string) => revisions.slice(revisions.indexOf(revision) + 1).slice(0, 1);

/** The revision of a cluster's mesh, and those that it can be upgraded to. */
function upgradeProfiles(call: ArmCall, cluster: StoredResource): object[] {
  const mesh = cluster.properties["serviceMeshProfile"] as ServiceMeshProfile | undefined;
  const [revision] = mesh?.istio?.revisions ?? [];
  if (revision === undefined) return [];
  const id = `${idAnswered(call.types.of(cluster), cluster.id)}/meshUpgradeProfiles/istio`;
  const properties = { revision, upgrades: upgradesOf(revision), compatibleWith: compatible };
  return [{ id, name: "istio", type: `${cluster.type}/meshUpgradeProfiles`, properties }];
}

const ofCluster = (path: string, body: (profiles: readonly object[]) => unknown): Endpoint =>
  ofResource({
    method: "GET",
    type: "Microsoft.ContainerService/managedClusters",
    path,
    versions: aksVersions.filter((version) => version >= "2023-08-01"),
    right: "meshUpgradeProfiles/read",
    handle: (call, cluster) => ({ status: 200, body: body(upgradeProfiles(call, cluster)), takes: call.sample("read") }),
  });

export const meshEndpoints: readonly Endpoint[] = [
  ofCluster("meshUpgradeProfiles", (value) => ({ value })),
  ofCluster("meshUpgradeProfiles/istio", ([profileOfCluster]) => {
    if (profileOfCluster === undefined) throw refusal(404, "NotFound", "The service mesh of the cluster is not enabled.");
    return profileOfCluster;
  }),
  inSubscription({ path, action, versions, body: (_call, scope, parameters) => ({ value: [profile(scope, parameters)] }) }),
  inSubscription({ path: `${path}/istio`, action, versions, body: (_call, scope, parameters) => profile(scope, parameters) }),
];

function profile(scope: string, { location = "" }: Parameters): object {
  return {
    id: `${scope}/providers/Microsoft.ContainerService/locations/${location}/meshRevisionProfiles/istio`,
    name: "istio",
    type,
    properties: {
      meshRevisions: revisions.map((revision) => ({ revision, upgrades: upgradesOf(revision), compatibleWith: compatible })),
    },
  };
}
