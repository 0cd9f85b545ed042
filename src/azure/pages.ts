/** Collects the pages that the SDK fetches one at a time. */

export async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of pages) entries.push(entry);
  return entries;
}
