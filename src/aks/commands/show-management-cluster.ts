/** `show management-cluster`. Both kinds of AKS clusters have one implementation. */
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../../run/process-port.js";
import { showCluster } from "../run/show-cluster.js";

const command = "show management-cluster";

export function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return showCluster({ command, kind: "management-cluster", given, file: given.settings.managementClusterJson }, port);
}
