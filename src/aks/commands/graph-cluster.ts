/** `graph` of an AKS cluster: the steps of its create, or the traffic of one cluster or of both. */
import { anyId, offlineAzure } from "../../azure/offline-azure.js";
import { clusterFlow, type ClusterFacts } from "../domain/cluster-flow.js";
import { kindFacts, type ClusterKind } from "../../domain/cluster-kind.js";
import type { AksClusterSpec } from "../domain/cluster-spec.js";
import { readAksCluster } from "../../files/aks-cluster-output.js";
import { diagram } from "../../render/diagram.js";
import { flowDiagram } from "../../render/flow-diagram.js";
import { screensOf } from "../../render/screen.js";
import type { Resolved } from "../../settings/settings.js";
import { aksClusterGraph } from "../steps/graph.js";
import { aksClusterSpec } from "../inputs/aks-cluster-spec.js";
import { validClusterOptions, withClusterRecord } from "../inputs/aks-recorded-options.js";
import { factsInFile, plannedFacts } from "../inputs/cluster-flow.js";
import { clusterFileOf, clusterInFile, type ClusterInFile } from "../inputs/cluster-in-file.js";
import { graphStep } from "../../run/plan-rows.js";
import type { ProcessPort } from "../../run/process-port.js";

type Command = "graph management-cluster" | "graph service-cluster";

type OwnCluster = Pick<ClusterInFile, "cluster" | "document">;

export async function run(kind: ClusterKind, resolved: Resolved<Command>, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const own = await ownCluster(kind, resolved);
  const text = settings.flow
    ? flowDiagram(clusterFlow(await flowFacts(own, resolved)), settings.format)
    : diagram(aksClusterGraph(offlineAzure(), await spec(own, resolved)).steps.map(graphStep), settings.format);
  screensOf(port, settings.color).result.print(text);
  return 0;
}

/** The cluster of the command, then the other one. */
async function flowFacts(own: OwnCluster, resolved: Resolved<Command>): Promise<readonly ClusterFacts[]> {
  const { cluster, document } = own;
  const { other } = kindFacts[cluster.kind];
  const path = clusterFileOf(other, resolved.settings);
  return [
    document === undefined ? plannedFacts(await spec(own, resolved)) : factsInFile(document),
    ...(path === undefined ? [] : [factsInFile((await readAksCluster(path, other)).input)]),
  ];
}

/** @throws ARO-USAGE-001 without a cluster, or if the file belongs to another one */
async function ownCluster(kind: ClusterKind, resolved: Resolved<Command>): Promise<OwnCluster> {
  const path = clusterFileOf(kind, resolved.settings);
  const { cluster, document } = await clusterInFile(kind, resolved, path);
  return { cluster, document: document && { ...document, options: await validClusterOptions(kind, document.options, path ?? "") } };
}

async function spec({ cluster: { kind, name }, document }: OwnCluster, given: Resolved<Command>): Promise<AksClusterSpec> {
  const { settings } = await withClusterRecord(given, kind, document?.options);
  const place = { subscriptionId: settings.subscription ?? document?.subscriptionID ?? anyId, tenantId: document?.tenantID ?? anyId };
  return aksClusterSpec(kind, { ...settings, name }, place);
}
