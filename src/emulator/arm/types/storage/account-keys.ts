/** The two keys of a storage account, derived from the key of the state and stored nowhere. */
import type { ArmCall } from "../../resource-type.js";
import { createHmac } from "node:crypto";
import { ApiError, type Answer } from "../../../core/service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { ofResource } from "../../endpoint.js";
import { checkLocks } from "../../locks.js";
import { keyOf } from "../../resource-id.js";
import { accountType, storageVersions } from "./account-body.js";

/** Base64 of 64 bytes, as Azure's. A later account with the same name has other keys. */
export function accountKeys({ tokenKey }: AzureState, { id, createdAt = 0 }: StoredResource): readonly [key1: string, key2: string] {
  const key = (name: string): string =>
    createHmac("sha512", tokenKey)
      .update(`${name} ${keyOf(id)} ${createdAt}`)
      .digest("base64");
  return [key("key1"), key("key2")];
}

/** Answered even if the account accepts none: `allowSharedKeyAccess` is a rule of the data plane. */
export const listKeysEndpoint = ofResource({
  method: "POST",
  type: accountType,
  path: "listKeys",
  versions: storageVersions,
  right: "listkeys/action",
  handle: listKeys,
});

function listKeys(call: ArmCall, found: StoredResource): Answer {
  // A POST counts as a write, as documented for this one: who has a key can write.
  checkLocks(call.state, found.id, "write");
  requireProvisioned(found);
  const creationTime = new Date(found.createdAt ?? 0).toISOString();
  const keys = accountKeys(call.state, found).map((value, index) => ({
    creationTime,
    keyName: `key${index + 1}`,
    value,
    permissions: "FULL",
  }));
  return { status: 200, body: { keys }, takes: call.sample("read") };
}

/** @throws ApiError 409 StorageAccountIsNotProvisioned */
export function requireProvisioned({ properties }: StoredResource): void {
  if (properties["provisioningState"] === "Succeeded") return;
  throw new ApiError(
    409,
    "StorageAccountIsNotProvisioned",
    "The storage account provisioning state must be 'Succeeded' before executing the operation.",
  );
}
