/** `verify` of an AKS cluster: its checks in Azure, and with a kubeconfig also those in the cluster. */
import type { Resolved } from "../../settings/settings.js";
import { kindFacts, type ClusterKind } from "../../domain/cluster-kind.js";
import { aksCheckInstances } from "../verify/check-instances.js";
import { createClusterAdvice } from "../inputs/aks-recorded-options.js";
import { factsInFile, plannedFacts } from "../inputs/cluster-flow.js";
import type { ProcessPort } from "../../run/process-port.js";
import { withExistingCluster } from "./existing-cluster.js";
import { planGraph } from "../../run/plan-graph.js";
import { runVerification, type RenderedResult } from "../../run/verification.js";
import { clusterFlow, type ClusterFacts, type ClusterFlow } from "../domain/cluster-flow.js";
import type { Drawing } from "../../render/report/page.js";

type Command = "verify management-cluster" | "verify service-cluster";

export async function run(kind: ClusterKind, given: Resolved<Command>, port: ProcessPort): Promise<number> {
  const command: Command = `verify ${kind}`;
  const { concurrency, kubeconfig } = given.settings;
  const access =
    kubeconfig === undefined ? undefined : await (await import("../../kubernetes/kubeconfig.js")).readKubeconfig(kubeconfig, port);
  return withExistingCluster({ command, kind, given }, port, async (azure, context, found) => {
    const { cluster, file, document, resolved, isRecorded, spec, steps } = found;
    const { subscriptionId, clock } = azure.connection;
    const instances = aksCheckInstances(azure, steps, {
      spec,
      plan: await planGraph(steps, concurrency, context),
      create: createClusterAdvice(cluster, resolved, isRecorded, file),
      kubernetes: access && (await import("../../kubernetes/api-server.js")).openKubernetes(access, context.signal),
      now: clock.now,
    });
    const facts = document === undefined ? plannedFacts(spec) : factsInFile(document);
    return runVerification(context, {
      command,
      instances,
      settings: given.settings,
      about: `${kindFacts[kind].label} ${cluster.name}`,
      places: [file, `subscription ${subscriptionId}`, spec.location],
      drawing: (results) => clusterDrawing([facts], results),
    });
  });
}

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
