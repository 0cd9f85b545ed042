/** The `create infra` command, or the `create all` of an output directory, for the resources that `verify infra` expects. */
import type { OwnCommand } from "../../errors/advice.js";
import type { CreateInfraSettings, Resolved } from "../../settings/settings.js";
import { createAdvice } from "../../run/create-advice.js";

export function createInfraAdvice(
  { directory, ...settings }: Partial<CreateInfraSettings> & { readonly directory?: string | undefined },
  origins: Resolved<"verify infra">["origins"] = {},
): OwnCommand {
  // It also creates the identities and the issuer, which `create infra` needs, and rewrites the files.
  if (directory !== undefined) {
    const all = createAdvice("create all", settings, origins);
    return { ...all, settings: { ...all.settings, outputDir: directory } };
  }
  // Custom roles imply role assignment: one flag is enough.
  const { assignIdentityRoles = false, assignCustomHcpRoles = false } = settings;
  return createAdvice("create infra", { ...settings, assignIdentityRoles: assignIdentityRoles && !assignCustomHcpRoles }, origins);
}

/** Role assignment includes the resource group of the zone, so `create infra` needs it. */
export function withZoneGroup<S extends Partial<CreateInfraSettings>>(settings: S, group: string | undefined): S {
  return settings.assignIdentityRoles === true ? { ...settings, dnsZoneRgName: settings.dnsZoneRgName ?? group } : settings;
}
