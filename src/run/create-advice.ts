/** The create of what a verification expects, derived from the table of options and the settings of the run. */
import type { OwnCommand } from "../errors/advice.js";
import { optionsOf, type CommandName } from "../settings/commands.js";
import type { Option } from "../settings/option.js";
import { defaultOf } from "../settings/parse-value.js";
import { isExplicit } from "../settings/resolve.js";
import type { Resolved, SettingKey } from "../settings/settings.js";

/** Included even with their default value: the resources exist, and the default may change. */
const alwaysIncluded: ReadonlySet<string> = new Set<SettingKey>(["location"]);

/** The renderer of advice adds the options that select the Azure cloud. Options of run and output are left to the user. */
const omitted: ReadonlySet<string> = new Set<SettingKey>(["cloud", "azureCreds", "subscription"]);

/** In the order of the help, without defaults, except for explicit ones: a create may keep recorded values instead. */
export function createAdvice(
  command: CommandName & `create ${string}`,
  values: Readonly<Record<string, unknown>>,
  origins: Resolved<CommandName>["origins"],
): OwnCommand {
  const named = optionsOf(command).flatMap((option) => {
    const value = values[option.key] as OwnCommand["settings"][string];
    const isNamed = alwaysIncluded.has(option.key) || value !== defaultOf(option) || isExplicit(origins[option.key as SettingKey]);
    return describes(option) && isNamed ? [[option.key, value] as const] : [];
  });
  return { run: command, settings: Object.fromEntries(named) };
}

function describes({ key, group }: Option): boolean {
  return !omitted.has(key) && group !== "safety" && group !== "output" && group !== "run";
}
