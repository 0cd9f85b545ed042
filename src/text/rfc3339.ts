/** A time in whole seconds, for people and for files. */

/** `2026-01-31T10:00:00Z`. */
export function rfc3339(date: Date): string {
  return date.toISOString().replace(/\.\d{3}Z$/, "Z");
}
