/** Lists come in pages, which the SDK reads on as they are asked for. */

/** All entries of all pages. */
export async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of pages) entries.push(entry);
  return entries;
}
