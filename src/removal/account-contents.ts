/** What others created in an issuer's storage account: it is deleted with all its contents. */
import { isRestError } from "@azure/core-rest-pipeline";
import { namedResponse } from "../azure/arm-responses.js";
import type { Azure } from "../azure/azure.js";
import { azureCodeOf } from "../azure/azure-error.js";
import { found } from "../azure/long-running.js";
import { all } from "../azure/pages.js";
import { containerMark } from "../domain/issuer.js";
import type { IdentitySet } from "../domain/ownership.js";
import { parseResourceId } from "../domain/resource-id.js";
import { tagValue } from "../domain/tags.js";

/** "container demo/data", "file share demo/data". aro-hcp creates one container with its mark, and nothing in the other services. */
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
    if (live && tagValue(live.metadata, containerMark) !== identitySet) foreign.push({ label: "container", name });
  }
  return foreign;
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
