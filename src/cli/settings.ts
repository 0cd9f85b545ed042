/** The settings of one command, from the words it was given, the environment and the file of `--config`. */
import { readDocument } from "../files/read.js";
import type { CommandName } from "../settings/option.js";
import { resolveSettings } from "../settings/resolve.js";
import type { Resolved, SettingKey } from "../settings/settings.js";

/** What was given on the command line, by the key of the option, still as text. */
export type Flags = Readonly<Partial<Record<SettingKey, string | boolean | readonly string[] | undefined>>>;

export function settingsOf<C extends CommandName>(command: C, flags: Flags, environment: NodeJS.ProcessEnv): Promise<Resolved<C>> {
  return resolveSettings(command, { flags, environment, readConfig: readDocument });
}
