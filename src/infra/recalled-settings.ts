/** The settings of a command as it gets them, with those of an existing hosted cluster, for `show settings`. */
import { join } from "node:path";
import type { Azure } from "../azure/azure.js";
import { directoryFiles } from "../domain/directory-files.js";
import { readInfraOutput } from "../files/infra-output.js";
import { takes, type CommandName } from "../settings/commands.js";
import type { Resolved, Values } from "../settings/settings.js";
import { clusterIn } from "./inputs/infra-to-verify.js";
import { keepExisting } from "./inputs/kept-options.js";
import { recall, withFileRecord } from "./inputs/recorded-options.js";

export function hasRecord(command: CommandName): boolean {
  return takes(command, "azureCreds") && takes(command, "naming");
}

/** `say` reports what the command would. */
export async function recalledSettings(
  azure: Azure,
  command: CommandName,
  resolved: Resolved<CommandName>,
  say: (text: string) => void,
): Promise<Resolved<CommandName>> {
  const { outputFile, outputDir, infraFile, inputDir, name, infraId }: Values = resolved.settings;
  if (command === "create infra") {
    return (await keepExisting(azure, command, resolved as Resolved<typeof command>, outputFile, say)).resolved;
  }
  if (command === "create all") {
    const file = outputDir === undefined ? undefined : join(outputDir, directoryFiles.infra);
    return (await keepExisting(azure, command, resolved as Resolved<typeof command>, file, say)).resolved;
  }
  const path = infraFile ?? (inputDir === undefined ? undefined : join(inputDir, directoryFiles.infra));
  const document = path === undefined ? undefined : await readInfraOutput(path);
  const recorded = await withFileRecord(resolved, document?.options, path);
  return (await recall(azure, recorded, clusterIn({ name, infraId }, document), document?.options, say)).resolved;
}
