/** Which managed identities trust which issuer, in all subscriptions that the caller can see. */
import { listedSubscription } from "./arm-responses.js";
import type { Azure } from "./azure.js";
import { found } from "./long-running.js";
import { all } from "./pages.js";
import { parseResourceId } from "../domain/resource-id.js";
import type { Tags } from "../domain/tags.js";

export interface Trust {
  /** Of the managed identity. */
  readonly id: string;
  readonly tags: Tags;
  readonly issuer: string;
  readonly subject: string;
}

/** One for each credential. */
export async function trustsOfAll(azure: Azure): Promise<Trust[]> {
  const subscriptions = await (await azure.manager()).list("/subscriptions", "2022-12-01", listedSubscription);
  const trusts = await Promise.all(subscriptions.map(async ({ subscriptionId }) => trustsIn(azure, subscriptionId)));
  return trusts.flat();
}

async function trustsIn(azure: Azure, subscriptionId: string): Promise<Trust[]> {
  const { userAssignedIdentities, federatedIdentityCredentials } = await azure.identities(subscriptionId);
  const identities = await all(userAssignedIdentities.listBySubscription());
  const trusts = identities.map(async ({ id = "", tags }): Promise<Trust[]> => {
    const { resourceGroup = "", name } = parseResourceId(id);
    const credentials = (await found(all(federatedIdentityCredentials.list(resourceGroup, name)))) ?? [];
    return credentials.map(({ issuer = "", subject = "" }) => ({ id, tags, issuer, subject }));
  });
  return (await Promise.all(trusts)).flat();
}

/** Whether the issuer's documents are in the storage account. */
export function isOfAccount({ issuer }: Pick<Trust, "issuer">, account: string, blobSuffix: string): boolean {
  return issuer.startsWith(`https://${account}.${blobSuffix}/`);
}
