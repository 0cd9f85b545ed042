/** `doctor management-cluster`: checks this machine, the account and the subscription for the prerequisites of its create. */
import type { Resolved } from "../settings/settings.js";
import type { ProcessPort } from "../run/process-port.js";
import { doctorCluster } from "./doctor-cluster.js";

export function run(resolved: Resolved<"doctor management-cluster">, port: ProcessPort): Promise<number> {
  return doctorCluster("doctor management-cluster", "management-cluster", resolved, port);
}
