/** Kubernetes versions of AKS: `1.33`, which AKS reads as its newest patch, or `1.33.2`. */

/** Negative if the first one is older. A version without a patch is the same as each of its patches. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  for (let at = 0; at < Math.min(a.length, b.length); at += 1) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The second number of each. */
export function minorsBetween(from: string, to: string): number {
  const [[fromMajor = 0, fromMinor = 0], [toMajor = 0, toMinor = 0]] = [numbersOf(from), numbersOf(to)];
  return toMajor === fromMajor ? toMinor - fromMinor : Number.POSITIVE_INFINITY;
}

function numbersOf(version: string): number[] {
  return version.split(".").map(Number);
}
