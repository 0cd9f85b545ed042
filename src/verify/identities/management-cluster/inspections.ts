/** From the vault to the pods, by what the management cluster says: its operator, and the classes by which the secrets are mounted. */
import { holds, notAsked, type Finding } from "../../check.js";
import { inspect, type Inspection } from "../../inspection.js";
import type { IdentityChain, ManagementCluster } from "../chain.js";
import { identityChecks } from "../checks.js";
import type { FileLinks } from "../file.js";
import { operatorInspection } from "./operator.js";
import { classInspections } from "./secret-provider-classes.js";

const subject = "management cluster";
const checks = ["management-cluster", "operator-environment", "secret-provider-class"] as const;

export function managementClusterInspections(chain: IdentityChain, files: FileLinks): Inspection[] {
  const { managementCluster } = chain;
  // Each is told once: a skip for every component would hide what holds of it.
  if (managementCluster === undefined) {
    return checks.map((id) => inspect(identityChecks[id], subject, {}, () => notAsked("no --kubeconfig is given")));
  }
  const cluster = inspect(identityChecks["management-cluster"], subject, {}, () => answers(managementCluster));
  const operator = operatorInspection(cluster);
  return [cluster, operator, ...classInspections(chain, files, { cluster, operator })];
}

async function answers(given: ManagementCluster): Promise<Finding<ManagementCluster>> {
  const nodes = await given.kubernetes.nodes();
  return holds(`${given.kubernetes.server} has ${String(nodes.length)} nodes`, given);
}
