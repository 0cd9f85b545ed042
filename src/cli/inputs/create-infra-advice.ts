/** The `create infra` that makes what `verify infra` expects: advice that follows from the table of options and the settings of the run. */
import type { OwnCommand } from "../../errors/advice.js";
import type { Option } from "../../settings/option.js";
import { optionsOf } from "../../settings/commands.js";
import type { CreateInfraSettings } from "../../settings/settings.js";

const command = "create infra";

/** Written out even where they have their default: the resources are there, whatever the default is one day. */
const always: ReadonlySet<string> = new Set<keyof CreateInfraSettings>(["location"]);

/** What chooses the Azure is added where advice is written out; how a run goes and what it prints is up to whoever runs it. */
const leftOut: ReadonlySet<string> = new Set<keyof CreateInfraSettings>(["cloud", "azureCreds", "subscription"]);

/** In the order of the help, without what has its default. */
export function createInfraAdvice(settings: Partial<CreateInfraSettings>): OwnCommand {
  // The custom roles are roles: one flag says both.
  const { assignIdentityRoles = false, assignCustomHcpRoles = false } = settings;
  const values: Readonly<Record<string, OwnCommand["settings"][string]>> = {
    ...settings,
    assignIdentityRoles: assignIdentityRoles && !assignCustomHcpRoles,
  };
  const named = optionsOf(command).flatMap((option) => {
    const value = values[option.key];
    return describes(option) && (always.has(option.key) || value !== option.default) ? [[option.key, value] as const] : [];
  });
  return { run: command, settings: Object.fromEntries(named) };
}

/** Roles are assigned on the zone's group, too, which `create infra` must be told for that. */
export function withZoneGroup<S extends Partial<CreateInfraSettings>>(settings: S, group: string | undefined): S {
  return settings.assignIdentityRoles === true ? { ...settings, dnsZoneRgName: settings.dnsZoneRgName ?? group } : settings;
}

function describes({ key, group }: Option): boolean {
  return !leftOut.has(key) && group !== "safety" && group !== "output" && group !== "run";
}
