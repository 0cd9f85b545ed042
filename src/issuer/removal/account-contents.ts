/** What is in an issuer's storage account, which is deleted with it: signing keys, and what others created. */
import { isRestError } from "@azure/core-rest-pipeline";
import { namedResponse } from "../../azure/arm-responses.js";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { containerMark, issuerUrl } from "../../domain/issuer.js";
import type { IdentitySet } from "../../domain/ownership.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { tagValue } from "../../domain/tags.js";
import { discoveryPath, keysIn, keySetPath } from "../../oidc/documents.js";

export interface AccountContents {
  /** "container demo/data", "blob demo/demo/other.json", "file share demo/data". */
  readonly foreign: readonly string[];
  /** The IDs of the published signing keys. Nothing shows who published one: a new key of this issuer looks the same as that of another publisher. */
  readonly kids: readonly string[];
}

/**
 * aro-hcp creates one container with its mark for the two documents of the issuer, and nothing in the other services. Without a role to list
 * blobs, those in its own container are taken for these two.
 */
export async function accountContents(azure: Azure, { identitySet }: IdentitySet, accountId: string): Promise<AccountContents> {
  const [containers, ...others] = await Promise.all([
    containerContents(azure, identitySet, accountId),
    ...services.map(async ({ label, path }) => (await namesIn(azure, `${accountId}/${path}`)).map((name) => ({ label, name }))),
  ]);
  const { name: account } = parseResourceId(accountId);
  return {
    foreign: [...containers.foreign, ...others.flat()].map(({ label, name }) => `${label} ${account}/${name}`),
    kids: containers.kids,
  };
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

interface Containers {
  readonly foreign: readonly Item[];
  readonly kids: readonly string[];
}

async function containerContents(azure: Azure, identitySet: string, accountId: string): Promise<Containers> {
  const { name: account, resourceGroup: group = "" } = parseResourceId(accountId);
  const { blobContainers } = await azure.storage();
  const foreign: Item[] = [];
  const kids: string[] = [];
  for (const { name = "" } of (await found(all(blobContainers.list(group, account)))) ?? []) {
    const live = await found(blobContainers.get(group, account, name));
    if (!live) continue;
    if (tagValue(live.metadata, containerMark) !== identitySet) foreign.push({ label: "container", name });
    else {
      const own = await ownContainer(azure, { group, account, container: name });
      foreign.push(...own.foreign);
      kids.push(...own.kids);
    }
  }
  return { foreign, kids };
}

const documents: readonly string[] = [discoveryPath, keySetPath];

async function ownContainer(
  azure: Azure,
  { group, account, container }: { readonly group: string; readonly account: string; readonly container: string },
): Promise<Containers> {
  const url = issuerUrl(azure.connection.cloud.blobSuffix, { account, container });
  try {
    const [names, kids] = await Promise.all([(await azure.blobs()).list(url), publishedKids(azure, url)]);
    const others = (names ?? []).filter((name) => !documents.includes(name));
    return { foreign: others.map((name) => ({ label: "blob", name: `${container}/${name}` })), kids };
  } catch (error) {
    // The hostname of an account that another run deleted no longer resolves.
    if (await found((await azure.storage()).storageAccounts.getProperties(group, account))) throw error;
    return { foreign: [], kids: [] };
  }
}

/** Serves only the plan, so keys that cannot be read do not prevent a destroy. */
async function publishedKids(azure: Azure, issuer: string): Promise<readonly string[]> {
  try {
    const { status, body } = await azure.published(`${issuer}/${keySetPath}`, { brief: true });
    return status === 200 ? (keysIn(body) ?? []).map(({ kid }) => kid) : [];
  } catch {
    azure.connection.signal.throwIfAborted();
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
