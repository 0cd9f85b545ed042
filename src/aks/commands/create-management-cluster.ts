/** `create management-cluster`. Both kinds of AKS clusters have one implementation. */
import type { Resolved } from "../../settings/settings.js";
import type { ProcessPort } from "../../run/process-port.js";
import { createCluster } from "../run/create-cluster.js";

const command = "create management-cluster";

export function run(given: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return createCluster(command, given, port);
}
