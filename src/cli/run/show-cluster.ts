/** `show management-cluster` and `show service-cluster`: the state and drift of every resource of the cluster's create. */
import { signedIn } from "../../azure/signed-in.js";
import type { ClusterKind } from "../../domain/aks/cluster-kind.js";
import type { Resolved } from "../../settings/settings.js";
import { aksClusterGraph } from "../../steps/aks/graph.js";
import { aksClusterSpec } from "../inputs/aks-cluster-spec.js";
import { recordInAzure, withClusterRecord } from "../inputs/aks-recorded-options.js";
import { clusterInFile, clusterNotFound } from "../inputs/cluster-in-file.js";
import { subscriptionInFile } from "../inputs/subscription.js";
import type { ProcessPort } from "../process-port.js";
import { planGraph } from "./plan-graph.js";
import { showResources } from "./show-resources.js";
import { withConnection } from "./with-connection.js";

type Command = "show management-cluster" | "show service-cluster";

export async function showCluster<C extends Command>(
  command: C,
  kind: ClusterKind,
  given: Resolved<C>,
  file: string | undefined,
  port: ProcessPort,
): Promise<number> {
  const { document, name } = await clusterInFile(kind, given, file);
  const { settings, notices } = given;
  const { output, concurrency } = settings;
  const cluster = { kind, name };
  const documentSubscription = subscriptionInFile(document?.subscriptionID, file);
  return withConnection({ ...settings, command, documentSubscription }, notices, port, async (azure, context) => {
    const { subscriptionId } = azure.connection;
    const { exists, record } = await recordInAzure(azure, cluster, context.say);
    if (!exists && document === undefined) throw clusterNotFound(cluster, subscriptionId);
    const resolved = withClusterRecord(given, kind, document?.options ?? record);
    const tenantId = azure.connection.tenantId || (await signedIn(azure.connection)).tenantId;
    const { steps } = aksClusterGraph(azure, aksClusterSpec(kind, { ...resolved.settings, name }, { subscriptionId, tenantId }));
    const plan = await planGraph(steps, concurrency, context);
    // What the region offers belongs to a create.
    const about = plan.steps.filter(({ step }) => step.subject?.kind !== "offer");
    showResources({ ...plan, steps: about }, { command, about: { name }, output }, context);
    return 0;
  });
}
