/** `show service-cluster`. Both kinds of AKS clusters have one implementation. */
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../../run/process-port.js";
import { showCluster } from "../run/show-cluster.js";

const command = "show service-cluster";

export function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return showCluster({ command, kind: "service-cluster", given, file: given.settings.serviceClusterJson }, port);
}
