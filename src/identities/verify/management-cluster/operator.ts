/** Checks the environment of HyperShift's operator against the identity of the add-on. */
import { checkEnvironment, operator } from "../../../verify/hypershift-operator.js";
import { type CheckInstance, checkInstance } from "../../../verify/check-instance.js";
import type { ManagementCluster } from "../chain.js";
import { identityChecks } from "../checks.js";
import type { AddOn } from "./vault-addon.js";

/** Its value is the client ID that the operator puts into the classes. */
export function operatorCheckInstance(
  { kubernetes }: ManagementCluster,
  subject: string,
  addOn: CheckInstance<AddOn>,
): CheckInstance<string> {
  return checkInstance(identityChecks["operator-environment"], subject, { addOn }, async ({ addOn: { clientId } }) =>
    checkEnvironment(await kubernetes.deployment(operator.namespace, operator.name), clientId, kubernetes.kubeconfig),
  );
}
