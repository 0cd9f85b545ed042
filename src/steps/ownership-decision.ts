/** The ownership decision of all created resources: whether a resource exists, is owned, and has the right location. */
import { advise, aroHcp, shell, type Advice } from "../errors/advice.js";
import type { Change, Decision } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { isOfCcoctl } from "../domain/ccoctl.js";
import { issuerGroupName } from "../domain/issuer.js";
import { sameText } from "../text/same-text.js";
import { hasOtherOwner, ownedBy, ownershipTags, type Owner } from "../domain/ownership.js";
import { clusterResource } from "../domain/cluster-resource.js";
import { sameLocation } from "../domain/location.js";
import { quotedTitleOf, rewriteCommand } from "../domain/resource-catalogue.js";
import { groupNameOf } from "../domain/resource-id.js";
import type { ResourceType } from "../domain/resource-types.js";
import { ElsewhereFailure } from "./elsewhere.js";
import { hasLostTags } from "./lost-tags.js";
import { missingTags } from "./missing-tags.js";
import { failedState } from "./provisioning-state.js";

/** Advice if an identity set, or part of it, does not exist. */
export const createFirst = advise`create the identity set first: ${aroHcp("create identities")}`;

interface Live {
  readonly id?: string;
  readonly provisioningState?: string;
  readonly location?: string;
  readonly tags?: Record<string, string>;
}

interface Wanted {
  readonly row: ResourceType;
  readonly name: string;
  readonly owner: Owner;
  /** Undefined for global types. */
  readonly location?: string;
  /** The flags that determine its name, if not those of its owner. */
  readonly otherName?: string;
}

/**
 * Creates an absent resource and refuses one with another owner. Otherwise `differences` decides: it returns the changes (none: keep), or the
 * failure that explains why they are not possible. A resource in a failed state, or one that lost its ownership tags, is updated even without
 * differences.
 */
export function decideOwned<L extends Live>(
  live: L | undefined,
  wanted: Wanted,
  differences: (live: L) => readonly Change[] | Failure,
): Decision {
  const { row, name, owner, location, otherName = nameFlags(owner) } = wanted;
  const what = quotedTitleOf(row, name);
  const existingFlag = row.use?.existingFlag;
  if (!live) return { act: "create" };
  const isLost = hasLostTags(live);
  if (ownedBy(live.tags, owner) !== "ours" && !isLost) {
    const { because, next } = unowned(live, owner);
    return refuse("ARO-OWN-001", `${what} exists but has a different owner`, {
      because,
      next: [
        ...next,
        ...(existingFlag === undefined ? [] : [`to use it unchanged, pass ${existingFlag}`]),
        `to create a new one, choose a different ${otherName}; delete this one only if its owner agrees`,
      ],
    });
  }
  if (location !== undefined && !sameLocation(live.location, location)) {
    const place = { live: live.location ?? "no location", wanted: location, nameFlags: otherName };
    return { act: "refuse", failure: new ElsewhereFailure(what, place) };
  }
  const found = differences(live);
  if (found instanceof Failure) return { act: "refuse", failure: found };
  const restored = isLost ? missingTags(live.tags ?? {}, ownershipTags(owner)) : [];
  const changes = [...restored, ...found.filter(({ path }) => !restored.some((tag) => tag.path === path))];
  const failed = failedState(live);
  if (failed !== undefined) {
    const retried = { path: "provisioningState", from: failed, to: "Succeeded" };
    return { act: "update", why: "its last operation failed, so it is updated again", changes: [retried, ...changes] };
  }
  if (changes.length === 0) return { act: "keep" };
  return { act: "update", why: isLost ? "it lost its ownership tags" : "it differs", changes };
}

function nameFlags(owner: Owner): string {
  if ("dnsZone" in owner) return "--dns-zone-rg-name";
  if ("identitySet" in owner) return "--identities-name";
  return "infraId" in owner || "iam" in owner ? "--name or --infra-id" : "--name";
}

