/** `show management-cluster` and `show service-cluster`: the state and drift of every resource of the cluster's create. */
import { signedIn } from "../../azure/signed-in.js";
import type { ClusterKind } from "../../domain/aks/cluster-kind.js";
import { kindFacts } from "../../domain/aks/cluster-kind.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { readAksCluster } from "../../files/aks-cluster-output.js";
import type { Resolved } from "../../settings/settings.js";
import { aksClusterGraph } from "../../steps/aks/graph.js";
import { sameText } from "../../text/same-text.js";
import { aksClusterSpec } from "../inputs/aks-cluster-spec.js";
import { recordInAzure, withClusterRecord } from "../inputs/aks-recorded-options.js";
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
  const document = file === undefined ? undefined : (await readAksCluster(file, kind)).input;
  const { settings, origins, notices } = given;
  const { output, concurrency } = settings;
  const name = settings.name ?? document?.name;
  if (name === undefined) throw new Failure("ARO-USAGE-001", "no cluster specified", { next: [`pass --name or --${kind}-json`] });
  if (document !== undefined && !sameText(name, document.name)) {
    const problems = [
      { origin: origins.name?.label ?? "--name", message: `is "${name}", but the file of --${kind}-json has "${document.name}"` },
    ];
    throw new Failure("ARO-USAGE-001", `the file of --${kind}-json belongs to another cluster`, { problems });
  }
  const cluster = { kind, name };
  const documentSubscription = subscriptionInFile(document?.subscriptionID, file);
  return withConnection({ ...settings, command, documentSubscription }, notices, port, async (azure, context) => {
    const { subscriptionId } = azure.connection;
    const { exists, record } = await recordInAzure(azure, cluster, context.say);
    if (!exists && document === undefined) throw notFound(kind, name, subscriptionId);
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

function notFound(kind: ClusterKind, name: string, subscriptionId: string): Failure {
  const { label } = kindFacts[kind];
  return new Failure("ARO-USAGE-001", `no ${label} ${name} was found in subscription ${subscriptionId}`, {
    next: [advise`create it: ${aroHcp(`create ${kind}`, { name })}`, "or check --name and --subscription"],
  });
}
