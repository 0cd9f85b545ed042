/** `verify service-cluster`. Both kinds of AKS clusters have one implementation. */
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../../run/process-port.js";
import { verifyCluster } from "../run/verify-cluster.js";

const command = "verify service-cluster";

export function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return verifyCluster({ command, kind: "service-cluster", given, file: given.settings.serviceClusterJson }, port);
}
