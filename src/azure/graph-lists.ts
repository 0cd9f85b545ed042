/** Lists of Microsoft Graph: reads all pages, and splits long filters into several requests. */
import type { AskGraph } from "./graph-client.js";

/** Graph takes at most 15 values in one filter. */
const valuesPerFilter = 15;

interface Page<Entry> {
  readonly value: readonly Entry[];
  readonly "@odata.nextLink"?: string;
}

/** Path and query, or a complete `@odata.nextLink`. */
export async function allPages<Entry>(graph: AskGraph, address: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let next: string | undefined = address; next !== undefined;) {
    const link: string = next;
    const page: Page<Entry> = await graph<Page<Entry>>((client) => client.api(link).get());
    entries.push(...page.value);
    next = page["@odata.nextLink"];
  }
  return entries;
}

interface FilteredList {
  readonly path: string;
  readonly filter: string;
  readonly select: string;
}

/** The entries that match any of the values, in the fewest requests that Graph allows. */
export async function entriesWithValues<Entry>(
  graph: AskGraph,
  values: readonly string[],
  list: (some: readonly string[]) => FilteredList,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let from = 0; from < values.length; from += valuesPerFilter) {
    const { path, filter, select } = list(values.slice(from, from + valuesPerFilter));
    entries.push(...(await allPages<Entry>(graph, `${path}?$filter=${encodeURIComponent(filter)}&$select=${select}`)));
  }
  return entries;
}
