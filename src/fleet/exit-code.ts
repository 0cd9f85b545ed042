/** The exit code of a fleet: the worst of its members. */

/**
 * Worst first. What a rerun continues is before what only a person can change: an engine that retries by the code then runs the others again.
 */
const worstFirst: readonly number[] = [143, 130, 1, 70, 4, 5, 2, 10, 6, 8, 7, 3, 0];

export function worstCode(codes: readonly number[]): number {
  return worstFirst.find((code) => codes.includes(code)) ?? (codes.length === 0 ? 0 : 1);
}
