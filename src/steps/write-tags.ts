/** Writes the changes of tags, in the order in which the number of tags stays below Azure's limit. */
import type { Azure } from "../azure/azure.js";
import { patchTags } from "../azure/patch-tags.js";
import type { TagChanges } from "./record-tags.js";

export async function writeTags(azure: Azure, scope: string, { merged, deleted, deletesFirst }: TagChanges): Promise<void> {
  const isDeleting = Object.keys(deleted).length > 0;
  if (isDeleting && deletesFirst) await patchTags(azure, scope, "Delete", deleted);
  await patchTags(azure, scope, "Merge", merged);
  if (isDeleting && !deletesFirst) await patchTags(azure, scope, "Delete", deleted);
}
