/** Adds ownership tags to an existing resource or group with the Tags API, which keeps all other tags. */
import type { Azure } from "../azure/azure.js";
import { patchTags } from "../azure/patch-tags.js";
import { hasOtherOwner, ownershipTags, type Owner } from "../domain/ownership.js";
import { Stale } from "../errors/stale.js";

/**
 * The Tags API has no conditional writes, so the tags are read again immediately before the write.
 * `tags`: those of the owner, and what else its create would set. @throws Stale if they name another owner by now
 */
export async function mergeOwnershipTags(
  azure: Azure,
  id: string,
  owner: Owner,
  tags: Readonly<Record<string, string>> = ownershipTags(owner),
): Promise<void> {
  const { tagsOperations } = await azure.resources();
  const { properties } = await tagsOperations.getAtScope(id);
  if (hasOtherOwner(properties.tags, owner)) throw new Stale("it got another owner in the meantime");
  await patchTags(azure, id, "Merge", tags);
}
