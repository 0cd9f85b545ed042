/** All check instances of a connected cluster: in Azure, of its extensions and secrets, and in the cluster. */
import type { CheckInstance } from "../../verify/check-instance.js";
import { agentChecks } from "./agents.js";
import { extensionChecks } from "./extensions.js";
import { inClusterChecks } from "./in-cluster.js";
import { secretChecks } from "./secrets.js";
import type { ArcSnapshot } from "./snapshot.js";

/** In the order of the report. */
export function arcCheckInstances(snapshot: ArcSnapshot): CheckInstance[] {
  const { exists, instances } = agentChecks(snapshot);
  return [...instances, ...extensionChecks(snapshot, exists), ...secretChecks(snapshot), ...inClusterChecks(snapshot, exists)];
}
