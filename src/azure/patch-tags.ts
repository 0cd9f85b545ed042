/** Writes tags with the Tags API, which keeps all other tags: a PUT or PATCH of a resource replaces those of others. */
import type { Azure } from "./azure.js";
import { expectedDuration } from "./expected-durations.js";
import { finish } from "./long-running.js";

/** `scope`: the ID of a resource or a resource group. "Delete" deletes tags with these names and values. */
export async function patchTags(
  azure: Azure,
  scope: string,
  operation: "Merge" | "Delete",
  tags: Readonly<Record<string, string>>,
): Promise<void> {
  const { tagsOperations } = await azure.resources();
  await finish(azure, expectedDuration("PATCH", "Microsoft.Resources/tags"), (options) =>
    tagsOperations.beginUpdateAtScope(scope, { operation, properties: { tags: { ...tags } } }, options),
  );
}
