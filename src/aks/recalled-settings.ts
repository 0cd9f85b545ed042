/** The settings of a command as it gets them, with those of an existing AKS cluster, for `show settings`. */
import type { Azure } from "../azure/azure.js";
import { aksKindOf } from "../domain/cluster-kind.js";
import { readAksCluster } from "../files/aks-cluster-output.js";
import { undefinedIfUnusable } from "../files/read.js";
import { takes, type CommandName } from "../settings/commands.js";
import type { Resolved, Values } from "../settings/settings.js";
import { clusterFileOf } from "./inputs/cluster-in-file.js";
import { clusterAsFound, validClusterOptions, withClusterRecord } from "./inputs/aks-recorded-options.js";

export function hasRecord(command: CommandName): boolean {
  return takes(command, "azureCreds") && aksKindOf(command) !== undefined;
}

export async function recalledSettings(
  azure: Azure,
  command: CommandName,
  resolved: Resolved<CommandName>,
): Promise<Resolved<CommandName>> {
  const kind = aksKindOf(command);
  if (kind === undefined) return resolved;
  const values: Values = resolved.settings;
  const { outputFile, resourceGroupName } = values;
  const given = clusterFileOf(kind, values);
  const document =
    given === undefined ? outputFile && (await undefinedIfUnusable(readAksCluster(outputFile, kind))) : await readAksCluster(given, kind);
  const { name = values.name, options } = (document || undefined)?.input ?? {};
  if (name === undefined) return resolved;
  const inFile = given === undefined ? undefined : await validClusterOptions(kind, options, given);
  const { record } = await clusterAsFound(azure, { kind, name }, resourceGroupName, {
    access: given !== undefined || outputFile === undefined,
  });
  return withClusterRecord(resolved, kind, inFile ?? record);
}
