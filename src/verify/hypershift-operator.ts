/** Checks the environment of HyperShift's operator, which control planes inherit. */
import { advise, shell } from "../errors/advice.js";
import type { V1Container, V1Deployment } from "@kubernetes/client-node";
import { failed, passed, type Finding } from "./check.js";

/** The deployment that `hypershift install` creates. Source: HyperShift's cmd/install/assets/hypershift_operator.go. */
export const operator = { namespace: "hypershift", name: "operator" } as const;
const readerVariable = "ARO_HCP_KEY_VAULT_USER_CLIENT_ID";
const serviceVariable = "MANAGED_SERVICE";
const service = "ARO-HCP";

/** Compares the environment of the operator with the client ID of the add-on. */
export function checkEnvironment(deployment: V1Deployment | undefined, clientId: string, kubeconfig: string): Finding<string> {
  const install = shell`hypershift install --managed-service ${service} --aro-hcp-key-vault-users-client-id ${clientId}`;
  if (deployment === undefined) {
    return failed(
      `deployment ${operator.name} does not exist in namespace ${operator.namespace}`,
      advise`install it: ${install}, with the other flags of your installation`,
    );
  }
  const containers = deployment.spec?.template.spec?.containers ?? [];
  const container = containers.find(({ name }) => name === operator.name) ?? containers[0];
  const wrong = Object.entries({ [readerVariable]: clientId, [serviceVariable]: service }).filter(
    ([name, wanted]) => valueOf(container, name) !== wanted,
  );
  if (wrong.length === 0) return passed(`${readerVariable} is ${clientId}, ${serviceVariable} is ${service}`, clientId);
  return failed(
    wrong.map(([name, wanted]) => `${name} is ${quoted(valueOf(container, name))}, not "${wanted}"`).join("; "),
    advise`${shell`kubectl --kubeconfig ${kubeconfig} set env deployment/${operator.name} --namespace ${operator.namespace} ${wrong.map((pair) => pair.join("="))}`}; use ${install} for later installations`,
  );
}

/** "" if it is not set as text, which is how HyperShift sets it. */
function valueOf(container: V1Container | undefined, name: string): string {
  return container?.env?.find((variable) => variable.name === name)?.value ?? "";
}

function quoted(value: string): string {
  return value === "" ? "not set" : `"${value}"`;
}
