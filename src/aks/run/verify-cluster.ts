/** `verify management-cluster` and `verify service-cluster`: the checks of the cluster in Azure, and with a kubeconfig also in it. */
import { kindFacts } from "../../domain/cluster-kind.js";
import { aksCheckInstances } from "../verify/check-instances.js";
import { createClusterAdvice } from "../inputs/aks-recorded-options.js";
import { factsInFile, plannedFacts } from "../inputs/cluster-flow.js";
import { clusterDrawing } from "../outputs/cluster-drawing.js";
import type { ProcessPort } from "../../run/process-port.js";
import { withExistingCluster, type ExistingClusterInput } from "./existing-cluster.js";
import { planGraph } from "../../run/plan-graph.js";
import { runVerification } from "../../run/verification.js";

type Command = "verify management-cluster" | "verify service-cluster";

export async function verifyCluster<C extends Command>(input: ExistingClusterInput<C>, port: ProcessPort): Promise<number> {
  const { command, kind, given, file } = input;
  const { only, concurrency, kubeconfig } = given.settings;
  const access =
    kubeconfig === undefined ? undefined : await (await import("../../kubernetes/kubeconfig.js")).readKubeconfig(kubeconfig, port);
  return withExistingCluster(input, port, async (azure, context, { cluster, document, resolved, isRecorded, spec, steps }) => {
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
      ...{ command, instances, chosen: { subjects: [], checks: only }, settings: given.settings },
      about: `${kindFacts[kind].label} ${cluster.name}`,
      places: [file, `subscription ${subscriptionId}`, spec.location],
      drawing: (results) => clusterDrawing([facts], results),
    });
  });
}
