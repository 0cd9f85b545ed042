/** The service mesh of AKS clusters: the Istio revisions of a region, and the default one. */
import { inSubscription, type Endpoint, type Parameters } from "../../endpoint.js";
import type { ServiceMeshProfile } from "./cluster-profiles.js";
import { aksVersions, refusal } from "./provider.js";

/** Oldest first; each can be upgraded to the next. */
const revisions = ["asm-1-27", "asm-1-28"];
const compatible = [{ name: "kubernetes", versions: ["1.33", "1.34", "1.35", "1.36"] }];

/** AKS chooses the newest revision, and keeps it. @throws ApiError for one that is not offered, unless the cluster has it already */
export function meshFor(sent: ServiceMeshProfile | undefined, before: ServiceMeshProfile | undefined): ServiceMeshProfile | undefined {
  if (sent === undefined || sent.mode === "Disabled") return sent ?? before;
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

export const meshEndpoints: readonly Endpoint[] = [
  inSubscription({ path, action, versions, body: (_call, scope, parameters) => ({ value: [profile(scope, parameters)] }) }),
  inSubscription({ path: `${path}/istio`, action, versions, body: (_call, scope, parameters) => profile(scope, parameters) }),
];

function profile(scope: string, { location = "" }: Parameters): object {
  return {
    id: `${scope}/providers/Microsoft.ContainerService/locations/${location}/meshRevisionProfiles/istio`,
    name: "istio",
    type,
    properties: {
      meshRevisions: revisions.map((revision, index) => ({
        revision,
        upgrades: revisions.slice(index + 1, index + 2),
        compatibleWith: compatible,
      })),
    },
  };
}
