/** A group's deletion: how long it takes, and its end, which deletes the content in any order that references allow, or rolls back. */
import { ApiError } from "../core/service.js";
import type { StoredResource } from "../state/state.js";
import { checkLocks, isLock } from "./locks.js";
import { removeResource, removeTree } from "./removal.js";
import { resourcesByScope } from "./indexes.js";
import { keyOf } from "./resource-id.js";
import type { Moment, OperationError, ResourceType } from "./resource-type.js";

/** Returns ResourceGroupDeletionBlocked, with part of the content deleted, if anything in the group is used from outside or locked. */
export function removeGroup(moment: Moment, group: StoredResource): OperationError | undefined {
  let blocked = sweep(moment, group);
  // Each pass may free what the next one can remove: a NIC before its subnet's network, a link before its zone.
  for (let before = Infinity; blocked.length > 0 && blocked.length < before;) {
    before = blocked.length;
    blocked = sweep(moment, group);
  }
  if (blocked.length === 0) {
    removeTree(moment.state, group.id);
    return undefined;
  }
  group.properties["provisioningState"] = "Succeeded";
  return deletionBlocked(moment, group, blocked);
}

/**
 * Two resources of a kind are deleted in parallel, and so are two kinds: the slowest counts. A network waits for the links of the private
 * zones to it.
 */
export function groupDeletionSeconds(contents: readonly ResourceType["latency"][], sample: (key: string) => number): number {
  const kinds = new Set(contents.flatMap(({ inGroup }) => inGroup ?? []));
  const taken = new Map([...kinds].map((kind) => [kind, sample(`resourceGroup.delete.add.${kind}`)]));
  const secondsOf = (kind = ""): number => taken.get(kind) ?? 0;
  const chains = contents.map(({ inGroup, inGroupAfter }) => secondsOf(inGroup) + secondsOf(inGroupAfter));
  return sample("resourceGroup.delete.base") + Math.max(0, ...chains);
}

interface Blocked {
  readonly id: string;
  readonly error: ApiError;
}

/** Removes all tracked resources of the group that can be deleted now; returns the others with their reasons. */
function sweep(moment: Moment, group: StoredResource): Blocked[] {
  const blocked: Blocked[] = [];
  const content = resourcesByScope.find(moment.state.resources, keyOf(group.id)).filter((one) => isContent(moment, one, group));
  // Deepest first, so that nested resources are deleted before their parents.
  for (const resource of content.sort((a, b) => b.id.split("/").length - a.id.split("/").length)) {
    try {
      checkLocks(moment.state, resource.id, "delete");
      moment.types.of(resource).deletable?.(moment.state, resource);
      removeResource(moment, resource);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      blocked.push({ id: resource.id, error });
    }
  }
  return blocked;
}

function isContent({ types }: Moment, resource: StoredResource, group: StoredResource): boolean {
  if (keyOf(resource.id) === keyOf(group.id) || isLock(resource.type)) return false;
  return types.of(resource).kind === "tracked";
}

function deletionBlocked({ uuid }: Moment, group: StoredResource, blocked: readonly Blocked[]): OperationError {
  const ids = blocked.map(({ id }) => id).join(",");
  return {
    code: "ResourceGroupDeletionBlocked",
    message:
      `Deletion of resource group '${group.name}' failed as resources with identifiers '${ids}' could not be deleted. ` +
      "The provisioning state of the resource group will be rolled back. " +
      `The tracking Id is '${uuid()}'. Please check audit logs for more details.`,
    // The inner error is JSON in a string, as in Azure.
    details: blocked.map(({ id, error: { code, message, details } }) => ({
      Code: null,
      Target: id,
      Message: JSON.stringify({ error: { code, message, details: details ?? [] } }),
    })),
  };
}
