/** Checks of each extension, and of the policies that one of them evaluates. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import { policyCompliance } from "../../azure/policy-compliance.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { extensionProblems, problemAdvice, type ExtensionProblem } from "../domain/extension-problems.js";
import { isPolicy } from "../domain/extension-types.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { groupIn, resourceGroupId, sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { advise, aroHcp, joinAdvice } from "../../errors/advice.js";
import { sameText } from "../../text/same-text.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { arcChecks } from "./checks.js";
import { placeSettings, type ArcSnapshot } from "./snapshot.js";

export function extensionChecks(snapshot: ArcSnapshot, exists: CheckInstance<ConnectedCluster>): CheckInstance[] {
  const ofExtensions = snapshot.extensions.flatMap((extension) => {
    const subject = titleOf(resourceTypes.arcExtension, extension.name ?? "");
    const installed = checkInstance(arcChecks["extension-installed"], subject, { exists }, () => checkInstalled(snapshot, extension));
    return [
      installed,
      checkInstance(arcChecks["extension-warnings"], subject, { installed }, () => checkWarnings(extension)),
      checkInstance(arcChecks["extension-version"], subject, { installed }, () => checkVersion(extension)),
    ];
  });
  const policy = checkInstance(arcChecks["policy-extension"], snapshot.subject, { exists }, ({ exists: { id } }) =>
    checkPolicy(snapshot, id),
  );
  return [...ofExtensions, policy];
}

function checkInstalled(snapshot: ArcSnapshot, extension: Extension): Finding<undefined> {
  const { name = "", extensionType = "", provisioningState = "Succeeded", currentVersion } = extension;
  const problems = extensionProblems(extension);
  const errors = problems.filter(({ level }) => level === "error");
  if (errors.length === 0 && provisioningState === "Succeeded") return passed([extensionType, currentVersion].filter(Boolean).join(" "));
  const again = aroHcp("create arc extension", { ...placeSettings(snapshot), extensionType, extensionName: name });
  const evidence = [`it is ${provisioningState}`, ...errors.map(textOf)].join("; ");
  const isBusy = errors.length === 0 && provisioningState !== "Failed";
  return isBusy
    ? failed(evidence, "wait until the agents have installed it; they must be connected")
    : failed(evidence, advise`${joinAdvice(problemAdvice(errors), "; ")}; then ${again}`);
}

function checkWarnings(extension: Extension): Finding<undefined> {
  const warnings = extensionProblems(extension).filter(({ level }) => level === "warning");
  if (warnings.length === 0) return passed("none");
  return failed(warnings.map(textOf).join("; "), joinAdvice(problemAdvice(warnings), "; "));
}

/** Without a wanted version, Azure chooses it. */
function checkVersion({ autoUpgradeMinorVersion, version, currentVersion }: Extension): Finding<undefined> {
  if (autoUpgradeMinorVersion !== false || version === undefined) return passed(`${currentVersion ?? "unknown"}, upgraded automatically`);
  if (currentVersion === undefined) return notChecked("the agents have not reported the installed version");
  if (sameText(currentVersion, version)) return passed(`${version}, pinned`);
  return failed(
    `${currentVersion} is installed, but ${version} is pinned`,
    "wait for the agents; if it stays, see its statuses with show arc extension",
  );
}

function textOf({ code, message, time }: ExtensionProblem): string {
  return [code, message, time && `(${time})`].filter(Boolean).join(" ");
}

/** Assignments on the subscription and above it are mostly not for Kubernetes. */
async function checkPolicy(snapshot: ArcSnapshot, id: string): Promise<Finding<undefined>> {
  const { azure, extensions, place } = snapshot;
  if (extensions.some(({ extensionType: type = "" }) => isPolicy({ type }))) return passed("the extension is installed");
  const { assignments } = await policyCompliance(azure, id);
  const group = resourceGroupId(place.subscriptionId, place.groupName);
  const here = assignments.filter(
    ({ scope }) => sameId(scope, id) || sameId(scope, group) || groupIn(scope)?.resourceGroup === place.groupName,
  );
  if (here.length === 0) return passed("nothing is assigned to the cluster or its resource group");
  return failed(
    `${here.map(({ name }) => name).join(", ")} assigned to the cluster or its resource group, and nothing evaluates policies of Kubernetes`,
    aroHcp("create arc extension", { ...placeSettings(snapshot), extensionType: "policy" }),
  );
}
