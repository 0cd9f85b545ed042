/** The record sets that Azure creates with a DNS zone and deletes with it: SOA, and NS in a public zone. */
import type { StoredResource } from "./state.js";

/** The name of the record sets of the zone itself. */
export const apex = "@";

const times = { refreshTime: 3600, retryTime: 300, expireTime: 2_419_200 };

interface Zone {
  readonly id: string;
  readonly name: string;
  /** The name servers of a public zone; none if only networks resolve it. */
  readonly nameServers?: readonly string[];
}

/** The keys are those of the state, for a zone of the resource type `type`. */
export function apexRecordSets({ id: zone, name, nameServers }: Zone, type: string, uuid: () => string): Record<string, StoredResource> {
  const contents: Record<string, Record<string, unknown>> = nameServers === undefined ? privateApex(name) : publicApex(name, nameServers);
  return Object.fromEntries(
    Object.entries(contents).map(([recordType, properties]) => {
      const id = `${zone}/${recordType}/${apex}`;
      return [id.toLowerCase(), { id, name: apex, type: `${type}/${recordType}`, etag: uuid(), properties }];
    }),
  );
}

/** Whether no one has written it: then it says nothing that its zone does not. */
export function isUnwritten({ name, changedAt }: StoredResource): boolean {
  return name === apex && changedAt === undefined;
}

function privateApex(zone: string) {
  const soaRecord = { ...times, email: "azureprivatedns-host.microsoft.com", host: "azureprivatedns.net", minimumTtl: 10, serialNumber: 1 };
  return { SOA: { fqdn: `${zone.toLowerCase()}.`, ttl: 3600, soaRecord, isAutoRegistered: false } };
}

function publicApex(zone: string, nameServers: readonly string[]) {
  const rest = { targetResource: {}, provisioningState: "Succeeded" };
  const [host = "internal.cloudapp.net."] = nameServers;
  const SOARecord = { ...times, email: "azuredns-hostmaster.microsoft.com", host, minimumTTL: 300, serialNumber: 1 };
  const NSRecords = nameServers.map((nsdname) => ({ nsdname }));
  return {
    ...(NSRecords.length > 0 && { NS: { fqdn: `${zone}.`, TTL: 172_800, NSRecords, ...rest } }),
    SOA: { fqdn: `${zone}.`, TTL: 3600, SOARecord, ...rest },
  };
}
