/** The names of DNS zones and record sets that Azure allows. */

const label = "[a-zA-Z0-9_](?:[\\w-]{0,61}[a-zA-Z0-9_])?";

/** A zone of `labels` to 34 labels. */
export function zoneName(labels: number): RegExp {
  return new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label}){${String(labels - 1)},33}$`);
}

/** A record set's name relative to its zone: "@", "*", "api.demo", "*.apps.demo". */
export const recordSetName = new RegExp(`^(?:@|\\*|(?:\\*\\.)?${label}(?:\\.${label})*)$`);
