/** Whether a create chooses how the workers reach the internet, and what the choice ends. */
import { isDeepStrictEqual } from "node:util";
import type { InfraSpec } from "../../domain/infra-spec.js";
import { egressOptions } from "../../settings/commands/shared-options.js";
import type { CommandName } from "../../settings/commands.js";
import type { Resolved } from "../../settings/settings.js";
import type { KeptOptions } from "./kept-options.js";
import { isGiven, optionTagsOf, recordOf } from "./recorded-options.js";

/** Whether a setting chooses an egress, which ends an earlier one. */
export function setsEgress(resolved: Pick<Resolved<CommandName>, "origins">): boolean {
  return egressOptions.some((key) => isGiven(resolved, key));
}

/** The egress of a create: a run that sets an option of it makes a choice, which ends the earlier one. So does a run after an interrupted one. */
export function chosenEgress(
  { egress }: Pick<InfraSpec, "egress">,
  resolved: Pick<Resolved<"create infra"> | Resolved<"create all">, "settings" | "origins">,
  { record, recordId }: Pick<KeptOptions<"create infra">, "record" | "recordId">,
): Pick<InfraSpec, "egress" | "egressChange"> {
  const isSet = setsEgress(resolved);
  const now = recordOf(resolved);
  const isChanged = isSet && egressOptions.some((key) => !isDeepStrictEqual(now[key], record?.[key]));
  if (record === undefined || !(isChanged || record.formerEgress !== undefined)) return { egress: { ...egress, isChosen: isSet } };
  const { formerEgress = [], publicIpPrefixId = [], natGatewayId, routeTableId } = record;
  const attached = [...new Set([...formerEgress, ...publicIpPrefixId, natGatewayId, routeTableId].filter((id) => id !== undefined))];
  return {
    egress: { ...egress, isChosen: true },
    egressChange: { attached, optionTags: optionTagsOf(resolved, attached), recordId },
  };
}
