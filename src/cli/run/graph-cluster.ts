/** `graph management-cluster` and `graph service-cluster`: the steps of the create, or the traffic of one cluster or of both. */
import { offlineAzure } from "../../azure/offline-azure.js";
import { clusterFlow, type ClusterFacts } from "../../domain/aks/cluster-flow.js";
import { clusterKinds, type ClusterKind } from "../../domain/aks/cluster-kind.js";
import type { AksClusterSpec } from "../../domain/aks/cluster-spec.js";
import { Failure } from "../../errors/failure.js";
import { readAksCluster, type AksClusterInput } from "../../files/aks-cluster-output.js";
import { diagram } from "../../render/diagram.js";
import { flowDiagram } from "../../render/flow-diagram.js";
import { screensOf } from "../../render/screen.js";
import type { Resolved } from "../../settings/settings.js";
import { aksClusterGraph } from "../../steps/aks/graph.js";
import { sameText } from "../../text/same-text.js";
import { aksClusterSpec } from "../inputs/aks-cluster-spec.js";
import { withClusterRecord } from "../inputs/aks-recorded-options.js";
import { validClusterOptions } from "../inputs/aks-valid-record.js";
import { factsInFile, plannedFacts } from "../inputs/cluster-flow.js";
import type { ProcessPort } from "../process-port.js";

type Command = "graph management-cluster" | "graph service-cluster";

/** A graph needs no real subscription or tenant. */
const anyId = "00000000-0000-0000-0000-000000000000";

export async function graphCluster(kind: ClusterKind, resolved: Resolved<Command>, port: ProcessPort): Promise<number> {
  const { settings } = resolved;
  const text = settings.flow
    ? flowDiagram(clusterFlow(await flowFacts(kind, resolved)), settings.format)
    : diagram(aksClusterGraph(offlineAzure(), spec(kind, resolved, await ownFile(kind, resolved))).steps, settings.format);
  screensOf(port, settings.color).result.print(text);
  return 0;
}

/** The cluster of the command, then the other one. */
async function flowFacts(kind: ClusterKind, resolved: Resolved<Command>): Promise<readonly ClusterFacts[]> {
  const own = await ownFile(kind, resolved);
  const other = clusterKinds.find((one) => one !== kind);
  const path = other && pathOf(other, resolved);
  return [
    own === undefined ? plannedFacts(spec(kind, resolved, undefined)) : factsInFile(own),
    ...(other === undefined || path === undefined ? [] : [factsInFile((await readAksCluster(path, other)).input)]),
  ];
}

function pathOf(kind: ClusterKind, { settings }: Resolved<Command>): string | undefined {
  return kind === "management-cluster" ? settings.managementClusterJson : settings.serviceClusterJson;
}

/** @throws ARO-USAGE-001 if the file belongs to another cluster than --name */
async function ownFile(kind: ClusterKind, resolved: Resolved<Command>): Promise<AksClusterInput | undefined> {
  const path = pathOf(kind, resolved);
  if (path === undefined) return undefined;
  const { input } = await readAksCluster(path, kind);
  const { settings, origins } = resolved;
  if (settings.name !== undefined && !sameText(settings.name, input.name)) {
    const problem = { origin: origins.name?.label ?? "--name", message: `is "${settings.name}", but the file has "${input.name}"` };
    throw new Failure("ARO-USAGE-001", `${path} belongs to another cluster`, { problems: [problem] });
  }
  return { ...input, options: validClusterOptions(kind, input.options, path) };
}

function spec(kind: ClusterKind, given: Resolved<Command>, file: AksClusterInput | undefined): AksClusterSpec {
  const { settings } = withClusterRecord(given, kind, file?.options);
  const name = settings.name ?? file?.name;
  // Settings validation ensures it, which types cannot express.
  if (name === undefined) throw new Failure("ARO-USAGE-001", "no cluster specified");
  const place = { subscriptionId: settings.subscription ?? file?.subscriptionID ?? anyId, tenantId: file?.tenantID ?? anyId };
  return aksClusterSpec(kind, { ...settings, name }, place);
}
