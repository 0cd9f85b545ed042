/** Uploads with a key of the issuer's storage account, which accepts its keys only until the upload ends. */
import { isRestError } from "@azure/core-rest-pipeline";
import { abortedLater, closingMs } from "../../azure/aborted-later.js";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import type { BlobStore } from "../../azure/blob-store.js";
import type { IssuerSpec } from "../../domain/issuer.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { advise, rerun, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { Stale } from "../../errors/stale.js";

type Account = Pick<IssuerSpec, "group" | "account">;

/**
 * @throws ARO-OIDC-007 if the account may still accept its keys
 * @throws Stale if another command turned them off before the upload ended
 */
export async function withAccountKey(azure: Azure, place: Account, upload: (blobs: BlobStore) => Promise<void>): Promise<void> {
  const { group, account } = place;
  const { storageAccounts } = await azure.storage();
  const { keys = [] } = await storageAccounts.listKeys(group, account);
  const value = keys[0]?.value;
  if (value === undefined) throw new Failure("ARO-NET-003", `the response has no key of ${titled(account)}`);
  await acceptKeys(azure, place);
  try {
    await upload(await azure.blobs({ account, value }));
  } catch (error) {
    if (azureCodeOf(error) !== "KeyBasedAuthenticationNotPermitted") throw error;
    throw new Stale("another command turned its keys off", { cause: error });
  } finally {
    await refuseKeys(azure, place);
  }
}

async function acceptKeys(azure: Azure, place: Account): Promise<void> {
  const { group, account } = place;
  const { storageAccounts } = await azure.storage();
  try {
    const { allowSharedKeyAccess } = await storageAccounts.update(group, account, { allowSharedKeyAccess: true });
    if (allowSharedKeyAccess !== false) return;
  } catch (error) {
    if (!isRefused(error) || (await acceptsKeys(azure, place))) await refuseKeys(azure, place);
    throw error;
  }
  throw new Failure("ARO-SUB-005", `${titled(account)} cannot be set to accept its keys`, {
    because: "a policy keeps allowSharedKeyAccess at false",
    next: ["rerun the command without --issuer-upload account-key"],
  });
}

/** A request without a response may have taken effect. */
function isRefused(error: unknown): boolean {
  return isRestError(error) && error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500;
}

/** A request that was refused may have been sent before, and have taken effect without a response. */
async function acceptsKeys(azure: Azure, { group, account }: Account): Promise<boolean> {
  const { storageAccounts } = await azure.storage();
  try {
    const { allowSharedKeyAccess } = await storageAccounts.getProperties(group, account);
    return allowSharedKeyAccess !== false;
  } catch {
    return true;
  }
}

async function refuseKeys(azure: Azure, { group, account }: Account): Promise<void> {
  const { storageAccounts } = await azure.storage();
  // A signal of its own: that of the step has aborted if the command is stopped.
  const { clock, current } = azure.connection;
  const closing = abortedLater(clock, current()?.signal, closingMs);
  try {
    await storageAccounts.update(group, account, { allowSharedKeyAccess: false }, { abortSignal: closing.signal });
  } catch (error) {
    throw new Failure("ARO-OIDC-007", `${titled(account)} may still accept its keys`, {
      because: error instanceof Error ? error.message : String(error),
      next: [advise`${rerun}, or turn the keys off: ${shell`az storage account update --name ${account} --allow-shared-key-access false`}`],
      cause: error,
    });
  } finally {
    closing.end();
  }
}

function titled(account: string): string {
  return quotedTitleOf(resourceTypes.storageAccount, account);
}
