/** Names of locations: Azure accepts and returns the display name too. */

/** "East US" is `eastus`. */
export function plainLocation(location: string): string {
  return location.replaceAll(" ", "").toLowerCase();
}

export function sameLocation(a: string | undefined, b: string): boolean {
  return a !== undefined && plainLocation(a) === plainLocation(b);
}
