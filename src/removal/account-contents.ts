/** What others created in an issuer's storage account: it is deleted with all its contents. */
import { isRestError } from "@azure/core-rest-pipeline";
import { namedResponse } from "../azure/arm-responses.js";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import type { BlobStore } from "../azure/blob-store.js";
import { orRefused } from "../azure/or-refused.js";
import { containerMark, issuerUrl } from "../domain/issuer.js";
import type { IdentitySet } from "../domain/ownership.js";
import { isWithin, parseResourceId } from "../domain/resource-id.js";
import { tagValue } from "../domain/tags.js";
import { discoveryPath, keysIn, keySetPath } from "../oidc/documents.js";
import { isProven } from "./aks-assignments.js";

export interface AccountContents {
  /** "container demo/data", "blob demo/demo/backup.tar", "file share demo/data". */
  readonly foreign: readonly string[];
  /** The IDs of the signing keys that the issuer publishes. Nothing shows who published a key, so they are all the issuer's. */
  readonly kids: readonly string[];
}

/** aro-hcp creates one container with its mark and the two documents of the issuer in it, and nothing in the other services. */
export async function accountContents(azure: Azure, { identitySet }: IdentitySet, accountId: string): Promise<AccountContents> {
  const [containers, ...others] = await Promise.all([
    containersIn(azure, identitySet, accountId),
    ...services.map(async ({ label, path }) => (await namesIn(azure, `${accountId}/${path}`)).map((name) => ({ label, name }))),
  ]);
  const own = containers.filter(({ isOurs }) => isOurs);
  const [blobs, kids] = await Promise.all([
    Promise.all(own.map(({ name }) => foreignBlobs(azure, accountId, name))),
    Promise.all(own.map(({ name }) => publishedKids(azure, accountId, name))),
  ]);
  const foreign = containers.filter(({ isOurs }) => !isOurs).map(({ name }) => ({ label: "container", name }));
  const { name: account } = parseResourceId(accountId);
  const items = [...foreign, ...blobs.flat(), ...others.flat()];
  return { foreign: items.map(({ label, name }) => `${label} ${account}/${name}`), kids: kids.flat() };
}

/** https://learn.microsoft.com/rest/api/storagerp: the operations "List" of file shares, queues and tables. */
const services = [
  { label: "file share", path: "fileServices/default/shares" },
  { label: "queue", path: "queueServices/default/queues" },
  { label: "table", path: "tableServices/default/tables" },
] as const;

interface Item {
  readonly label: string;
  readonly name: string;
}

async function containersIn(azure: Azure, identitySet: string, accountId: string) {
  const { name: account, resourceGroup: group = "" } = parseResourceId(accountId);
  const { blobContainers } = await azure.storage();
  const containers: { readonly name: string; readonly isOurs: boolean }[] = [];
  for (const { name = "" } of (await found(all(blobContainers.list(group, account)))) ?? []) {
    const live = await found(blobContainers.get(group, account, name));
    if (live) containers.push({ name, isOurs: tagValue(live.metadata, containerMark) === identitySet });
  }
  return containers;
}

const ownBlobs: readonly string[] = [discoveryPath, keySetPath];

/** Of a container with many blobs, the first names are enough. */
const mostBlobs = 20;

/** The blobs in the issuer's own container that it does not publish. */
async function foreignBlobs(azure: Azure, accountId: string, container: string): Promise<Item[]> {
  const list = async (store: BlobStore): Promise<Item[]> => {
    const names: string[] = [];
    for await (const name of store.list(containerUrl(azure, accountId, container))) {
      if (ownBlobs.includes(name)) continue;
      if (names.push(name) > mostBlobs) break;
    }
    const blobs = names.slice(0, mostBlobs).map((name) => ({ label: "blob", name: `${container}/${name}` }));
    return names.length > mostBlobs ? [...blobs, { label: "further blobs in container", name: container }] : blobs;
  };
  const unlisted = [{ label: "blobs that you are not allowed to list, in container", name: container }];
  return unlessDeleted(azure, accountId, async () => {
    const byRole = await orDenied(async () => list(await azure.blobs()));
    if (byRole) return byRole;
    const { name: account, resourceGroup: group = "" } = parseResourceId(accountId);
    const { storageAccounts } = await azure.storage();
    const { allowSharedKeyAccess } = await storageAccounts.getProperties(group, account);
    // An earlier destroy may have deleted the caller's role. Without keys, only those with a role on the account could write to it.
    if (allowSharedKeyAccess === false) return (await hasOtherRoles(azure, accountId)) ? unlisted : [];
    const value = (await orRefused(storageAccounts.listKeys(group, account)))?.keys?.[0]?.value;
    const byKey = value === undefined ? undefined : await orDenied(async () => list(await azure.blobs({ account, value })));
    return byKey ?? unlisted;
  });
}

/** Whether others assigned roles on the account or in it. */
async function hasOtherRoles(azure: Azure, accountId: string): Promise<boolean> {
  const { roleAssignments } = await azure.authorization();
  const assigned = await all(roleAssignments.listForScope(accountId));
  return assigned.some((one) => isWithin(one.scope ?? "", accountId) && !isProven(one));
}

async function publishedKids(azure: Azure, accountId: string, container: string): Promise<string[]> {
  return unlessDeleted(azure, accountId, async () => {
    const { status, body } = await azure.published(`${containerUrl(azure, accountId, container)}/${keySetPath}`);
    return status === 200 ? (keysIn(body) ?? []).map(({ kid }) => kid) : [];
  });
}

function containerUrl(azure: Azure, accountId: string, container: string): string {
  return issuerUrl(azure.connection.cloud.blobSuffix, { account: parseResourceId(accountId).name, container });
}

/** The errors of an account that does not allow a caller to read its blobs: because of roles, its network or its keys. */
const deniedCodes = new Set(["AuthorizationPermissionMismatch", "AuthorizationFailure", "KeyBasedAuthenticationNotPermitted"]);

async function orDenied<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!deniedCodes.has(azureCodeOf(error) ?? "")) throw error;
    return undefined;
  }
}

/** The hostname of an account that another run deleted no longer resolves. */
async function unlessDeleted<T>(azure: Azure, accountId: string, read: () => Promise<T[]>): Promise<T[]> {
  try {
    return (await found(read())) ?? [];
  } catch (error) {
    const { name: account, resourceGroup: group = "" } = parseResourceId(accountId);
    const { storageAccounts } = await azure.storage();
    if (await found(storageAccounts.getProperties(group, account))) throw error;
    return [];
  }
}

async function namesIn(azure: Azure, path: string): Promise<string[]> {
  const manager = await azure.manager();
  try {
    const listed = await found(manager.list(path, "2025-01-01", namedResponse));
    return (listed ?? []).map(({ name }) => name);
  } catch (error) {
    // An account of another kind does not have the service.
    if (isRestError(error) && azureCodeOf(error) === "FeatureNotSupportedForAccount") return [];
    throw error;
  }
}
