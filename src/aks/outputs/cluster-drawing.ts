/** The traffic of a cluster with the results of its checks, for its report. */
import { clusterFlow, type ClusterFacts, type ClusterFlow } from "../domain/cluster-flow.js";
import type { Drawing } from "../../render/report/page.js";
import type { RenderedResult } from "../../run/verification.js";

/** `clusters` begins with the verified one. */
export function clusterDrawing(clusters: readonly [ClusterFacts, ...ClusterFacts[]], results: readonly RenderedResult[]): Drawing {
  const flow = clusterFlow(clusters);
  return { title: "Who can reach the cluster, and what it reaches", flow, found: resultsByNode(flow, results) };
}

/** A check about a rule, an address or a vault is at its node; all others are about the cluster. */
function resultsByNode({ groups }: ClusterFlow, results: readonly RenderedResult[]): ReadonlyMap<string, readonly RenderedResult[]> {
  const nodes = groups.flatMap((group) => group.nodes);
  const verified = nodes.find(({ kind }) => kind === "cluster")?.id ?? "";
  const placed = results.map((result) => {
    const named = nodes.filter(({ kind, lines: [first] }) => kind !== "cluster" && isAbout(result, first)).map(({ id }) => id);
    return { result, ids: named.length > 0 ? named : [verified] };
  });
  return new Map(nodes.map(({ id }) => [id, placed.filter(({ ids }) => ids.includes(id)).map(({ result }) => result)]));
}

/** The subject of a check is a title: "public IP address mgmt-outbound-ip". */
function isAbout({ subject }: RenderedResult, name: string | undefined): boolean {
  return name !== undefined && (subject === name || subject.endsWith(` ${name}`));
}
