/** The checks from the vault to the pods, in the management cluster: the AKS add-on, HyperShift's operator, and the SecretProviderClasses. */
import type { Azure } from "../../../azure/azure.js";
import { notChecked, type Check } from "../../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../../verify/check-instance.js";
import type { CredentialLink, IdentityChain, ManagementCluster } from "../chain.js";
import { managementClusterChecks, identityChecks } from "../checks.js";
import type { VaultLinks } from "../vault.js";
import { findAksCluster } from "./aks-cluster.js";
import { controlPlaneOf } from "./control-plane.js";
import { mountCheckInstances } from "./mounts.js";
import { classCheckInstance } from "./secret-provider-classes.js";
import { addOnCheckInstances, type AddOn } from "./vault-addon.js";
import { checkEnvironment, operator } from "../../../verify/hypershift-operator.js";

const subject = "management cluster";

export function managementClusterCheckInstances(
  azure: Azure,
  chain: IdentityChain,
  vaults: VaultLinks,
  links: readonly CredentialLink[],
): CheckInstance[] {
  const { managementCluster, clusterFile } = chain;
  if (managementCluster === undefined && clusterFile === undefined) return skipped(Object.values(managementClusterChecks));
  const cluster = checkInstance(managementClusterChecks["management-cluster"], subject, {}, () =>
    findAksCluster(azure, managementCluster?.kubernetes, clusterFile),
  );
  const addOn = addOnCheckInstances(azure, subject, cluster, vaults.exists, clusterFile);
  if (managementCluster === undefined) {
    const done: ReadonlySet<string> = new Set([cluster, ...addOn.instances].map(({ check }) => check.id));
    return [cluster, ...addOn.instances, ...skipped(Object.values(managementClusterChecks).filter(({ id }) => !done.has(id)))];
  }
  const { kubernetes, hostedCluster } = managementCluster;
  const operator = operatorCheckInstance(managementCluster, subject, addOn.addOn);
  const controlPlane = hostedCluster && controlPlaneOf(kubernetes, hostedCluster);
  const components = links.flatMap((link) => {
    const providerClass = classCheckInstance(chain, link, controlPlane, { vault: vaults.reference, operator, aks: cluster });
    return [providerClass, ...mountCheckInstances(chain, link, controlPlane, { addOn, providerClass })];
  });
  return [cluster, ...addOn.instances, operator, ...components];
}

/** Each check is skipped once, not once per component: many skipped lines would hide the components' other results. */
function skipped(checks: readonly Check[]): CheckInstance[] {
  return checks.map((check) => checkInstance(check, subject, {}, () => notChecked("--kubeconfig is not specified")));
}

/** Its value is the client ID that the operator puts into the classes. */
function operatorCheckInstance({ kubernetes }: ManagementCluster, subject: string, addOn: CheckInstance<AddOn>): CheckInstance<string> {
  return checkInstance(identityChecks["operator-environment"], subject, { addOn }, async ({ addOn: { clientId } }) =>
    checkEnvironment(await kubernetes.deployment(operator.namespace, operator.name), clientId, kubernetes.kubeconfig),
  );
}
