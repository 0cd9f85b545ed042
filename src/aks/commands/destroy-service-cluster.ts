/** `destroy service-cluster`: deletes the AKS cluster, its role assignments, and the resources that its create made. */
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../../run/process-port.js";
import { destroyCluster } from "../run/destroy-cluster.js";

export async function run(resolved: Resolved<"destroy service-cluster">, port: ProcessPort): Promise<number> {
  return destroyCluster("service-cluster", { ...resolved, file: resolved.settings.serviceClusterJson }, port);
}
