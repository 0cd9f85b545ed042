/** Writes the changes of tags: removals first, so that the number of tags stays below Azure's limit. */
import type { Azure } from "../azure/azure.js";
import { patchTags } from "../azure/patch-tags.js";
import type { TagChanges } from "./tag-changes.js";

export async function writeTags(azure: Azure, scope: string, { merged, deleted }: Pick<TagChanges, "merged" | "deleted">): Promise<void> {
  if (Object.keys(deleted).length > 0) await patchTags(azure, scope, "Delete", deleted);
  await patchTags(azure, scope, "Merge", merged);
}
