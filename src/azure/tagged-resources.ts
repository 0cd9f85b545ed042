/** Lists the resources of the subscription that have a tag with a value. */
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { idKey, parseResourceId } from "../domain/resource-id.js";
import type { Azure } from "./azure.js";
import { found } from "./long-running.js";
import { orRefused } from "./or-refused.js";
import { all } from "./pages.js";

/** Azure omits all tags of resources that it filters by a tag's value, so they are read again with the lists of their groups. */
export async function resourcesWithTag(azure: Azure, tag: string, value: string): Promise<GenericResourceExpanded[]> {
  return withTags(azure, await listWithTag(azure, tag, value));
}

/** The listed resources have no tags. */
export async function listWithTag(azure: Azure, tag: string, value: string): Promise<GenericResourceExpanded[]> {
  const { resources } = await azure.resources();
  return all(resources.list({ filter: `tagName eq '${tag}' and tagValue eq '${value}'` }));
}

/** The same resources with their tags. `contentsOf` lists a group; pass it to share the read. */
export async function withTags(
  azure: Azure,
  listed: readonly GenericResourceExpanded[],
  contentsOf?: (group: string) => Promise<readonly GenericResourceExpanded[]>,
): Promise<GenericResourceExpanded[]> {
  const { resources } = await azure.resources();
  const list = contentsOf ?? ((group: string) => all(resources.listByResourceGroup(group)));
  const groups = listed.flatMap(({ id = "", tags }) => (tags === undefined ? (parseResourceId(id).resourceGroup ?? []) : []));
  // A group that cannot be listed, or is gone by now, leaves its resources without tags: nobody owns them then.
  const contents = await Promise.all(
    [...new Set(groups.map((group) => group.toLowerCase()))].map((group) => orRefused(found(list(group)).then((held) => held ?? []))),
  );
  const tagged = new Map(contents.flatMap((held = []) => held.map((one) => [idKey(one.id ?? ""), one] as const)));
  return listed.map((one) => tagged.get(idKey(one.id ?? "")) ?? one);
}
