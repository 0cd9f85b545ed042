/** Lists the contents of a resource group completely, because an empty group may be deleted. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { Failure } from "../errors/failure.js";
import { distinct } from "./distinct.js";

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

export function gotNewResources(group: string, newResources: readonly string[]): Failure {
  return new Failure("ARO-OWN-004", `resource group "${group}" got new resources during the destroy`, {
    because: newResources.join(", "),
    next: ["rerun the command"],
  });
}
