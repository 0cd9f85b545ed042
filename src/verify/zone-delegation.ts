/** Checks whether the parent zone delegates to a public zone, for `verify infra` and for the doctor. */
import { advise, joinAdvice, shell } from "../errors/advice.js";
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { nameInParent, parentZonesOf, plainServer } from "../domain/dns-zone.js";
import { parseResourceId } from "../domain/resource-id.js";
import { hiddenText, recordsAround } from "../steps/hidden-records.js";
import { listedZones, type ZoneList } from "../steps/listed-zones.js";
import { failed, passed, notChecked, type Finding } from "./check.js";

/**
 * Reads Azure only, because public name servers may be unreachable or answer differently here. `live`: the zones of the base domain.
 * `listed`: all zones of the subscription.
 */
export async function zoneDelegated(
  azure: Azure,
  baseDomain: string,
  live: readonly Zone[],
  listed: ZoneList = listedZones(azure),
): Promise<Finding<undefined>> {
  const [child, ...further] = live;
  if (child === undefined || further.length > 0)
    return notChecked("several zones have this name, and it is unknown which one the cluster uses");
  const { recordSets } = await azure.dns();
  const known = await orRefused(listed());
  const [parent, ...others] = parentZonesOf(known ?? [], baseDomain);
  const wanted = (child.nameServers ?? []).map(plainServer);
  const ask = advise`${shell`dig +short NS ${baseDomain}`} must return ${wanted.join(", ")}`;
  if (parent?.id === undefined || parent.name === undefined) {
    return notChecked(
      advise`${known ? `this subscription has no parent zone of ${baseDomain}` : "the signed-in principal has no permission to list DNS zones"}; ${ask}`,
    );
  }
  if (others.length > 0) return notChecked(advise`this subscription has several zones ${parent.name}; ${ask}`);
  const { resourceGroup = "" } = parseResourceId(parent.id);
  const relative = nameInParent(baseDomain, parent.name);
  const asked = await orRefused(found(recordSets.get(resourceGroup, parent.name, relative, "NS")).then((set) => ({ set })));
  if (asked === undefined)
    return notChecked(advise`the signed-in principal has no permission to read the NS records of ${parent.name}; ${ask}`);
  if (asked.set === undefined) {
    const around = await recordsAround(azure, parent, baseDomain);
    const blocked =
      around === undefined
        ? `first check zone ${parent.name} for records at or below ${baseDomain}, which the delegation would hide`
        : (around.delegatedAbove ??
          (around.hidden.length === 0
            ? undefined
            : `first move these records from zone ${parent.name} to zone ${baseDomain}: ${hiddenText(around.hidden)}`));
    // NS records that hide others, or that nobody reads, are not advised.
    if (blocked !== undefined) return failed(noRecords({ zone: parent.name, relative }), advise`${blocked}; then ${ask}`);
  }
  return checkDelegation(wanted, asked.set && (asked.set.nsRecords ?? []).map(({ nsdname = "" }) => plainServer(nsdname)), {
    group: resourceGroup,
    zone: parent.name,
    relative,
  });
}

interface Delegation {
  readonly group: string;
  readonly zone: string;
  /** Name of the record set in the zone. */
  readonly relative: string;
}

function noRecords({ zone, relative }: Pick<Delegation, "zone" | "relative">): string {
  return `${zone} has no NS record set "${relative}", so the cluster's public names cannot be resolved`;
}

function checkDelegation(wanted: readonly string[], live: readonly string[] | undefined, at: Delegation): Finding<undefined> {
  const missing = wanted.filter((server) => !live?.includes(server));
  const unexpected = live?.filter((server) => !wanted.includes(server)) ?? [];
  if (missing.length === 0 && unexpected.length === 0) return passed(`${at.zone} delegates to ${wanted.join(", ")}`);
  const flags = ["--resource-group", at.group, "--zone-name", at.zone, "--record-set-name", at.relative];
  return failed(
    live === undefined
      ? noRecords(at)
      : `NS record set "${at.relative}" of ${at.zone} lists ${live.join(", ")}, but the zone's name servers are ${wanted.join(", ")}`,
    joinAdvice(
      [
        ...missing.map((server) => shell`az network dns record-set ns add-record ${flags} --nsdname ${server}.`),
        ...unexpected.map((server) => shell`az network dns record-set ns remove-record ${flags} --nsdname ${server}.`),
      ],
      ", ",
    ),
  );
}
