/** Names of storage accounts: globally unique; checks whether one is free. */
import { ApiError } from "../../../core/service.js";
import type { StoredResource, AzureState } from "../../../state/state.js";
import { nameAvailability } from "../../name-availability.js";
import { placeOf, resourceNamed, resourcesByPlace } from "../../indexes.js";
import { groupOf, keyOf } from "../../resource-id.js";
import { sameId } from "../../uses.js";
import { accountType, storageVersions } from "./account-body.js";

const pattern = /^[a-z0-9]{3,24}$/;
const invalid = (name: string): string =>
  `${name} is not a valid storage account name. Storage account name must be between 3 and 24 characters in length and use numbers and lower-case letters only.`;
const taken = (name: string): string => `The storage account named ${name} is already taken.`;

export function accountNamed(state: AzureState, name: string): StoredResource | undefined {
  return resourceNamed(state, accountType, name);
}

/** The limit in a region of a subscription. */
export function accountLimitOf({ knobs }: AzureState): number {
  return knobs?.storageAccountLimit ?? 250;
}

/** @throws ApiError MaxStorageAccountsCountPerSubscriptionExceeded */
export function checkAccountCount(state: AzureState, id: string, location: string): void {
  const subscription = id.split("/")[2] ?? "";
  const limit = accountLimitOf(state);
  const there = resourcesByPlace.count(state.resources, placeOf(id, accountType, location));
  if (there < limit || state.resources[keyOf(id)]?.location === location) return;
  throw new ApiError(
    409,
    "MaxStorageAccountsCountPerSubscriptionExceeded",
    `Subscription ${subscription} already contains ${String(there)} storage accounts in location ${location} and the maximum allowed is ${String(limit)}.`,
  );
}

function takenElsewhere(state: AzureState, name: string): boolean {
  return state.knobs?.takenStorageNames?.includes(name) ?? false;
}

/** @throws ApiError AccountNameInvalid, StorageAccountAlreadyTaken, StorageAccountInAnotherResourceGroup */
export function checkAccountName(state: AzureState, id: string, name: string): void {
  if (!pattern.test(name)) throw new ApiError(400, "AccountNameInvalid", invalid(name));
  if (takenElsewhere(state, name)) throw new ApiError(409, "StorageAccountAlreadyTaken", taken(name));
  const holder = accountNamed(state, name);
  if (holder === undefined || sameId(holder.id, id)) return;
  if (sameId(groupOf(holder.id)?.split("/")[2] ?? "", id.split("/")[2] ?? "")) {
    throw new ApiError(
      409,
      "StorageAccountInAnotherResourceGroup",
      `The account ${name} is already in another resource group in this subscription.`,
    );
  }
  throw new ApiError(409, "StorageAccountAlreadyTaken", taken(name));
}

export const accountNameEndpoint = nameAvailability(accountType, storageVersions, (state, name) => {
  if (!pattern.test(name)) return { reason: "AccountNameInvalid", message: invalid(name) };
  if (accountNamed(state, name) === undefined && !takenElsewhere(state, name)) return undefined;
  return { reason: "AlreadyExists", message: taken(name) };
});
