/** Works on a list, a few entries at a time. */
export async function forEach<T>(entries: Iterable<T>, atOnce: number, work: (entry: T) => Promise<void>): Promise<void> {
  const queue = entries[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
