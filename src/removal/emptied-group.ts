/** Deletes a resource group that was created for an owner, once it is empty. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { expectedGroupDeletion } from "../azure/expected-durations.js";
import { finish, found } from "../azure/long-running.js";
import { oncePerKey } from "../azure/concurrency.js";
import { listContents, readGroup } from "../azure/group-contents.js";
import type { StepIo } from "../engine/step.js";
import { ownedBy, sharingOwnersIn, sharingOwnerTitle, type SharingOwner } from "../domain/ownership.js";
import { quotedTitleOf, titleOf } from "../domain/resource-catalogue.js";
import { isWithin } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ownsGroup } from "../domain/set-ownership.js";
import type { Tags } from "../domain/tags.js";
import { gotNewContents, stillContains } from "./new-resources.js";
import { idsOf, resourceRemovalOf, type Found, type Kept, type OwnedRemoval } from "./owned.js";
import { requireOneOwner } from "./second-owner.js";

export interface EmptiedGroup {
  readonly id: string;
  readonly name: string;
}

/** The decision on a group: delete it, keep it for a reason, or nothing if it does not exist. */
export interface GroupDecision {
  readonly group?: EmptiedGroup | undefined;
  readonly kept?: Kept | undefined;
}

/** Caches groups and their contents, so that each is read once. */
export interface GroupReads {
  /** Undefined if it does not exist. */
  group(name: string): Promise<ResourceGroup | undefined>;
  contents(name: string): Promise<readonly GenericResourceExpanded[]>;
}

export function groupReads(azure: Azure): GroupReads {
  const groups = oncePerKey<ResourceGroup | undefined>();
  const contents = oncePerKey<readonly GenericResourceExpanded[]>();
  const group = (name: string) => groups.get(name.toLowerCase(), () => readGroup(azure, name));
  return {
    group,
    contents: (name) => contents.get(name.toLowerCase(), () => listContents(azure, name, () => group(name))),
  };
}

/**
 * `isDeleted` is whether the resource with this ID is deleted before the group. A group that was created for another owner is deleted too,
 * if the last resources in it are among these: its own destroy kept it for them.
 */
export async function decideGroup(
  reads: GroupReads,
  name: string,
  owner: SharingOwner,
  isDeleted: (id: string) => boolean,
): Promise<GroupDecision> {
  const live = await reads.group(name);
  if (live?.id === undefined) return {};
  const group = { id: live.id, name: live.name ?? name };
  if (!ownsGroup(owner, { name: group.name, tags: live.tags })) {
    const [copied] = copiedTag(owner, live);
    if (copied) return { kept: copied };
    const creator = sharingOwnersIn(live.tags).find((one) => ownsGroup(one, { name: group.name, tags: live.tags }));
    if (creator !== undefined && (await reads.contents(name)).some(({ id = "" }) => isDeleted(id)))
      return decideContents(reads, group, isDeleted);
    const why = creator === undefined ? "not created by aro-hcp" : `created for ${sharingOwnerTitle(creator)}`;
    return { kept: { id: live.id, title: titleOf(resourceTypes.resourceGroup, group.name), why } };
  }
  requireOneOwner(owner, [live]);
  return decideContents(reads, group, isDeleted);
}

/** The decision on a group that is its owner's: it is deleted only if nothing else is in it. */
export async function decideContents(reads: GroupReads, group: EmptiedGroup, isDeleted: (id: string) => boolean): Promise<GroupDecision> {
  const others = (await reads.contents(group.name)).flatMap(({ id = "" }) => (isDeleted(id) ? [] : [id]));
  if (others.length > 0) return { kept: { id: group.id, why: `it still contains ${others.join(", ")}` } };
  return { group };
}

/** Why something with the tag of the owner is kept that the owner does not own; nothing if it does not have the tag. */
export function copiedTag(owner: SharingOwner, { id = "", tags }: { readonly id?: string; readonly tags?: Tags }): Kept[] {
  const giver = "iam" in owner ? "create iam" : "dnsZone" in owner ? "create dns-zone" : "this identity set";
  return ownedBy(tags, owner) === "ours" ? [{ id, why: `has the ownership tag but not a name that ${giver} gives` }] : [];
}

/** What is found of an owner, with the decision on the group of everything else. */
export function withGroup(azure: Azure, found: Found, { group, kept }: GroupDecision): Found {
  const { removals } = found;
  return {
    ...found,
    removals: [...removals, ...(group ? [emptiedGroupRemoval(azure, group, removals)] : [])],
    kept: [...found.kept, ...(kept ? [kept] : [])],
  };
}

/** `before` are the removals of its contents. */
export function emptiedGroupRemoval(azure: Azure, { id, name }: EmptiedGroup, before: readonly OwnedRemoval[]): OwnedRemoval {
  const expected = expectedGroupDeletion([]);
  const removal = resourceRemovalOf(resourceTypes.resourceGroup, id, async (io) => {
    const { resourceGroups } = await azure.resources();
    await waitUntilEmpty(azure, name, before, io);
    await found(finish(azure, expected, (options) => resourceGroups.beginDelete(name, options)));
  });
  return { ...removal, after: idsOf(before), seconds: expected.spread[1] };
}

/** Azure's lists show deleted resources for a while. */
async function waitUntilEmpty(azure: Azure, name: string, before: readonly OwnedRemoval[], { note, signal }: StepIo): Promise<void> {
  for (let tries = 1; ; tries++) {
    const left = await listContents(azure, name);
    if (left.length === 0) return;
    if (tries === 12) {
      const isDeleted = (id: string) => before.some(({ resourceId }) => resourceId !== undefined && isWithin(id, resourceId));
      const ids = left.map(({ id = "" }) => id);
      const newResources = ids.filter((id) => !isDeleted(id));
      throw newResources.length > 0
        ? gotNewContents(quotedTitleOf(resourceTypes.resourceGroup, name), newResources)
        : stillContains(name, ids);
    }
    note("waiting until the group is empty");
    await azure.connection.clock.sleep(5000, signal);
  }
}
