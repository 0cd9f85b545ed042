/** `graph management-cluster`: the steps of its create with the same settings, or its traffic; sends no requests to Azure. */
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../../run/process-port.js";
import { graphCluster } from "../run/graph-cluster.js";

export function run(resolved: Resolved<"graph management-cluster">, port: ProcessPort): Promise<number> {
  return graphCluster("management-cluster", resolved, port);
}
