/** What is in a resource group, listed so that nothing in it is overlooked: the group may be deleted for being empty. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { Failure } from "../errors/failure.js";
import { distinct } from "./distinct.js";

/** A 404 is taken for "nothing" only where the group itself is gone, too: a region may not have heard of it yet. */
export async function listContents(azure: Azure, group: string): Promise<GenericResourceExpanded[]> {
  const { resources, resourceGroups } = await azure.resources();
  const list = async () => distinct(await all(resources.listByResourceGroup(group)));
  const listed = await found(list());
  if (listed || !(await found(resourceGroups.get(group)))) return listed ?? [];
  return list();
}

export function givenMeanwhile(group: string, newcomers: readonly string[]): Failure {
  return new Failure("ARO-OWN-004", `resource group "${group}" was given something new while it was being emptied`, {
    because: newcomers.join(", "),
    next: ["run the same command again: it is looked at anew"],
  });
}
