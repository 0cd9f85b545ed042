/** Finds the nearest spelling for a mistyped word. */

/**
 * One of `candidates` that differs from `word` in at most a third of its letters; or else the only one that begins with it. Otherwise the longest
 * that is at least the first half of it, or undefined. Case-insensitive.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  return nearestFirst(word, candidates)[0] ?? onlyLonger(word.toLowerCase(), candidates) ?? longestPart(word.toLowerCase(), candidates);
}

/** Of "create infrastructure", it is "create infra". */
function longestPart(word: string, candidates: readonly string[]): string | undefined {
  const parts = candidates.filter((candidate) => word.startsWith(candidate.toLowerCase()) && candidate.length * 2 >= word.length);
  return parts.toSorted((a, b) => b.length - a.length)[0];
}

/** Of "cp", it is "cpo". */
function onlyLonger(word: string, candidates: readonly string[]): string | undefined {
  const longer = word.length < 2 ? [] : candidates.filter((candidate) => candidate.toLowerCase().startsWith(word));
  return longer.length === 1 ? longer[0] : undefined;
}

/** Each other word of two letters is near a shorter one. */
const shortest = 3;

function nearestFirst(word: string, candidates: readonly string[]): string[] {
  return candidates
    .map((candidate) => ({ candidate, distance: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter((entry) => entry.distance <= (word.length < shortest ? 0 : Math.max(1, Math.floor(word.length / 3))))
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate);
}

const mostSimilar = 5;

/** Up to five of `candidates` that are near the word, or that have one of its parts: "zone-link" and "zone-overlap". */
export function similarTo(word: string, candidates: readonly string[]): readonly string[] {
  const parts = word
    .toLowerCase()
    .split("-")
    .filter((part) => part.length > 2);
  const related = candidates.filter((candidate) => candidate.split("-").some((part) => nearest(part, parts) !== undefined));
  return [...new Set([...nearestFirst(word, candidates), ...related])].slice(0, mostSimilar);
}

/** `; did you mean "x"?`, or an empty string. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates);
  return found === undefined ? "" : `; did you mean "${found}"?`;
}

/** Edits of single letters and swaps of two neighbors (optimal string alignment), row by row. */
function distance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (beforePrevious[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length] ?? 0;
}
