/** Decides about unowned resources with names of the cluster, which a destroy never deletes. */
import type { Azure } from "../azure/azure.js";
import { findUnclaimed, type NamedResource, type NameSearch } from "../azure/named-resources.js";
import { isWithin, sameId } from "../domain/resource-id.js";
import { unclaimedFailure } from "../domain/unclaimed-failure.js";
import { withFlag } from "../errors/advice.js";
import type { Failure } from "../errors/failure.js";
import type { Inventory } from "./inventory.js";
import { foreignRefusal, type RemovalOptions } from "./selection.js";

export interface UnclaimedDecision {
  /** Why nothing may be deleted. */
  readonly refusal?: Failure;
  /** The failure that is reported after the deletions. */
  readonly afterwards?: Failure;
}

const deleteForeign = withFlag(
  "--delete-foreign",
  "or delete this cluster's resource groups with everything in them, if all other owners agree: --delete-foreign",
);

/** Refuses if nothing else is the cluster's, or if the resources are in groups that would be deleted with them. */
export async function decideUnclaimed(
  azure: Azure,
  search: NameSearch,
  inventory: Inventory,
  options: RemovalOptions,
): Promise<UnclaimedDecision> {
  const { groups, kept } = inventory;
  const isForeign = groups.some(({ contents }) => contents.some(({ origin }) => origin === "foreign"));
  // Everything without an owner is then known to be none of the cluster's.
  if (!isForeign && kept.length === 0) return {};
  const { unclaimed, ofOthers } = await findUnclaimed(azure, search);
  const isInOwnGroup = ({ id }: NamedResource) => groups.some((group) => group.ours && !sameId(group.id, id) && isWithin(id, group.id));
  const left = unclaimed.filter((one) => !(options.deleteForeign && isInOwnGroup(one)));
  if (left.length === 0) return {};
  const inOwnGroups = left.every(isInOwnGroup);
  const failure = unclaimedFailure(search, { unclaimed: left, ofOthers }, inOwnGroups ? [deleteForeign] : []);
  const isOwn = groups.some(({ ours, contents }) => ours || contents.some(({ origin }) => origin !== "foreign"));
  const blocks = foreignRefusal(inventory, options) !== undefined && left.some(isInOwnGroup);
  return !isOwn || blocks ? { refusal: failure } : { afterwards: failure };
}
