/** What others created in an issuer's storage account: it is deleted with all its contents. */
import { isRestError } from "@azure/core-rest-pipeline";
import { namedResponse } from "../azure/arm-responses.js";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { containerMark, issuerUrl } from "../domain/issuer.js";
import type { IdentitySet } from "../domain/ownership.js";
import { parseResourceId } from "../domain/resource-id.js";
import { tagValue } from "../domain/tags.js";
import { discoveryPath, keySetPath } from "../oidc/documents.js";

/**
 * "container demo/data", "blob demo/demo/other.json", "file share demo/data". aro-hcp creates one container with its mark for the two documents of the
 * issuer, and nothing in the other services. Without a role to list blobs, those in its own container are taken for these two.
 */
export async function foreignContents(azure: Azure, { identitySet }: IdentitySet, accountId: string): Promise<string[]> {
  const lists = await Promise.all([
    foreignContainers(azure, identitySet, accountId),
    ...services.map(async ({ label, path }) => (await namesIn(azure, `${accountId}/${path}`)).map((name) => ({ label, name }))),
  ]);
  const { name: account } = parseResourceId(accountId);
  return lists.flat().map(({ label, name }) => `${label} ${account}/${name}`);
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

async function foreignContainers(azure: Azure, identitySet: string, accountId: string): Promise<Item[]> {
  const { name: account, resourceGroup: group = "" } = parseResourceId(accountId);
  const { blobContainers } = await azure.storage();
  const foreign: Item[] = [];
  for (const { name = "" } of (await found(all(blobContainers.list(group, account)))) ?? []) {
    const live = await found(blobContainers.get(group, account, name));
    if (!live) continue;
    if (tagValue(live.metadata, containerMark) !== identitySet) foreign.push({ label: "container", name });
    else foreign.push(...(await foreignBlobs(azure, { group, account, container: name })));
  }
  return foreign;
}

const documents: readonly string[] = [discoveryPath, keySetPath];

async function foreignBlobs(
  azure: Azure,
  { group, account, container }: { readonly group: string; readonly account: string; readonly container: string },
): Promise<Item[]> {
  const { blobSuffix } = azure.connection.cloud;
  try {
    const names = await (await azure.blobs()).list(issuerUrl(blobSuffix, { account, container }));
    return (names ?? []).filter((name) => !documents.includes(name)).map((name) => ({ label: "blob", name: `${container}/${name}` }));
  } catch (error) {
    // The hostname of an account that another run deleted no longer resolves.
    if (await found((await azure.storage()).storageAccounts.getProperties(group, account))) throw error;
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
