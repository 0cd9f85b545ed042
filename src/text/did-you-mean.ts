/** Finds the nearest spelling for a mistyped word. */

/** One of `candidates` that differs from `word` in at most a third of its letters; undefined if none does. Case-insensitive. */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((entry) => entry.distance <= Math.max(1, Math.floor(word.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** `; did you mean "x"?`, or an empty string. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? "" : `; did you mean "${found}"?`;
}

/** Levenshtein distance, row by row. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
