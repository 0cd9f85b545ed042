/** The HTML report of a cluster's verification: its traffic with the results of the checks, readable by its owner only. */
import type { Azure } from "../../azure/azure.js";
import { clusterFlow, type ClusterFacts, type ClusterFlow } from "../../domain/aks/cluster-flow.js";
import { kindFacts } from "../../domain/aks/cluster-kind.js";
import { rfc3339 } from "../../domain/credential-secret.js";
import { writeText } from "../../files/text-file.js";
import { reportPage } from "../../render/report/page.js";
import type { RenderedResult } from "../run/verification.js";
import { version } from "../version.js";

/**
 * `clusters` begins with the verified one. The caller checks the path with `checkReport` before its first request.
 * @throws ARO-RUN-006
 */
export async function writeClusterReport(
  path: string,
  { connection }: Azure,
  clusters: readonly [ClusterFacts, ...ClusterFacts[]],
  results: readonly RenderedResult[],
): Promise<void> {
  const [{ kind, name, location }] = clusters;
  const flow = clusterFlow(clusters);
  const page = reportPage({
    title: `${kindFacts[kind].label} ${name}`.replace(/^./, (letter) => letter.toUpperCase()),
    facts: [
      ["verified", rfc3339(connection.clock.now())],
      ...(location === undefined ? [] : [["location", location] as const]),
      ["subscription", connection.subscriptionId],
      ["by", `aro-hcp ${version}`],
    ],
    drawing: "Who can reach the cluster, and what it reaches",
    flow,
    found: resultsByNode(flow, results),
    results,
  });
  await writeText(path, page, 0o600);
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
