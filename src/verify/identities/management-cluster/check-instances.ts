/** From the vault to the pods, by what the management cluster says: its add-on, HyperShift's operator, and the classes by which secrets are mounted. */
import type { Azure } from "../../../azure/azure.js";
import { notChecked } from "../../check.js";
import { checkInstance, type CheckInstance } from "../../check-instance.js";
import type { CredentialLink, IdentityChain } from "../chain.js";
import { managementClusterChecks } from "../checks.js";
import type { VaultLinks } from "../vault.js";
import { findAksCluster } from "./aks-cluster.js";
import { controlPlaneOf } from "./control-plane.js";
import { mountCheckInstances } from "./mounts.js";
import { operatorCheckInstance } from "./operator.js";
import { classCheckInstance } from "./secret-provider-classes.js";
import { addOnCheckInstances } from "./vault-addon.js";

const subject = "management cluster";

export function managementClusterCheckInstances(
  azure: Azure,
  chain: IdentityChain,
  vaults: VaultLinks,
  links: readonly CredentialLink[],
): CheckInstance[] {
  const { managementCluster } = chain;
  // Each is told once: a skip for every component would hide what holds of it.
  if (managementCluster === undefined) {
    return Object.values(managementClusterChecks).map((check) =>
      checkInstance(check, subject, {}, () => notChecked("no --kubeconfig is given")),
    );
  }
  const { kubernetes, hostedCluster } = managementCluster;
  const cluster = checkInstance(managementClusterChecks["management-cluster"], subject, {}, () => findAksCluster(azure, kubernetes));
  const addOn = addOnCheckInstances(azure, subject, cluster, vaults.exists);
  const operator = operatorCheckInstance(managementCluster, subject, addOn.addOn);
  const controlPlane = hostedCluster && controlPlaneOf(kubernetes, hostedCluster);
  const components = links.flatMap((link) => {
    const providerClass = classCheckInstance(chain, link, controlPlane, { vault: vaults.reference, operator, aks: cluster });
    return [providerClass, ...mountCheckInstances(chain, link, controlPlane, { addOn, providerClass })];
  });
  return [cluster, ...addOn.instances, operator, ...components];
}
