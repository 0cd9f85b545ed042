/** Reads the subscriptions of an estate: a few with Azure's lists, many with Resource Graph where it shows all of them. */
import { listedSubscription } from "../../azure/arm-responses.js";
import type { Azure } from "../../azure/azure.js";
import { distinct } from "../../azure/distinct.js";
import { Failure } from "../../errors/failure.js";
import { sameText } from "../../text/same-text.js";
import type { Contents, Estate, ListedSubscription, Unread } from "../domain/estate.js";
import { readByLists } from "./by-lists.js";
import { readableOf, readByResourceGraph } from "./by-resource-graph.js";

/** Lists are as new as Azure itself, but take four requests a subscription; Resource Graph may be minutes old, but reads all at once. */
const mostByLists = 4;

/**
 * `named`: the subscriptions to read; all that the caller can see if there are none. `newest`: however many there are, with lists, because something is
 * deleted by what they say.
 */
export async function readEstate(
  azure: Azure,
  named: readonly string[],
  signal: AbortSignal,
  { newest = false }: { readonly newest?: boolean } = {},
): Promise<Estate> {
  const manager = await azure.manager();
  const seen = (await manager.list("/subscriptions", "2022-12-01", listedSubscription)).map(
    ({ subscriptionId, displayName, state, tenantId, managedByTenants }): ListedSubscription => ({
      id: subscriptionId.toLowerCase(),
      name: displayName,
      state,
      tenantId: tenantId?.toLowerCase(),
      managedByTenants: managedByTenants.map((one) => one.tenantId),
    }),
  );
  const subscriptions = seen.filter(({ id, state }) => (named.length === 0 ? state !== "Deleted" : named.some((one) => sameText(one, id))));
  const ids = subscriptions.map(({ id }) => id);
  const unseen = named.filter((one) => !ids.some((id) => sameText(id, one)));
  const graph = !newest && ids.length > mostByLists ? await readByResourceGraph(azure, ids) : { read: [], contents: nothing };
  const readable = newest ? await readableOf(azure, ids) : ids;
  const parts = await Promise.all(ids.filter((id) => !graph.read.includes(id)).map(async (id) => readByLists(azure, id)));
  signal.throwIfAborted();
  const all = [graph.contents, ...parts];
  return {
    isAll: named.length === 0,
    subscriptions,
    entries: all.flatMap(({ entries }) => entries),
    assignments: distinct(all.flatMap(({ assignments }) => assignments)),
    unread: [
      // A list leaves out what the caller may not read, without a word.
      ...ids.filter((id) => !readable.includes(id)).map((id): Unread => ({ subscriptionId: id, failure: lacksReader(id) })),
      ...unseen.map((id): Unread => ({ subscriptionId: id, failure: new Failure("ARO-AUTH-004", `subscription ${id} was not found`) })),
      ...all.flatMap(({ unread }) => unread),
    ],
  };
}

const nothing: Contents = { entries: [], assignments: [], unread: [] };

function lacksReader(subscriptionId: string): Failure {
  return new Failure("ARO-AUTHZ-001", `the lists of subscription ${subscriptionId} may lack something`, {
    because: "no role lets the signed-in principal read everything in it",
    next: ['ask an owner for "Reader" on the subscription'],
  });
}
