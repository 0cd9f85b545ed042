/** Check of HyperShift's operator: what its environment says goes into every class, and to the operators of every control plane. */
import type { V1Container, V1Deployment } from "@kubernetes/client-node";
import { broken, holds, type Finding } from "../../check.js";
import { inspect, type Inspection } from "../../inspection.js";
import type { ManagementCluster } from "../chain.js";
import { identityChecks } from "../checks.js";

/** What `hypershift install` makes. Source: HyperShift's cmd/install/assets/hypershift_operator.go. */
const operator = { namespace: "hypershift", name: "operator" } as const;
const readerVariable = "ARO_HCP_KEY_VAULT_USER_CLIENT_ID";
const serviceVariable = "MANAGED_SERVICE";
const service = "ARO-HCP";
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Hands on the client id of the identity that reads the vault on the nodes. */
export function operatorInspection(cluster: Inspection<ManagementCluster>): Inspection<string> {
  return inspect(identityChecks["operator-environment"], "management cluster", { cluster }, async ({ cluster: { kubernetes } }) =>
    judge(await kubernetes.deployment(operator.namespace, operator.name)),
  );
}

function judge(deployment: V1Deployment | undefined): Finding<string> {
  const installed = `--managed-service ${service} --aro-hcp-key-vault-users-client-id <client id of the add-on's identity>`;
  if (deployment === undefined) {
    return broken(
      `there is no deployment ${operator.name} in namespace ${operator.namespace}`,
      `install it: \`hypershift install ${installed}\`, with the flags of your own`,
    );
  }
  const containers = deployment.spec?.template.spec?.containers ?? [];
  const container = containers.find(({ name }) => name === operator.name) ?? containers[0];
  const read = (name: string) => valueOf(container, name);
  const reader = read(readerVariable);
  const problems = [
    ...(uuid.test(reader) ? [] : [`${readerVariable} is ${said(reader)}`]),
    ...(read(serviceVariable) === service ? [] : [`${serviceVariable} is ${said(read(serviceVariable))}`]),
  ];
  if (problems.length === 0) return holds(`${readerVariable} is ${reader}, ${serviceVariable} is ${service}`, reader);
  return broken(problems.join("; "), `run \`hypershift install\` again, with ${installed}`);
}

/** "" where it is not set, or from elsewhere: HyperShift writes it as text. */
function valueOf(container: V1Container | undefined, name: string): string {
  return container?.env?.find((variable) => variable.name === name)?.value ?? "";
}

function said(value: string): string {
  return value === "" ? "not set" : `"${value}"`;
}
