/** A zone keeps the ExternalDNS settings that it was created with, unless they are set: its tags record them. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { orRefused } from "../../azure/or-refused.js";
import { externalDnsApplication, externalDnsName, type DnsZonePlace } from "../../domain/dns-zone.js";
import { recordedExternalDns, type ExternalDnsRecord } from "../../domain/external-dns-record.js";
import { ownedBy } from "../../domain/ownership.js";
import { Failure } from "../../errors/failure.js";
import { settingArguments } from "../../settings/command-line.js";
import { dnsOptions } from "../../settings/dns-options.js";
import { checkSettings, isExplicit } from "../../settings/resolve.js";
import type { Resolved, Settings } from "../../settings/settings.js";
import { startZoneReads, type ZoneReads } from "../../steps/zone-reads.js";
import { dnsZonePlace, type Described } from "./dns-zone.js";
import { requireGivenRights } from "./rights-settings.js";

const recordedOptions = [dnsOptions.externalDnsIdentity, dnsOptions.externalDnsNamespace, dnsOptions.externalDnsServiceAccount] as const;

/** A setting with a different value than the zone was created with. */
export interface ChangedZoneOption {
  readonly option: string;
  readonly recorded: string;
  readonly now: string;
}

interface KeptZoneOptions<C extends Described> {
  readonly resolved: Resolved<C>;
  readonly changed: readonly ChangedZoneOption[];
  /** For the graph of the zone. */
  readonly reads: ZoneReads;
}

/**
 * `say` reports what is kept.
 * @throws ARO-USAGE-001 if a setting cannot be combined with a recorded one, or if only tags show which pods get the zone's role
 */
export async function keepZoneOptions<C extends Described>(
  azure: Azure,
  command: C,
  given: Resolved<C>,
  say: (text: string) => void,
): Promise<KeptZoneOptions<C>> {
  const before: Settings<Described> = given.settings;
  const place = dnsZonePlace(before, azure);
  const { reads, live } = startZoneReads(azure, place);
  const record = await recordOfZone(azure, place, await orRefused(live));
  const differing = recordedOptions.filter(({ key }) => record[key] !== undefined && record[key] !== before[key]);
  const isSet = ({ key }: (typeof recordedOptions)[number]) => isExplicit(given.origins[key]);
  const kept = differing.filter((option) => !isSet(option));
  const values = Object.fromEntries(kept.map(({ key }) => [key, record[key]]));
  const origins = {
    ...given.origins,
    ...Object.fromEntries(kept.map(({ key, flag }) => [key, { source: "record" as const, label: `recorded ${flag}` }])),
  };
  const settings: Resolved<C>["settings"] = { ...given.settings, ...values };
  const { problems } = checkSettings(command, settings, origins);
  if (problems.length > 0) {
    throw new Failure("ARO-USAGE-001", "a setting cannot be combined with one that the zone was created with", {
      problems: problems.map(({ origin, message }) => ({ origin, message })),
    });
  }
  if (command === "create dns-zone") requireGivenRights(command, before.baseDomain, { ...given, settings, origins });
  if (kept.length > 0) {
    const flags = kept.map(({ key }) => settingArguments(key, record[key])).join(" ");
    say(`notice: ${before.baseDomain} keeps settings that it was created with: ${flags}`);
  }
  const changed = differing.filter(isSet).map(({ key, flag }) => ({ option: flag, recorded: record[key] ?? "", now: before[key] }));
  return { resolved: { ...given, settings, origins }, changed, reads };
}

async function recordOfZone(azure: Azure, place: DnsZonePlace, zone: Zone | undefined): Promise<ExternalDnsRecord> {
  if (zone === undefined) return {};
  const record = ownedBy(zone.tags, { dnsZone: place.zoneName }) === "ours" ? recordedExternalDns(zone.tags) : {};
  return record.externalDnsIdentity === undefined ? createdIdentity(azure, place) : record;
}

/** An existing zone has no record, so what was created for it shows the identity. A managed identity is what the default creates. */
async function createdIdentity(azure: Azure, place: DnsZonePlace): Promise<ExternalDnsRecord> {
  const { userAssignedIdentities } = await azure.identities();
  const managed = await orRefused(found(userAssignedIdentities.get(place.groupName, externalDnsName(place))));
  if (managed !== undefined && ownedBy(managed.tags, { dnsZone: place.zoneName }) === "ours") return {};
  const application = await orRefused((await azure.directory()).application(externalDnsApplication(place).uniqueName));
  return application === undefined ? {} : { externalDnsIdentity: "service-principal" };
}
