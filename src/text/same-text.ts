/** Whether two names or IDs are the same: Azure ignores their casing. False if one is missing. */
export function sameText(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === "string" && one.toLowerCase() === other?.toLowerCase();
}
