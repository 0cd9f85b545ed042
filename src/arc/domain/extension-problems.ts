/** Why an extension failed, and what to do about the errors that Helm words in a known way. */
import { advise, shell, type Advice } from "../../errors/advice.js";

/** The members of an extension in Azure that say how it is. */
export interface ExtensionHealth {
  readonly provisioningState?: string;
  readonly statuses?: readonly ExtensionStatus[] | null;
  readonly errorInfo?: ExtensionError | null;
}

/** Azure leaves out the level and the time of a status that comes from the agents. */
interface ExtensionStatus {
  readonly code?: string | null;
  readonly displayStatus?: string | null;
  readonly level?: string | null;
  readonly message?: string | null;
  readonly time?: string | null;
}

interface ExtensionError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: readonly ExtensionError[];
}

export interface ExtensionProblem {
  readonly level: "error" | "warning";
  readonly code: string;
  readonly message: string;
  /** RFC 3339; absent for an error of the installation itself. */
  readonly time?: string;
}

/** The installation's error first, then the statuses of level error and warning, the newest first. The same text is reported once. */
export function extensionProblems({ statuses, errorInfo }: ExtensionHealth): readonly ExtensionProblem[] {
  const own = errorInfo ? innermost(errorInfo) : [];
  const reported = [...(statuses ?? [])].toSorted(
    (left, right) => (Date.parse(right.time ?? "") || 0) - (Date.parse(left.time ?? "") || 0),
  );
  const all = [...own, ...reported.flatMap(problemIn)];
  // The installation's error repeats the text of a status, after some words of its own.
  return all.filter(
    ({ message }, at) =>
      !all.some((other, before) => (before < at || (before > at && other.message !== message)) && other.message.includes(message)),
  );
}

/** The details of an error say more than the error itself. */
function innermost({ code = "", message = "", details = [] }: ExtensionError): ExtensionProblem[] {
  const inner = details.flatMap(innermost);
  if (inner.length > 0) return inner;
  return code === "" && message === "" ? [] : [{ level: "error", code, message: oneLine(message) }];
}

function problemIn({ code, displayStatus, level, message, time }: ExtensionStatus): ExtensionProblem[] {
  const found = levelOf(level ?? "", code ?? "");
  if (found === undefined) return [];
  const text = [message, displayStatus, code].find((one) => one !== undefined && one !== null && one !== "") ?? "";
  return [{ level: found, code: code ?? "", message: oneLine(text), ...(typeof time === "string" && { time }) }];
}

/** Without a level, the code says whether it is an error: `InstallationFailed`. */
function levelOf(level: string, code: string): ExtensionProblem["level"] | undefined {
  const lower = level.toLowerCase();
  if (lower === "error" || lower === "warning") return lower;
  return lower === "" && /fail|error/i.test(code) ? "error" : undefined;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Helm refuses to take over what another installation created. */
const isOwnedByOther = /exists and cannot be imported into the current release|invalid ownership metadata/i;
const isDriver = /secrets-store|secretproviderclass/i;
const isGatekeeper = /gatekeeper/i;
const isTimeout = /timed out waiting|context deadline exceeded|UPGRADE FAILED.*timeout|INSTALL(?:ATION)? FAILED.*time/i;
const isUnreachable = /failed to (?:pull|download|fetch)|i\/o timeout|no such host|connection refused|ImagePullBackOff|ErrImagePull/i;
const isDenied = /forbidden|security context constraint|unable to validate against any/i;

/** What to do about an error of an installation; the last advice fits any error. */
export function problemAdvice(problems: readonly ExtensionProblem[]): readonly Advice[] {
  const text = problems.map(({ message }) => message).join("\n");
  if (isOwnedByOther.test(text)) {
    if (isDriver.test(text)) return removeDriver;
    if (isGatekeeper.test(text))
      return ["remove the Gatekeeper that is already installed: Azure Policy installs its own, and a cluster has one"];
    return ["remove the earlier installation that Helm names, then rerun the command"];
  }
  if (isUnreachable.test(text)) return ["let the nodes reach the registry above on port 443, directly or through the cluster's proxy"];
  if (isDenied.test(text))
    return [advise`bind the security context constraint that the pods need, and watch ${shell`oc get events -n kube-system`}`];
  if (isTimeout.test(text)) return [advise`see why its pods do not start: ${shell`oc get pods,events -n kube-system`}`];
  return [advise`the log of the agent has details: ${shell`oc logs -n azure-arc deployment/extension-manager --all-containers`}`];
}

/** A cluster has one Secrets Store CSI driver; Azure's extension does not take over another. */
export const removeDriver: readonly Advice[] = [
  advise`remove the driver if Helm installed it: ${shell`helm uninstall csi-secrets-store -n kube-system`}`,
  advise`or OpenShift's driver: first ${shell`oc delete clustercsidriver secrets-store.csi.k8s.io`}, then uninstall the Secrets Store CSI Driver Operator`,
  "pods that mount its secrets keep them until they restart; the SecretProviderClasses stay",
];
