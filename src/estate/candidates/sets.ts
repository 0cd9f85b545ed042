/** Whether an identity set is gone: as a whole, or except for its empty resource group. */
import { namedApplication } from "../../domain/identity-names.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import { isType } from "../domain/estate.js";
import type { Evidence } from "../reading/evidence.js";
import { unreadIn } from "./objections.js";

interface SetPlace {
  readonly subscriptionId: string;
  readonly groupName: string;
  readonly name: string;
}

/** Its group is not there, in a subscription that was read as a whole. */
export function isSetGone(evidence: Evidence, { subscriptionId, groupName }: Omit<SetPlace, "name">): boolean {
  if (!isReadable(evidence, subscriptionId)) return false;
  return !inGroup(evidence, subscriptionId, groupName).some(() => true);
}

/** Nothing is in its group, if that is there, and no application is the set's: whoever wants it back creates it again. */
export function isSetEmpty(evidence: Evidence, set: SetPlace): boolean {
  if (!isReadable(evidence, set.subscriptionId)) return false;
  const contents = inGroup(evidence, set.subscriptionId, set.groupName).filter((entry) => !isType(entry, resourceTypes.resourceGroup));
  return contents.length === 0 && hasApplications(evidence, set) === false;
}

/** Undefined if the directory could not be read. */
export function hasApplications({ applications }: Evidence, { subscriptionId, groupName, name }: SetPlace): boolean | undefined {
  return applications?.some(({ uniqueName }) => {
    const set = namedApplication(uniqueName ?? "")?.set;
    return (
      set !== undefined && sameText(set.subscriptionId, subscriptionId) && sameText(set.groupName, groupName) && sameText(set.name, name)
    );
  });
}

function isReadable(evidence: Evidence, subscriptionId: string): boolean {
  return evidence.subscription(subscriptionId) !== undefined && unreadIn(evidence, subscriptionId).length === 0;
}

function inGroup({ estate }: Evidence, subscriptionId: string, groupName: string) {
  return estate.entries.filter((entry) => sameText(entry.subscriptionId, subscriptionId) && sameText(entry.group, groupName));
}
