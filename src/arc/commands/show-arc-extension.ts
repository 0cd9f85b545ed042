/** `show arc extension`: the extensions of a connected cluster, and what Azure Policy says about it. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import { listExtensions } from "../arc-extensions.js";
import { orRefused } from "../../azure/or-refused.js";
import { policyCompliance, type PolicyCompliance } from "../../azure/policy-compliance.js";
import { extensionProblems, problemAdvice, type ExtensionHealth } from "../domain/extension-problems.js";
import { isPolicy } from "../domain/extension-types.js";
import { connectedClusterId } from "../domain/names.js";
import { printDocument } from "../../render/document.js";
import { table } from "../../render/table.js";
import { plural } from "../../text/plural.js";
import { spoken } from "../../text/spoken.js";
import type { Resolved } from "../../settings/settings.js";
import { isChosenExtension } from "../inputs/arc-extension.js";
import { arcPlace } from "../inputs/connected-cluster.js";
import type { ProcessPort } from "../../run/process-port.js";
import type { RunContext } from "../../run/run-context.js";
import { withConnection } from "../../run/with-connection.js";

const command = "show arc extension";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const place = arcPlace(settings, azure);
    const id = connectedClusterId(place);
    const shown = (await listExtensions(azure, place)).filter(isChosenExtension(settings));
    const hasPolicy = shown.some(({ extensionType: type = "" }) => isPolicy({ type }));
    const policy = hasPolicy ? await orRefused(policyCompliance(azure, id)) : undefined;
    if (settings.output === "json") {
      const extensions = shown.map((extension) => ({ ...extension, problems: extensionProblems(extension as ExtensionHealth) }));
      printDocument(context.result, { ok: true, command, name: settings.name, clusterID: id, extensions, ...(policy && { policy }) });
    } else {
      printExtensions(shown, context);
      if (policy) printPolicy(policy, context);
    }
    if (hasPolicy && policy === undefined)
      context.say(
        `notice: what Azure Policy says is not shown: Reader does not include Microsoft.PolicyInsights/policyStates/summarize/action`,
      );
    if (shown.length === 0)
      context.say(`notice: no extension was found on the connected cluster "${place.name}" in resource group ${place.groupName}`);
    return 0;
  });
}

function printExtensions(extensions: readonly Extension[], { result, say, renderAdvice }: RunContext): void {
  if (extensions.length === 0) return;
  const rows = extensions.map(({ name = "", extensionType: type = "", provisioningState = "", currentVersion, version, ...other }) => [
    ...[
      name,
      type,
      provisioningState,
      currentVersion ?? version ?? "",
      other.autoUpgradeMinorVersion === false ? "pinned" : (other.releaseTrain ?? ""),
    ],
    Object.entries(other.configurationSettings ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(" "),
  ]);
  result.show(table(result, ["EXTENSION", "TYPE", "STATE", "VERSION", "UPGRADES", "SETTINGS"], rows));
  for (const extension of extensions) {
    const problems = extensionProblems(extension);
    for (const { level, code, message, time } of problems)
      result.print(`${extension.name ?? ""}: ${level} ${code}${time === undefined ? "" : ` at ${time}`}: ${message}`);
    if (problems.some(({ level }) => level === "error"))
      for (const advice of problemAdvice(problems)) say(`${extension.name ?? ""}: ${renderAdvice(advice)}`);
  }
}

function printPolicy({ assignments, nonCompliant, summary }: PolicyCompliance, { result }: RunContext): void {
  if (assignments.length === 0) {
    result.print("Azure Policy: nothing is assigned to the cluster");
    return;
  }
  const rows = assignments.map(({ name, displayName, scope, compliance }) => [name, displayName, scope, spoken(compliance)]);
  result.show(table(result, ["ASSIGNMENT", "TITLE", "SCOPE", "COMPLIANCE"], rows));
  if (summary === "evaluated")
    result.print(
      nonCompliant === 0 ? "The cluster complies with every assignment" : `${plural(nonCompliant, "assignment")} not complied with`,
    );
}
