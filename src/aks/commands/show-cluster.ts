/** `show` of an AKS cluster: the state and drift of every resource of its create. */
import type { ClusterKind } from "../../domain/cluster-kind.js";
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../../run/process-port.js";
import { withExistingCluster } from "./existing-cluster.js";
import { planGraph } from "../../run/plan-graph.js";
import { showResources } from "../../run/show-resources.js";

type Command = "show management-cluster" | "show service-cluster";

export async function run(kind: ClusterKind, given: Resolved<Command>, port: ProcessPort): Promise<number> {
  const command: Command = `show ${kind}`;
  const { settings } = given;
  return withExistingCluster({ command, kind, given }, port, async (_azure, context, { cluster: { name }, steps }) => {
    const plan = await planGraph(steps, settings.concurrency, context);
    // What the region offers belongs to a create.
    const about = plan.steps.filter(({ step }) => step.subject?.kind !== "offer");
    return showResources({ ...plan, steps: about }, { command, about: { name }, settings }, context);
  });
}
