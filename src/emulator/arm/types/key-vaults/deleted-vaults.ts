/** Soft-deleted vaults: listed, recovered by a PUT, purged; until then they keep their names. */
import { ApiError, type Answer } from "../../../core/service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { requireRight } from "../../authorization-check.js";
import { findSubscription } from "../../scopes.js";
import type { Endpoint, Parameters } from "../../endpoint.js";
import { firstHeaders, operationOn, start } from "../../operations.js";
import { page } from "../../paging.js";
import { resourceNamed, resourcesWithin } from "../../indexes.js";
import { keyOf, nameOf } from "../../resource-id.js";
import { type ArmCall, defineType } from "../../resource-type.js";
import { type LongRunning } from "../../long-running.js";
import { sameId } from "../../uses.js";
import { deprecation, isPurgeProtected, retentionDaysOf, vaultVersions } from "./provider.js";
import { logOperation } from "../../../state/operation-log.js";

const storedType = "Microsoft.KeyVault/locations/deletedVaults";
const day = 24 * 3600 * 1000;

const purging: LongRunning = {
  operation: "PurgeDeletedVault",
  answers: "accepted",
  headers: ["location"],
  retryAfter: 5,
  pollRetryAfter: [5],
  at: { under: "location", status: "operationResults", result: "operationResults", runningStatus: 202, reportsDeletion: true },
};

/** Stored as a resource, so that its purge is an ordinary operation. It has no routes of the usual form. */
export const deletedVaults = defineType({
  name: storedType,
  apiVersions: vaultVersions,
  verbs: [],
  kind: "proxy",
  namePattern: /./,
  nameRule: "",
  latency: { put: "keyVault.delete", delete: "keyVault.purge" },
  delete: purging,
  removeAtEnd: ({ state }, deleted) => {
    delete state.resources[keyOf(deleted.id)];
    delete state.vaults?.[keyOf(deleted.name)];
    return undefined;
  },
});

/** A vault as it was when it was deleted. */
interface AsItWas {
  readonly vault: StoredResource;
  readonly keys: readonly StoredResource[];
}

/** `properties` are as answered; the original vault is stored with them. */
export function keepDeleted(state: AzureState, { vault, keys }: AsItWas, subscriptionId: string, now: number): void {
  const location = vault.location ?? "";
  const id = `/subscriptions/${subscriptionId}/providers/Microsoft.KeyVault/locations/${location}/deletedVaults/${vault.name}`;
  const days = retentionDaysOf(vault.properties);
  state.resources[keyOf(id)] = {
    id,
    name: vault.name,
    type: storedType,
    location,
    properties: {
      vaultId: vault.id,
      location,
      tags: vault.tags ?? {},
      deletionDate: new Date(now).toISOString(),
      scheduledPurgeDate: new Date(now + days * day).toISOString(),
      ...(isPurgeProtected(vault.properties) && { purgeProtectionEnabled: true }),
    },
    beside: { vault, keys },
  };
}

export function deletedVaultNamed(state: AzureState, name: string): StoredResource | undefined {
  return resourceNamed(state, storedType, name);
}

/** The deleted vault with this ID, as it was. */
export function recoverable(state: AzureState, vaultId: string): AsItWas | undefined {
  const deleted = deletedVaultNamed(state, nameOf(vaultId));
  const isSame = deleted !== undefined && sameId(String(deleted.properties["vaultId"]), vaultId);
  return isSame && operationOn(state, deleted.id) === undefined ? (deleted.beside as AsItWas | undefined) : undefined;
}

const collection = "/subscriptions/{subscriptionId}/providers/Microsoft.KeyVault";
const single = `${collection}/locations/{location}/deletedVaults/{name}`;
const versions = vaultVersions;

export const deletedVaultEndpoints: readonly Endpoint[] = [
  { method: "GET", path: `${collection}/deletedVaults`, versions, handle: list },
  { method: "GET", path: single, versions, handle: get },
  { method: "POST", path: `${single}/purge`, versions, handle: purge },
];

function list(call: ArmCall, { subscriptionId = "" }: Parameters): Answer {
  findSubscription(call, subscriptionId);
  const scope = `/subscriptions/${subscriptionId}`;
  requireRight(call, "Microsoft.KeyVault/deletedVaults/read", scope);
  const found = resourcesWithin(call.state, scope, storedType);
  return deprecated(call, page(call, found, present, true));
}

function get(call: ArmCall, parameters: Parameters): Answer {
  requireRight(call, "Microsoft.KeyVault/locations/deletedVaults/read", `/subscriptions/${parameters["subscriptionId"] ?? ""}`);
  return deprecated(call, { status: 200, body: present(find(call, parameters)), takes: call.sample("read") });
}

function purge(call: ArmCall, parameters: Parameters): Answer {
  requireRight(call, `${storedType}/purge/action`, `/subscriptions/${parameters["subscriptionId"] ?? ""}`);
  const deleted = find(call, parameters);
  const running = operationOn(call.state, deleted.id);
  if (running !== undefined) return { status: 202, headers: firstHeaders(call.state, running, purging), takes: call.sample("read") };
  if (deleted.properties["purgeProtectionEnabled"] === true) {
    throw new ApiError(405, "MethodNotAllowed", "Operation 'DeletedVaultPurge' is not allowed.");
  }
  const seconds = call.sample("keyVault.purge");
  logOperation(call.state, { resource: deleted.id, verb: "POST", seconds });
  const { headers } = start(call, purging, "delete", deleted, seconds);
  return deprecated(call, { status: 202, headers, takes: call.sample("read") });
}

function find(call: ArmCall, { subscriptionId = "", location = "", name = "" }: Parameters): StoredResource {
  findSubscription(call, subscriptionId);
  const id = `/subscriptions/${subscriptionId}/providers/Microsoft.KeyVault/locations/${location}/deletedVaults/${name}`;
  const deleted = call.state.resources[keyOf(id)];
  if (deleted !== undefined) return deleted;
  throw new ApiError(
    404,
    "DeletedVaultNotFound",
    `The specified deleted vault '${name}' does not exist. Ensure that the vault was indeed deleted and that it is in recoverable state. ` +
      "If soft delete was not enabled then the vault is permanently deleted. Follow this link for more information: https://go.microsoft.com/fwlink/?linkid=2149745",
  );
}

function present({ id, name, properties }: StoredResource): Record<string, unknown> {
  return { id, name, type: "Microsoft.KeyVault/deletedVaults", properties };
}

function deprecated(call: ArmCall, answer: Answer): Answer {
  return { ...answer, headers: { ...deprecation(call.request.query.get("api-version") ?? ""), ...answer.headers } };
}
