/** What a destroy says if nothing has the given name: the name may be mistyped, or the subscription may be another one. */
import type { Azure } from "../azure/azure.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { resourcesWithTag } from "../azure/tagged-resources.js";
import { arcTag } from "../domain/arc/names.js";
import type { ClusterKey } from "../domain/names.js";
import { kindFacts, type AksClusterKey } from "../domain/aks/cluster-kind.js";
import { defaultVaultName } from "../domain/identity-names.js";
import { identitySetTag, ownershipTags } from "../domain/ownership.js";
import { parseResourceId, sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ownIdentity, ownsVault } from "../domain/set-ownership.js";
import { tagValue } from "../domain/tags.js";
import { didYouMean } from "../text/did-you-mean.js";
import type { Inventory } from "./inventory.js";

export function noSuchCluster(
  { connection }: Pick<Azure, "connection">,
  cluster: ClusterKey,
  { otherClusters }: Pick<Inventory, "otherClusters">,
): string {
  const others = otherClusters.map((other) => other.infraId);
  return `${nothingOfCluster(connection, cluster)}${exists("infra IDs", cluster.infraId, others)}`;
}

function nothingOfCluster(place: Subscription, { name, infraId }: ClusterKey): string {
  return `${nothing(place)} belongs to cluster ${name}/${infraId}`;
}

/** `what`: "identity set", "issuer of the set"; `flag` is that of its group. A few reads, and only if nothing was found. */
export async function noSuchSet(azure: Azure, what: string, name: string, flag?: string): Promise<string> {
  const { resources } = await azure.resources();
  const tagged = (await orRefused(all(resources.list({ filter: `tagName eq '${identitySetTag}'` })))) ?? [];
  const groups = flag === undefined ? [] : await groupsOfSet(azure, name);
  if (groups.length > 0) {
    const flags = groups.map((group) => `${flag ?? ""} ${group}`).join(" or ");
    return `${nothing(azure.connection)} belongs to the ${what} "${name}" in that resource group; it exists in another one: pass ${flags}`;
  }
  const others = tagged.flatMap(({ tags }) => tagValue(tags, identitySetTag) ?? []).filter((other) => other !== name);
  return `${nothing(azure.connection)} belongs to the ${what} "${name}"${exists("identity sets", name, others)}`;
}

/** The resource groups with identities or the vault of a set of that name, in order. */
export async function groupsOfSet(azure: Azure, name: string): Promise<string[]> {
  const { subscriptionId } = azure.connection;
  const tagged = (await orRefused(resourcesWithTag(azure, identitySetTag, name))) ?? [];
  const groups = tagged.flatMap(({ id = "", type = "", tags }) => {
    const { name: resource, resourceGroup: groupName = "" } = parseResourceId(id);
    const place = { name, groupName, subscriptionId };
    const one = { name: resource, tags };
    const isIdentity = sameType(type, resourceTypes.managedIdentity.type) && ownIdentity(place, one) !== undefined;
    const isVault = sameType(type, resourceTypes.keyVault.type) && ownsVault({ ...place, vaultName: defaultVaultName(place) }, one);
    return isIdentity || isVault ? [groupName] : [];
  });
  return [...new Map(groups.map((group) => [group.toLowerCase(), group])).values()].toSorted();
}

/** One read, and only if nothing was found. */
export async function noSuchAksCluster(azure: Azure, { kind, name }: AksClusterKey): Promise<string> {
  const { resources } = await azure.resources();
  const [tag = ""] = Object.keys(ownershipTags({ kind, name }));
  const tagged = (await orRefused(all(resources.list({ filter: `tagName eq '${tag}'` })))) ?? [];
  const others = tagged.flatMap(({ tags }) => tagValue(tags, tag) ?? []).filter((other) => other !== name);
  const { label } = kindFacts[kind];
  return `${nothing(azure.connection)} belongs to the ${label} "${name}"${exists(`${label}s`, name, others)}`;
}

/** One read, and only if nothing was found. */
export async function noSuchConnectedCluster(azure: Azure, name: string): Promise<string> {
  const { resources } = await azure.resources();
  const tagged = (await orRefused(all(resources.list({ filter: `tagName eq '${arcTag}'` })))) ?? [];
  const others = tagged.flatMap(({ tags }) => tagValue(tags, arcTag) ?? []).filter((other) => other !== name);
  return `${nothing(azure.connection)} belongs to the connected cluster "${name}"${exists("connected clusters", name, others)}`;
}

type Subscription = Pick<Azure["connection"], "subscriptionId">;

function nothing({ subscriptionId }: Subscription): string {
  return `nothing in subscription ${subscriptionId}`;
}

/** At most this many of the others are listed. */
const mostListed = 10;

function exists(what: string, wanted: string, others: readonly string[]): string {
  const distinct = [...new Set(others)].toSorted();
  if (distinct.length === 0) return `, and no other ${what} exist there; check --subscription`;
  const more = distinct.length > mostListed ? ` and ${String(distinct.length - mostListed)} more` : "";
  return `; ${what} that exist there: ${distinct.slice(0, mostListed).join(", ")}${more}${didYouMean(wanted, distinct)}`;
}
