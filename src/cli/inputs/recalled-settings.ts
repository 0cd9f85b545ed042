/** The settings of any command as it gets them, with those of an existing cluster, for `show settings`. */
import { join } from "node:path";
import type { Azure } from "../../azure/azure.js";
import { aksKindOf, type ClusterKind } from "../../domain/cluster-kind.js";
import { directoryFiles } from "../../domain/directory-files.js";
import { readAksCluster } from "../../files/aks-cluster-output.js";
import { readInfraOutput } from "../../files/infra-output.js";
import { takes, type CommandName } from "../../settings/commands.js";
import type { Resolved, Values } from "../../settings/settings.js";
import { clusterAsFound, validClusterOptions, withClusterRecord } from "../../aks/inputs/aks-recorded-options.js";
import { clusterIn } from "../../infra/inputs/infra-to-verify.js";
import { keepExisting } from "../../infra/inputs/kept-options.js";
import { undefinedIfUnusable } from "../../files/read.js";
import { recall, withFileRecord } from "../../infra/inputs/recorded-options.js";

/** Whether the command keeps or reads the settings that its cluster was created with. Other commands send no requests for them. */
export function hasRecord(command: CommandName): boolean {
  return takes(command, "azureCreds") && (takes(command, "naming") || aksKindOf(command) !== undefined);
}

/** `say` reports what the command would. */
export async function recalledSettings(
  azure: Azure,
  command: CommandName,
  resolved: Resolved<CommandName>,
  say: (text: string) => void,
): Promise<Resolved<CommandName>> {
  const kind = aksKindOf(command);
  if (kind !== undefined) return ofAksCluster(azure, kind, resolved);
  const { outputFile, outputDir }: Values = resolved.settings;
  if (command === "create infra") {
    return (await keepExisting(azure, command, resolved as Resolved<typeof command>, outputFile, say)).resolved;
  }
  if (command === "create all") {
    const file = outputDir === undefined ? undefined : join(outputDir, directoryFiles.infra);
    return (await keepExisting(azure, command, resolved as Resolved<typeof command>, file, say)).resolved;
  }
  return ofHostedCluster(azure, resolved, say);
}

async function ofHostedCluster(azure: Azure, resolved: Resolved<CommandName>, say: (text: string) => void): Promise<Resolved<CommandName>> {
  const { infraJson, inputDir, name, infraId }: Values = resolved.settings;
  const path = infraJson ?? (inputDir === undefined ? undefined : join(inputDir, directoryFiles.infra));
  const document = path === undefined ? undefined : await readInfraOutput(path);
  const recorded = withFileRecord(resolved, document?.options, path);
  return (await recall(azure, recorded, clusterIn({ name, infraId }, document), document?.options, say)).resolved;
}

async function ofAksCluster(azure: Azure, kind: ClusterKind, resolved: Resolved<CommandName>): Promise<Resolved<CommandName>> {
  const values: Values = resolved.settings;
  const { outputFile, resourceGroupName } = values;
  const given = kind === "management-cluster" ? values.managementClusterJson : values.serviceClusterJson;
  const document =
    given === undefined ? outputFile && (await undefinedIfUnusable(readAksCluster(outputFile, kind))) : await readAksCluster(given, kind);
  const { name = values.name, options } = (document || undefined)?.input ?? {};
  if (name === undefined) return resolved;
  const inFile = given === undefined ? undefined : validClusterOptions(kind, options, given);
  const { record } = await clusterAsFound(azure, { kind, name }, resourceGroupName, {
    access: given !== undefined || outputFile === undefined,
  });
  return withClusterRecord(resolved, kind, inFile ?? record);
}
