/** A value as one word of a command line that somebody is told to run. */

/** As it is where no shell would change it, else in quotes. */
export function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
