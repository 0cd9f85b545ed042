/** Requires flags or files for the settings that assign roles, give access or write outside a create's resources. */
import { isDeepStrictEqual } from "node:util";
import { Failure } from "../errors/failure.js";
import { settingArguments } from "../settings/format-command.js";
import { optionsOf, type CommandName } from "../settings/commands.js";
import { allOptions } from "../settings/options.js";
import type { Resolved, SettingKey } from "../settings/settings.js";

/**
 * `file` has the settings of the operator's output file, if there is one.
 * @throws ARO-USAGE-001 that names each setting that only Azure shows
 */
export function requireGivenRights(
  command: CommandName,
  subject: string,
  { settings, origins }: Resolved<CommandName>,
  file: object = {},
): void {
  const values: Readonly<Record<string, unknown>> = settings;
  const inFile = file as Readonly<Record<string, unknown>>;
  const isShownOnly = (key: SettingKey) => origins[key]?.source === "record" && !isDeepStrictEqual(values[key], inFile[key]);
  const deciding = optionsOf(command).filter(({ decidesRights }) => decidesRights);
  const found = deciding.map(({ key }) => key as SettingKey).filter(isShownOnly);
  if (found.length > 0) throw onlyInAzure(subject, Object.fromEntries(found.map((key) => [key, values[key]])));
}

/** `found`: the settings by key. `recorded`: whether output files have them. */
export function onlyInAzure(
  subject: string,
  found: Readonly<Record<string, unknown>>,
  recorded: "in files" | "in no file" = "in files",
): Failure {
  const keys = Object.keys(found) as SettingKey[];
  return new Failure("ARO-USAGE-001", `only Azure shows settings of ${subject} that decide who gets access to what`, {
    because: "whoever may write there could give access to others, so these settings must come from you",
    problems: keys.map((key) => ({
      origin: allOptions.find((option) => option.key === key)?.flag ?? key,
      message: `Azure shows ${settingArguments(key, found[key] as Parameters<typeof settingArguments>[1])}`,
    })),
    next: [
      "check each value, and pass it if it is right",
      ...(recorded === "in files" ? ["or run the command with the output file or directory of the first create"] : []),
    ],
  });
}
