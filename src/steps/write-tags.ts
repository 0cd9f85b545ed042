/** Writes tags with the Tags API, which keeps all other tags: a PUT or PATCH of a group replaces those of others. */
import type { Azure } from "../azure/azure.js";
import { expectedDuration } from "../azure/expected-durations.js";
import { finish } from "../azure/long-running.js";
import type { TagChanges } from "./record-tags.js";

export async function writeTags(azure: Azure, scope: string, { merged, deleted, deletesFirst }: TagChanges): Promise<void> {
  const { tagsOperations } = await azure.resources();
  const write = (operation: "Merge" | "Delete", tags: TagChanges["merged"]) =>
    finish(azure, expectedDuration("PATCH", "Microsoft.Resources/tags"), (options) =>
      tagsOperations.beginUpdateAtScope(scope, { operation, properties: { tags } }, options),
    );
  const isDeleting = Object.keys(deleted).length > 0;
  if (isDeleting && deletesFirst) await write("Delete", deleted);
  await write("Merge", merged);
  if (isDeleting && !deletesFirst) await write("Delete", deleted);
}
