/** The `create infra` command for the resources that `verify infra` expects. */
import type { OwnCommand } from "../../errors/advice.js";
import type { CreateInfraSettings, Resolved } from "../../settings/settings.js";
import { createAdvice } from "./create-advice.js";

export function createInfraAdvice(settings: Partial<CreateInfraSettings>, origins: Resolved<"verify infra">["origins"] = {}): OwnCommand {
  // Custom roles imply role assignment: one flag is enough.
  const { assignIdentityRoles = false, assignCustomHcpRoles = false } = settings;
  return createAdvice("create infra", { ...settings, assignIdentityRoles: assignIdentityRoles && !assignCustomHcpRoles }, origins);
}

/** Role assignment includes the resource group of the zone, so `create infra` needs it. */
export function withZoneGroup<S extends Partial<CreateInfraSettings>>(settings: S, group: string | undefined): S {
  return settings.assignIdentityRoles === true ? { ...settings, dnsZoneRgName: settings.dnsZoneRgName ?? group } : settings;
}
