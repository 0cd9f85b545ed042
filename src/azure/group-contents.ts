/** Lists the contents of a resource group completely: an empty group may be deleted, and its contents show whose it is. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "./azure.js";
import { distinct } from "./distinct.js";
import { found } from "./long-running.js";
import { all } from "./pages.js";

/**
 * A 404 counts as empty only if the group itself does not exist: a region may not know a new group yet.
 * `live` reads the group; pass it to share the read.
 */
export async function listContents(azure: Azure, group: string, live = readGroup): Promise<GenericResourceExpanded[]> {
  const { resources } = await azure.resources();
  const list = async () => distinct(await all(resources.listByResourceGroup(group)));
  const listed = await found(list());
  if (listed || !(await live(azure, group))) return listed ?? [];
  return list();
}

/** Undefined if it does not exist. */
export async function readGroup(azure: Azure, group: string): Promise<ResourceGroup | undefined> {
  const { resourceGroups } = await azure.resources();
  return found(resourceGroups.get(group));
}
