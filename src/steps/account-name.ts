/** The name of an issuer's storage account if no option gives it. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { defaultAccountName, plainAccountName } from "../domain/issuer.js";
import type { SetPlace } from "../domain/unique-suffix.js";

/**
 * The plain name if the group of the issuer has such an account, because the account's name is part of the issuer's URL. Its step decides
 * whether the set owns it: another issuer beside it would not be trusted by the identities.
 */
export async function accountName(azure: Azure, place: SetPlace): Promise<string> {
  const plain = plainAccountName(place);
  if (plain === undefined) return defaultAccountName(place);
  const { storageAccounts } = await azure.storage();
  const live = await found(storageAccounts.getProperties(place.groupName, plain));
  return live === undefined ? defaultAccountName(place) : plain;
}
