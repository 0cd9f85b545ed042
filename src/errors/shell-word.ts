/** Quotes a value as one word of a command line that a message shows. */

/** Unchanged if no shell would change it; otherwise in single quotes. */
export function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
