/** `destroy management-cluster`: deletes the AKS cluster, its role assignments, and the resources that its create made. */
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../../run/process-port.js";
import { destroyCluster } from "../run/destroy-cluster.js";

export async function run(resolved: Resolved<"destroy management-cluster">, port: ProcessPort): Promise<number> {
  return destroyCluster("management-cluster", { ...resolved, file: resolved.settings.managementClusterJson }, port);
}
