/** `show management-cluster` and `show service-cluster`: the state and drift of every resource of the cluster's create. */
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../../run/process-port.js";
import { withExistingCluster, type ExistingClusterInput } from "./existing-cluster.js";
import { planGraph } from "../../run/plan-graph.js";
import { showResources } from "../../run/show-resources.js";

type Command = "show management-cluster" | "show service-cluster";

export function managementCluster(given: Resolved<"show management-cluster">, port: ProcessPort): Promise<number> {
  return showCluster(
    { command: "show management-cluster", kind: "management-cluster", given, file: given.settings.managementClusterFile },
    port,
  );
}

export function serviceCluster(given: Resolved<"show service-cluster">, port: ProcessPort): Promise<number> {
  return showCluster({ command: "show service-cluster", kind: "service-cluster", given, file: given.settings.serviceClusterFile }, port);
}

async function showCluster<C extends Command>(input: ExistingClusterInput<C>, port: ProcessPort): Promise<number> {
  const { command, given } = input;
  const { settings } = given;
  return withExistingCluster(input, port, async (_azure, context, { cluster: { name }, steps }) => {
    const plan = await planGraph(steps, settings.concurrency, context);
    // What the region offers belongs to a create.
    const about = plan.steps.filter(({ step }) => step.subject?.kind !== "offer");
    return showResources({ ...plan, steps: about }, { command, about: { name }, settings }, context);
  });
}
