/** The records of a parent zone that matter to a delegation: those that it hides, and another delegation that hides it. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { nameInParent, plainServer, recordKind } from "../domain/dns-zone.js";
import { parseResourceId } from "../domain/resource-id.js";
import { sameText } from "../text/same-text.js";

export interface HiddenRecord {
  /** "A", "CNAME" */
  readonly kind: string;
  /** The name in the parent zone: `api.blue`. */
  readonly name: string;
}

/** These are part of a delegation, at its name. Source: RFC 4035, section 2.4. */
const ofDelegation: readonly string[] = ["NS", "DS"];

export interface RecordsAround {
  /** Resolvers ask the name servers of the delegated zone for its name and all below. */
  readonly hidden: readonly HiddenRecord[];
  /** "zone example.com delegates blue.example.com to ns1.example.net", for a zone below that name. */
  readonly delegatedAbove: string | undefined;
}

/** Undefined without the permission to list the records of the parent zone. */
export async function recordsAround(azure: Azure, { id = "", name: parent = "" }: Zone, zone: string): Promise<RecordsAround | undefined> {
  const { recordSets } = await azure.dns();
  const sets = await orRefused(all(recordSets.listByDnsZone(parseResourceId(id).resourceGroup ?? "", parent)));
  if (sets === undefined) return undefined;
  const own = nameInParent(zone, parent);
  const records = sets.map((set) => ({ kind: recordKind(set), name: set.name ?? "", set }));
  const hidden = records.filter(({ kind, name }) => (sameText(name, own) ? !ofDelegation.includes(kind) : isBelow(name, own)));
  const above = records.find(({ kind, name }) => kind === "NS" && isBelow(own, name));
  const servers = (above?.set.nsRecords ?? []).map(({ nsdname = "" }) => plainServer(nsdname));
  return {
    hidden: hidden.map(({ kind, name }) => ({ kind, name })),
    delegatedAbove: above && `zone ${parent} delegates ${above.name}.${parent} to ${servers.join(", ")}`,
  };
}

function isBelow(name: string, other: string): boolean {
  return name.toLowerCase().endsWith(`.${other.toLowerCase()}`);
}

/** "A api.blue, CNAME blue" */
export function hiddenText(records: readonly HiddenRecord[]): string {
  return records.map(({ kind, name }) => `${kind} ${name}`).join(", ");
}
