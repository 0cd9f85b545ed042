/** The add-ons of AKS clusters: their settings, and the identities that AKS creates for those that act in Azure. */
import { isRecord } from "../../body-schema.js";
import { isWithin } from "../../resource-id.js";
import type { Put } from "../../resource-type.js";
import { addOnIdentityName, addOnsWithIdentity } from "./add-on-identities.js";
import type { ClusterBody } from "./cluster-body.js";
import { ensureIdentity, removeIdentity, type AssignedIdentity, type NodeGroup } from "./nodes.js";

type AddOns = NonNullable<ClusterBody["properties"]["addonProfiles"]>;

/** The profiles of add-ons. An update keeps those that it does not name. A cluster without any has none, also if it sent none. */
export function addOnsFor({ name, existing }: Put<ClusterBody>, group: NodeGroup, sent: AddOns | undefined): object | undefined {
  const before = existing?.properties["addonProfiles"] as AddOns | undefined;
  const profiles = Object.entries({ ...before, ...sent });
  const stored = profiles.flatMap(([addOn, profile]) => {
    if (profile === undefined) return [];
    const named = addOnIdentityName(addOn, name);
    const hasIdentity = addOnsWithIdentity.includes(addOn) && profile.enabled;
    if (!hasIdentity) removeIdentity(group, named);
    const { enabled, config } = profile;
    return [[addOn, { enabled, config: config ?? null, ...(hasIdentity && { identity: ensureIdentity(group, named) }) }]];
  });
  return stored.length === 0 ? undefined : (Object.fromEntries(stored) as object);
}

/** AKS answers the IDs of identities that it made as Microsoft.ManagedIdentity spells them. `group` is the node resource group. */
export function presentIdentity(group: string, identity: AssignedIdentity): AssignedIdentity {
  const { resourceId } = identity;
  return isWithin(resourceId, group) ? { ...identity, resourceId: resourceId.replace("/resourceGroups/", "/resourcegroups/") } : identity;
}

/** Identities are made while the cluster is. */
export function presentAddOns(profiles: unknown, group: string, isNew: boolean): object | undefined {
  if (!isRecord(profiles)) return undefined;
  const presented = Object.entries(profiles as Record<string, { readonly identity?: AssignedIdentity }>).map(
    ([addOn, { identity, ...profile }]) => [
      addOn,
      { ...profile, ...(identity !== undefined && !isNew && { identity: presentIdentity(group, identity) }) },
    ],
  );
  return Object.fromEntries(presented) as object;
}
