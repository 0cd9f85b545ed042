/** The generic DELETE: refused if locked or in use, safe to repeat, ended by the clock if the type's delete is long-running. */
import type { Answer } from "../core/service.js";
import type { StoredResource } from "../state/state.js";
import { notEmulated } from "./errors.js";
import { checkLocks } from "./locks.js";
import { firstHeaders, operationOn, start, takeLock } from "./operations.js";
import { checkIfMatch } from "./put.js";
import { removeResource } from "./removal.js";
import type { ArmCall, ResourceType } from "./resource-type.js";
import { logOperation } from "../state/operation-log.js";

export function deleteResource(call: ArmCall, type: ResourceType, resource: StoredResource): Answer {
  if (!type.verbs.includes("delete")) throw notEmulated("DELETE", call.request.path);
  const { state } = call;
  const { id } = resource;
  const running = operationOn(state, id);
  if (running?.kind === "delete" && type.delete !== undefined) {
    return { status: 202, headers: firstHeaders(state, running, type.delete), takes: call.sample("read") };
  }
  checkLocks(state, id, "delete");
  checkIfMatch(call, type, id, resource);
  type.deletable?.(state, resource);
  if (type.delete !== undefined) takeLock(call, type, id, type.delete);
  const seconds = type.deleteTakes?.(call, resource) ?? call.sample(type.latency.delete);
  if (type.delete === undefined) type.lasts?.(call, id, seconds);
  logOperation(state, { resource: id, verb: "DELETE", seconds });
  if (type.delete === undefined) {
    removeResource(call, resource);
    return { status: type.deletedStatus ?? 200, takes: seconds };
  }
  if ("provisioningState" in resource.properties) resource.properties["provisioningState"] = "Deleting";
  const ended = type.deleteEnded?.(call, seconds) === true;
  const { headers } = start(call, type.delete, "delete", resource, ended ? "none" : seconds);
  if (!ended) return { status: 202, headers, takes: call.sample("read") };
  removeResource(call, resource);
  return { status: 200, headers, takes: seconds };
}