/** Why a resource is not owned, and what to do about it. Only one without another owner can be taken over. */
function unowned({ id = "", tags }: Live, owner: Owner): { readonly because: string; readonly next: readonly Advice[] } {
  if (hasOtherOwner(tags, owner)) return { because: "its ownership tags name another owner", next: [] };
  const because = "it does not have the ownership tags";
  if ("identitySet" in owner && isOfCcoctl(owner.identitySet, tags)) return ofCcoctl(id, owner.identitySet, because);
  if (id === "" || "identitySet" in owner || "dnsZone" in owner) return { because, next: [] };
  if ("iam" in owner) {
    const take = aroHcp("adopt iam", { ...owner.iam, persistentResourceGroupName: groupNameOf(id) });
    return {
      because: `${because}, and looks as if \`hypershift create iam azure\` created it`,
      next: [advise`if it belongs to this cluster, take it over: ${take}`],
    };
  }
  if (!("infraId" in owner)) {
    const tags = Object.entries(ownershipTags(owner)).map(([tag, value]) => `${tag}=${value}`);
    const add = shell`az tag update --resource-id ${id} --operation Merge --tags ${tags}`;
    return { because, next: [advise`if it belongs to this cluster, add its tag: ${add}`] };
  }
  const { name, infraId } = owner;
  const inOwnGroup = clusterResource({ cluster: owner, existingGroups: [] }, id);
  const take = aroHcp("adopt infra", { name, infraId, resourceGroupName: inOwnGroup === undefined ? groupNameOf(id) : undefined });
  const { namings = [] } = inOwnGroup ?? clusterResource({ cluster: owner, existingGroups: undefined }, id) ?? {};
  return {
    because: namings.includes("hypershift") ? `${because}, and looks as if \`hypershift create infra azure\` created it` : because,
    next: [advise`if it belongs to this cluster, take it over: ${take}`],
  };
}

/** The decision on an existing resource: it must exist in the cluster's location, and it is never changed. */
export function useExisting<L extends Live>(
  live: L | undefined,
  wanted: { readonly row: ResourceType; readonly what: string; readonly location?: string; readonly flag: string },
  fault: (live: L) => Failure | undefined = () => undefined,
): Decision {
  const { row, what, location, flag } = wanted;
  if (!live) {
    return refuse("ARO-OWN-003", `${what} does not exist`, {
      because: `${flag} refers to it`,
      next: [`correct ${flag}, or check that the signed-in principal has permission to read it`],
    });
  }
  if (location !== undefined && !sameLocation(live.location, location)) {
    return refuse("ARO-OWN-003", `${what} is in ${live.location ?? "no location"}, not in ${location}`, {
      because: "the resources of one cluster must be in one location",
      next: [`pass --location ${live.location ?? "..."}, or pass ${flag} with a ${row.label} in ${location}`],
    });
  }
  const failed = failedState(live);
  if (failed !== undefined) {
    return refuse("ARO-OWN-003", `${what} is not usable: the provisioning state of its last operation is ${failed}`, {
      because: "existing resources are never changed, and a resource in that state might not work as documented",
      next: [advise`ask its owner to update it without changes: ${rewriteCommand(row, live.id ?? "")}`],
    });
  }
  const failure = fault(live);
  return failure ? { act: "refuse", failure } : { act: "use" };
}

export function refuse(...[code, message, options]: ConstructorParameters<typeof Failure>): Decision {
  return { act: "refuse", failure: new Failure(code, message, options) };
}

function ofCcoctl(id: string, set: string, because: string): { readonly because: string; readonly next: readonly Advice[] } {
  const groupName = groupNameOf(id);
  const oidcResourceGroupName = sameText(groupName, issuerGroupName(set)) ? undefined : groupName;
  return {
    because: `${because}, and the tag of ccoctl says that it created it`,
    next: [advise`if nobody else uses it, take it over: ${aroHcp("adopt oidc-issuer", { identitiesName: set, oidcResourceGroupName })}`],
  };
}
