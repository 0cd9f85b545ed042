/** From the vault to the pods, by what the management cluster says: its add-on, HyperShift's operator, and the classes by which secrets are mounted. */
import type { Azure } from "../../../azure/azure.js";
import { notAsked } from "../../check.js";
import { inspect, type Inspection } from "../../inspection.js";
import type { CredentialLink, IdentityChain } from "../chain.js";
import { managementClusterChecks } from "../checks.js";
import type { VaultLinks } from "../vault.js";
import { findAksCluster } from "./aks-cluster.js";
import { controlPlaneOf } from "./control-plane.js";
import { mountInspections } from "./mounts.js";
import { operatorInspection } from "./operator.js";
import { classInspection } from "./secret-provider-classes.js";
import { addOnInspections } from "./vault-addon.js";

const subject = "management cluster";

export function managementClusterInspections(
  azure: Azure,
  chain: IdentityChain,
  vaults: VaultLinks,
  links: readonly CredentialLink[],
): Inspection[] {
  const { managementCluster } = chain;
  // Each is told once: a skip for every component would hide what holds of it.
  if (managementCluster === undefined) {
    return Object.values(managementClusterChecks).map((check) => inspect(check, subject, {}, () => notAsked("no --kubeconfig is given")));
  }
  const { kubernetes, hostedCluster } = managementCluster;
  const cluster = inspect(managementClusterChecks["management-cluster"], subject, {}, () => findAksCluster(azure, kubernetes));
  const addOn = addOnInspections(azure, subject, cluster, vaults.exists);
  const operator = operatorInspection(managementCluster, subject, addOn.addOn);
  const controlPlane = hostedCluster && controlPlaneOf(kubernetes, hostedCluster);
  const components = links.flatMap((link) => {
    const providerClass = classInspection(chain, link, controlPlane, { vault: vaults.reference, operator, aks: cluster });
    return [providerClass, ...mountInspections(chain, link, controlPlane, { addOn, providerClass })];
  });
  return [cluster, ...addOn.inspections, operator, ...components];
}
