/** The records of a parent zone that a delegation hides: resolvers ask the name servers of the delegated zone for its name and all below. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { nameInParent, recordKind } from "../domain/dns-zone.js";
import { parseResourceId } from "../domain/resource-id.js";
import { sameText } from "../text/same-text.js";

export interface HiddenRecord {
  /** "A", "CNAME" */
  readonly kind: string;
  /** In the parent zone: `api.blue`. */
  readonly name: string;
}

/** These are part of a delegation, at its name. Source: RFC 4035, section 2.4. */
const ofDelegation: readonly string[] = ["NS", "DS"];

/** Undefined without the permission to list the records of the parent zone. */
export async function hiddenRecords(azure: Azure, { id = "", name: parent = "" }: Zone, zone: string): Promise<HiddenRecord[] | undefined> {
  const { recordSets } = await azure.dns();
  const sets = await orRefused(all(recordSets.listByDnsZone(parseResourceId(id).resourceGroup ?? "", parent)));
  const own = nameInParent(zone, parent);
  return sets
    ?.map((set) => ({ kind: recordKind(set), name: set.name ?? "" }))
    .filter(({ kind, name }) => {
      if (sameText(name, own)) return !ofDelegation.includes(kind);
      return name.toLowerCase().endsWith(`.${own.toLowerCase()}`);
    });
}

/** "A api.blue, CNAME blue" */
export function hiddenText(records: readonly HiddenRecord[]): string {
  return records.map(({ kind, name }) => `${kind} ${name}`).join(", ");
}
