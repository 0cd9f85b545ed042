/** What a command says if there is no such connected cluster. */
import type { Azure } from "../../azure/azure.js";
import { arcTag, ownedBy } from "../../domain/ownership.js";
import { sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { noSuchOwner } from "../../removal/nothing-found.js";
import { sameText } from "../../text/same-text.js";
import { type ConnectedClusterPlace } from "../domain/names.js";

export function noSuchConnectedCluster(azure: Azure, { name, groupName }: ConnectedClusterPlace): Promise<string> {
  const { type: clusterType } = resourceTypes.connectedCluster;
  return noSuchOwner(azure, {
    what: "connected cluster",
    plural: "connected clusters",
    tag: arcTag,
    name,
    groupName,
    flag: "--resource-group-name",
    isIts: ({ type = "", tags, ...one }) =>
      sameType(type, clusterType) && ownedBy(tags, { arc: name }) === "ours" && sameText(one.name, name),
  });
}
