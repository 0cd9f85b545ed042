/** How an extension fails: without agents after a time, and with Helm's words as the agents report them. */
import type { OperationError } from "../../resource-type.js";

/** Azure waits this long for agents that do not answer. Public reports say tens of minutes: an estimate. */
export const agentTimeoutSeconds = 30 * 60;

const prefix = "The extension operation failed with the following error: ";

export function noAgents(): OperationError {
  return { code: "ExtensionOperationFailed", message: `${prefix}Unable to get a response from the Agent in time` };
}

/** `helm` is Helm's own message. The doubled space is Azure's. */
export function helmFailure(helm: string, verb: "Create" | "Update"): OperationError {
  const cause =
    "Unable to create/update Kubernetes resources for the extension : Recommendation Please check that there are no policies blocking " +
    `the resource creation/update for the extension : InnerError [${helm}]`;
  const done = `[ InnerError: [Helm installation failed : ${cause}]] occurred while doing the operation : [${verb}] on the config`;
  return {
    code: "ExtensionOperationFailed",
    message: `${prefix} Error: ${done}, For general troubleshooting visit: https://aka.ms/k8s-extensions-TSG`,
  };
}

/** `statuses` and `errorInfo` of a failed extension. Azure leaves out the level and the time of the agents' statuses. */
export function failureMembers({ code, message }: OperationError): Record<string, unknown> {
  const status = { code: "InstallationFailed", displayStatus: null, level: null, message: message.replace(prefix, "").trim(), time: null };
  return { statuses: [status], errorInfo: { code, message, target: null, details: [], additionalInfo: [] } };
}
