/** What is in a resource group, listed so that nothing in it is overlooked: the group may be deleted for being empty. */
import type { GenericResourceExpanded, ResourceGroup } from "@azure/arm-resources";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { Failure } from "../errors/failure.js";
import { distinct } from "./distinct.js";

/**
 * A 404 is taken for "nothing" only where the group itself is gone, too: a region may not have heard of it yet.
 * `live` reads the group, where somebody else asks for it, too.
 */
export async function listContents(azure: Azure, group: string, live = readGroup): Promise<GenericResourceExpanded[]> {
  const { resources } = await azure.resources();
  const list = async () => distinct(await all(resources.listByResourceGroup(group)));
  const listed = await found(list());
  if (listed || !(await live(azure, group))) return listed ?? [];
  return list();
}

/** Undefined where it is not there. */
export async function readGroup(azure: Azure, group: string): Promise<ResourceGroup | undefined> {
  const { resourceGroups } = await azure.resources();
  return found(resourceGroups.get(group));
}

export function givenMeanwhile(group: string, newcomers: readonly string[]): Failure {
  return new Failure("ARO-OWN-004", `resource group "${group}" was given something new while it was being emptied`, {
    because: newcomers.join(", "),
    next: ["rerun the command: it reads the group again"],
  });
}
