/** The name of an issuer's storage account if no option gives it. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { defaultAccountName, plainAccountName } from "../../domain/issuer.js";
import type { SetPlace } from "../../domain/unique-suffix.js";

/**
 * The earlier plain name, if the issuer's group has that account: the account's name is part of the issuer's URL, and the identities trust
 * that URL. The step of the account decides whether the set owns it.
 */
export async function accountName(azure: Azure, place: SetPlace): Promise<string> {
  const plain = plainAccountName(place);
  if (plain === undefined) return defaultAccountName(place);
  const { storageAccounts } = await azure.storage();
  const live = await found(storageAccounts.getProperties(place.groupName, plain));
  return live === undefined ? defaultAccountName(place) : plain;
}
