/** The two keys of a storage account, derived from the key of the state and stored nowhere, and their regeneration. */
import { z } from "zod";
import type { ArmCall } from "../../resource-type.js";
import { createHmac } from "node:crypto";
import { ApiError, type Answer } from "../../../core/service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { readContent } from "../../body-schema.js";
import { ofResource, type Endpoint } from "../../endpoint.js";
import { checkLocks } from "../../locks.js";
import { keyOf } from "../../resource-id.js";
import { accountType, storageVersions } from "./account-body.js";

const keyNames = ["key1", "key2"] as const;
type KeyName = (typeof keyNames)[number];

/** When a key was made again, in epoch milliseconds. */
type Regenerated = Partial<Record<KeyName, number>>;

function madeAt({ createdAt = 0, properties }: StoredResource, name: KeyName): number {
  return (properties["regeneratedKeys"] as Regenerated | undefined)?.[name] ?? createdAt;
}

/** Base64 of 64 bytes, as Azure's. A later account with the same name has other keys. */
export function accountKeys({ tokenKey }: AzureState, account: StoredResource): readonly [key1: string, key2: string] {
  const key = (name: KeyName): string =>
    createHmac("sha512", tokenKey)
      .update(`${name} ${keyOf(account.id)} ${madeAt(account, name)}`)
      .digest("base64");
  return [key("key1"), key("key2")];
}

export function keyCreationTimes(account: StoredResource): Record<KeyName, string> {
  return { key1: new Date(madeAt(account, "key1")).toISOString(), key2: new Date(madeAt(account, "key2")).toISOString() };
}

/** Answered even if the account accepts none: `allowSharedKeyAccess` is a rule of the data plane. */
const listing = ofResource({
  method: "POST",
  type: accountType,
  path: "listKeys",
  versions: storageVersions,
  right: "listkeys/action",
  handle: listKeys,
});

const regeneration = ofResource({
  method: "POST",
  type: accountType,
  path: "regenerateKey",
  versions: storageVersions,
  right: "regeneratekey/action",
  handle(call, account) {
    const { keyName } = readContent(z.strictObject({ keyName: z.enum(keyNames) }), call.request.body, accountType);
    const before = account.properties["regeneratedKeys"] as Regenerated | undefined;
    account.properties["regeneratedKeys"] = { ...before, [keyName]: call.now };
    return listKeys(call, account);
  },
});

export const accountKeyEndpoints: readonly Endpoint[] = [listing, regeneration];

function listKeys(call: ArmCall, found: StoredResource): Answer {
  // A POST counts as a write, as documented for this one: who has a key can write.
  checkLocks(call.state, found.id, "write");
  requireProvisioned(found);
  const times = keyCreationTimes(found);
  const values = accountKeys(call.state, found);
  const keys = keyNames.map((keyName, index) => ({ creationTime: times[keyName], keyName, value: values[index], permissions: "FULL" }));
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
