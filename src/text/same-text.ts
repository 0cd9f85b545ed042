/** Compares two names or IDs as Azure does, without regard to case. */
export function sameText(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === "string" && one.toLowerCase() === other?.toLowerCase();
}
