/** The `create infra` command for the resources that `verify infra` expects, derived from the table of options and the settings of the run. */
import type { OwnCommand } from "../../errors/advice.js";
import type { Option } from "../../settings/option.js";
import { optionsOf } from "../../settings/commands.js";
import { defaultOf } from "../../settings/parse-value.js";
import { isExplicit } from "../../settings/resolve.js";
import type { CreateInfraSettings, Resolved, SettingKey } from "../../settings/settings.js";

const command = "create infra";

/** Included even with their default value: the resources exist, and the default may change. */
const alwaysIncluded: ReadonlySet<string> = new Set<keyof CreateInfraSettings>(["location"]);

/** The renderer of advice adds the options that select the Azure cloud. Options of run and output are left to the user. */
const omitted: ReadonlySet<string> = new Set<keyof CreateInfraSettings>(["cloud", "azureCreds", "subscription"]);

/** In the order of the help, without defaults, except for explicit ones: create would keep the recorded values instead. */
export function createInfraAdvice(settings: Partial<CreateInfraSettings>, origins: Resolved<"verify infra">["origins"] = {}): OwnCommand {
  // Custom roles imply role assignment: one flag is enough.
  const { assignIdentityRoles = false, assignCustomHcpRoles = false } = settings;
  const values: Readonly<Record<string, OwnCommand["settings"][string]>> = {
    ...settings,
    assignIdentityRoles: assignIdentityRoles && !assignCustomHcpRoles,
  };
  const named = optionsOf(command).flatMap((option) => {
    const value = values[option.key];
    return describes(option) &&
      (alwaysIncluded.has(option.key) || value !== defaultOf(option) || isExplicit(origins[option.key as SettingKey]))
      ? [[option.key, value] as const]
      : [];
  });
  return { run: command, settings: Object.fromEntries(named) };
}

/** Role assignment includes the resource group of the zone, so `create infra` needs it. */
export function withZoneGroup<S extends Partial<CreateInfraSettings>>(settings: S, group: string | undefined): S {
  return settings.assignIdentityRoles === true ? { ...settings, dnsZoneRgName: settings.dnsZoneRgName ?? group } : settings;
}

function describes({ key, group }: Option): boolean {
  return !omitted.has(key) && group !== "safety" && group !== "output" && group !== "run";
}
