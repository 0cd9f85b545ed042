/** A public DNS zone, its delegation, and the owner and names of what `create dns-zone` creates. */

/** Of a delegation, in seconds. Source: Azure/ARO-HCP. */
export const delegationTtl = 3600;

interface NamedZone {
  readonly name?: string | undefined;
  readonly zoneType?: string | undefined;
}

/** The closest public zones above a zone: several if they have one name, and only one of them is delegated. */
export function parentZonesOf<Zone extends NamedZone>(zones: readonly Zone[], child: string): Zone[] {
  const above = zonesAbove(zones, child);
  const longest = Math.max(...above.map(({ name = "" }) => name.length));
  return above.filter(({ name = "" }) => name.length === longest);
}

/** All public zones above a zone. */
export function zonesAbove<Zone extends NamedZone>(zones: readonly Zone[], child: string): Zone[] {
  return zones.filter(
    ({ name, zoneType }) => name !== undefined && child.toLowerCase().endsWith(`.${name.toLowerCase()}`) && zoneType !== "Private",
  );
}

/** The name of a zone's record set in a zone above it: `blue` for `blue.example.com` in `example.com`. */
export function nameInParent(child: string, parent: string): string {
  return child.slice(0, -parent.length - 1);
}

/** A name server's name for comparison: lower case, without the trailing dot. */
export function plainServer(server: string): string {
  return server.toLowerCase().replace(/\.$/, "");
}

/** Whether both lists have the same name servers, in any order and spelling. */
export function sameServers(one: readonly string[], other: readonly string[]): boolean {
  const plain = new Set(other.map(plainServer));
  return one.length === other.length && one.every((server) => plain.has(plainServer(server)));
}
