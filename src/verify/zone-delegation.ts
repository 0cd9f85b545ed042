/** Whether the zone above delegates to a public zone: what `verify infra` asks of a cluster, and the doctor before there is one. */
import { advise, joinAdvice, shell } from "../errors/advice.js";
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { parseResourceId } from "../domain/resource-id.js";
import { broken, holds, notChecked, type Finding } from "./check.js";

/** Asked of Azure alone: whoever verifies may sit where public name servers cannot be asked, or answer otherwise. `live`: the zones of the base domain. */
export async function zoneDelegated(azure: Azure, baseDomain: string, live: readonly Zone[]): Promise<Finding<undefined>> {
  const [child, ...others] = live;
  if (child === undefined || others.length > 0) return notChecked("it is not known which of several zones is the cluster's");
  const { zones, recordSets } = await azure.dns();
  const known = await orRefused(all(zones.list()));
  const parent = known
    ?.filter(({ name = "", zoneType }) => baseDomain.endsWith(`.${name.toLowerCase()}`) && zoneType !== "Private")
    .sort((a, b) => (b.name?.length ?? 0) - (a.name?.length ?? 0))[0];
  const wanted = (child.nameServers ?? []).map(plain);
  const ask = advise`${shell`dig +short NS ${baseDomain}`} must answer ${wanted.join(", ")}`;
  if (parent?.id === undefined || parent.name === undefined) {
    return notChecked(advise`no zone above ${baseDomain} ${known ? "is in this subscription" : "may be looked for"}; ${ask}`);
  }
  const { resourceGroup = "" } = parseResourceId(parent.id);
  const relative = baseDomain.slice(0, -parent.name.length - 1);
  const asked = await orRefused(found(recordSets.get(resourceGroup, parent.name, relative, "NS")).then((set) => ({ set })));
  if (asked === undefined) return notChecked(advise`the NS records of ${parent.name} may not be read; ${ask}`);
  return checkDelegation(wanted, asked.set && (asked.set.nsRecords ?? []).map(({ nsdname = "" }) => plain(nsdname)), {
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

function checkDelegation(wanted: readonly string[], there: readonly string[] | undefined, at: Delegation): Finding<undefined> {
  const missing = wanted.filter((server) => !there?.includes(server));
  const strange = there?.filter((server) => !wanted.includes(server)) ?? [];
  if (missing.length === 0 && strange.length === 0) return holds(`${at.zone} delegates to ${wanted.join(", ")}`);
  const flags = ["--resource-group", at.group, "--zone-name", at.zone, "--record-set-name", at.relative];
  return broken(
    there === undefined
      ? `${at.zone} has no NS record set "${at.relative}": nobody finds the cluster's public names`
      : `NS record set "${at.relative}" of ${at.zone} names ${there.join(", ")}, the zone is at ${wanted.join(", ")}`,
    joinAdvice(
      [
        ...missing.map((server) => shell`az network dns record-set ns add-record ${flags} --nsdname ${server}.`),
        ...strange.map((server) => shell`az network dns record-set ns remove-record ${flags} --nsdname ${server}.`),
      ],
      ", ",
    ),
  );
}

/** Names of servers are the same with a final dot and without, and in any casing. */
function plain(server: string): string {
  return server.toLowerCase().replace(/\.$/, "");
}
