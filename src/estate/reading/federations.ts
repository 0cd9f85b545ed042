/** Reads which issuers the managed identities of an estate trust. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { toFailure } from "../../azure/to-failure.js";
import { groupNameOf } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { isType, type Entry, type Estate, type Unread } from "../domain/estate.js";

/** A federated credential. */
export interface Federation {
  readonly id: string;
  readonly name: string;
  readonly identity: Entry;
  /** The storage account of its issuer, in lower case: the first label of the host of its URL. */
  readonly account: string;
  /** Whether no subscription that was read has that account. The host may also be a name of somebody's own. */
  readonly isGone: boolean;
}

export interface Federations {
  readonly federations: readonly Federation[];
  /** The managed identities whose credentials are read. */
  readonly read: ReadonlySet<Entry>;
  readonly unread: readonly Unread[];
}

const storageHost = /^[a-z0-9]+\.(?:blob|z\d+\.web)\.core\./i;

export async function readFederations(azure: Azure, { entries }: Estate): Promise<Federations> {
  const read = new Set<Entry>();
  const accounts = new Set(entries.flatMap((one) => (isType(one, resourceTypes.storageAccount) ? [one.name.toLowerCase()] : [])));
  const unread: Unread[] = [];
  const listed = await Promise.all(
    entries
      .filter((entry) => isType(entry, resourceTypes.managedIdentity))
      .map(async (identity): Promise<readonly Federation[]> => {
        const { id, subscriptionId, name } = identity;
        try {
          const { federatedIdentityCredentials } = await azure.identities(subscriptionId);
          const credentials = (await found(all(federatedIdentityCredentials.list(groupNameOf(id) ?? "", name)))) ?? [];
          read.add(identity);
          return credentials.flatMap(({ name: own = "", issuer = "" }) => {
            if (!URL.canParse(issuer)) return [];
            const { hostname } = new URL(issuer);
            const [account = ""] = hostname.split(".");
            return [
              {
                id: `${id}/federatedIdentityCredentials/${own}`,
                name: own,
                identity,
                account,
                isGone: storageHost.test(hostname) && !accounts.has(account),
              },
            ];
          });
        } catch (error) {
          unread.push({ subscriptionId, failure: toFailure(error, `reading the federated credentials of managed identity ${name}`) });
          return [];
        }
      }),
  );
  return { federations: listed.flat(), read, unread };
}
