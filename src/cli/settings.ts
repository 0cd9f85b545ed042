/** The settings of one command, from the words it was given, the environment and the file of `--config`. */
import { readDocument } from "../files/read.js";
import type { CommandName } from "../settings/option.js";
import { resolveSettings } from "../settings/resolve.js";
import type { Resolved, SettingKey } from "../settings/settings.js";
import { setResolvedOutput } from "./resolved-output.js";

/** What was given on the command line, by the key of the option, still as text. */
export type Flags = Readonly<Partial<Record<SettingKey, string | boolean | readonly string[] | undefined>>>;

export async function settingsOf<C extends CommandName>(command: C, flags: Flags, environment: NodeJS.ProcessEnv): Promise<Resolved<C>> {
  const resolved = await resolveSettings(command, { flags, environment, readConfig: readDocument });
  const { output } = resolved.settings as { readonly output?: "text" | "json" };
  if (output !== undefined) setResolvedOutput(output);
  return resolved;
}
