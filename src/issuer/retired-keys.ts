/** Finds the keys to retire that are not among the published keys of the issuer. */
import type { Azure } from "../azure/azure.js";
import type { IssuerSpec } from "../domain/issuer.js";
import { keysIn, keySetPath } from "../oidc/documents.js";

/** A sentence for each key that an anonymous reader does not find. If nothing is readable yet, the steps report the problem. */
export async function unpublishedKeys(azure: Azure, { url, retiredKeys }: IssuerSpec): Promise<string[]> {
  if (retiredKeys.length === 0) return [];
  const { status, body } = await azure.published(`${url}/${keySetPath}`);
  const published = status === 200 ? keysIn(body)?.map(({ kid }) => kid) : undefined;
  if (published === undefined) return [];
  return retiredKeys
    .filter((kid) => !published.includes(kid))
    .map((kid) => `the key ${kid} is not published at ${url}: there is nothing to retire`);
}
