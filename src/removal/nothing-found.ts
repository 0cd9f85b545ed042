/** What a destroy says if nothing has the given name: the name may be mistyped, or the subscription may be another one. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { tagValue } from "../domain/tags.js";
import { didYouMean } from "../text/did-you-mean.js";
import { groupsContain, isOfSet, otherGroupsOf, resourcesWithTagName } from "./set-groups.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { identitySetTag } from "../domain/ownership.js";

interface Sought {
  readonly what: string;
  readonly plural: string;
  /** The tag of everything with an owner of this kind; its value is the owner's name. */
  readonly tag: string;
  readonly name: string;
  /** The group that was searched, and the flag that selects another one. */
  readonly groupName: string;
  readonly flag: string;
  /** Whether a resource of any group has its tag and a name of it. */
  isIts(resource: GenericResourceExpanded): boolean;
}

/** One read, and only if nothing was found. */
export async function noSuchOwner(azure: Azure, { what, plural, tag, name, groupName, flag, isIts }: Sought): Promise<string> {
  const tagged = await resourcesWithTagName(azure, tag);
  const groups = otherGroupsOf(tagged.filter(isIts), groupName);
  if (groups.length > 0) {
    const pass = groups.length === 1 ? `pass ${flag} ${groups[0] ?? ""}` : `pass one of them as ${flag}`;
    return `the ${what} "${name}" is not in resource group ${groupName}; ${groupsContain(groups)} resources with its tag and names; if they are its own, ${pass}`;
  }
  const others = tagged.flatMap(({ tags }) => tagValue(tags, tag) ?? []).filter((other) => other !== name);
  return `${nothing(azure.connection)} belongs to the ${what} "${name}"${exists(plural, name, others)}`;
}

export type Subscription = Pick<Azure["connection"], "subscriptionId">;

export function nothing({ subscriptionId }: Subscription): string {
  return `nothing in subscription ${subscriptionId}`;
}

/** At most this many of the others are listed. */
const mostListed = 10;

export function exists(what: string, wanted: string, others: readonly string[]): string {
  const distinct = [...new Set(others)].toSorted();
  if (distinct.length === 0) return `, and no other ${what} exist there; check --subscription`;
  const more = distinct.length > mostListed ? ` and ${String(distinct.length - mostListed)} more` : "";
  return `; ${what} that exist there: ${distinct.slice(0, mostListed).join(", ")}${more}${didYouMean(wanted, distinct)}`;
}

export function noSuchSet(azure: Azure, key: IdentitySetKey): Promise<string> {
  return noSuchOwner(azure, {
    what: "identity set",
    plural: "identity sets",
    tag: identitySetTag,
    name: key.name,
    groupName: key.groupName,
    flag: "--persistent-resource-group-name",
    isIts: (one) => isOfSet(key, one),
  });
}
