/** The settings of any command as it gets them, with those of an existing cluster, for `show settings`. */
import type { Azure } from "../azure/azure.js";
import { features } from "../features.js";
import type { CommandName } from "../settings/commands.js";
import type { Resolved } from "../settings/settings.js";

/** Reads the settings that a cluster was created with; `say` reports what the command would. */
export type Recall = (
  azure: Azure,
  command: CommandName,
  resolved: Resolved<CommandName>,
  say: (text: string) => void,
) => Promise<Resolved<CommandName>>;

/** Undefined for a command that does not keep or read the settings that its cluster was created with: it sends no requests for them. */
export async function recallOf(command: CommandName): Promise<Recall | undefined> {
  const all = await Promise.all(features.flatMap((feature) => ("recalled" in feature ? [feature.recalled()] : [])));
  return all.find(({ hasRecord }) => hasRecord(command))?.recalledSettings;
}
