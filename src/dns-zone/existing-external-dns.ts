/** What exists in Azure of a zone's ExternalDNS decides its settings, unless they are set. */
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { externalDnsApplication, externalDnsName, type DnsZonePlace, type ExternalDnsAccess } from "../domain/dns-zone.js";
import { ownedBy } from "../domain/ownership.js";
import { serviceAccountIn, type ServiceAccount } from "../domain/service-account-tokens.js";
import { Failure } from "../errors/failure.js";
import { settingArguments } from "../settings/format-command.js";
import { options as dnsOptions } from "./options.js";
import type { EarlierFiles } from "../azure/application-ownership.js";
import { sameText } from "../text/same-text.js";
import { checkSettings, isExplicit } from "../settings/resolve.js";
import type { Resolved, Settings } from "../settings/settings.js";
import { dnsZonePlace, type Described } from "./inputs.js";
import { requireGivenRights } from "../run/rights-settings.js";

const decidedOptions = [dnsOptions.externalDnsIdentity, dnsOptions.externalDnsNamespace, dnsOptions.externalDnsServiceAccount] as const;

/** A setting with a different value than the zone's ExternalDNS has. */
export interface ChangedZoneOption {
  readonly option: string;
  readonly recorded: string;
  readonly now: string;
}

interface ZoneOptions<C extends Described> {
  readonly resolved: Resolved<C>;
  readonly changed: readonly ChangedZoneOption[];
}

interface ZoneContext {
  /** The issuer of the management cluster's tokens. */
  readonly issuerUrl: string | undefined;
  /** The files of a create that name an application of an earlier run. */
  readonly files?: EarlierFiles;
  /** Reports what is kept. */
  say(text: string): void;
}

/** @throws ARO-USAGE-001 if a setting cannot be combined with what exists, or if only Azure shows who gets the zone's role */
export async function withExistingExternalDns<C extends Described>(
  azure: Azure,
  command: C,
  given: Resolved<C>,
  { issuerUrl, files, say }: ZoneContext,
): Promise<ZoneOptions<C>> {
  const before: Settings<Described> = given.settings;
  const { clientId, ...existing } = await existingExternalDns(azure, dnsZonePlace(before, azure), before.externalDnsIdentity, issuerUrl);
  const differing = decidedOptions.filter(({ key }) => existing[key] !== undefined && existing[key] !== before[key]);
  const isSet = ({ key }: (typeof decidedOptions)[number]) => isExplicit(given.origins[key]);
  const kept = differing.filter((option) => !isSet(option));
  const values = Object.fromEntries(kept.map(({ key }) => [key, existing[key]]));
  const origins = {
    ...given.origins,
    ...Object.fromEntries(kept.map(({ key, flag }) => [key, { source: "record" as const, label: `existing ${flag}` }])),
  };
  const settings: Resolved<C>["settings"] = { ...given.settings, ...values };
  const { problems } = await checkSettings(command, settings, origins);
  if (problems.length > 0) {
    throw new Failure("ARO-USAGE-001", `a setting cannot be combined with what exists for ${before.baseDomain}`, {
      problems: problems.map(({ origin, message }) => ({ origin, message })),
    });
  }
  if (command === "create dns-zone") {
    const isNamed = ((await files?.clientIds()) ?? []).some((one) => sameText(one, clientId));
    const inFiles = isNamed ? { externalDnsIdentity: existing.externalDnsIdentity } : {};
    requireGivenRights(command, before.baseDomain, { ...given, settings, origins }, inFiles);
  }
  if (kept.length > 0) {
    const flags = kept.map(({ key }) => settingArguments(key, existing[key])).join(" ");
    say(`notice: ${before.baseDomain} keeps what exists for it: ${flags}`);
  }
  const changed = differing.filter(isSet).map(({ key, flag }) => ({ option: flag, recorded: existing[key] ?? "", now: before[key] }));
  return { resolved: { ...given, settings, origins }, changed };
}

interface ExistingExternalDns {
  readonly externalDnsIdentity?: ExternalDnsAccess["kind"];
  /** The client ID of the application. */
  readonly clientId?: string;
  /** The pods that the managed identity trusts with tokens of the issuer. */
  readonly externalDnsNamespace?: string;
  readonly externalDnsServiceAccount?: string;
}

/**
 * The identity that was created for the zone. Of two, that of `wanted`, or the managed identity. Nothing is known if there is none: the zone has no
 * ExternalDNS, or its create has not ended.
 */
async function existingExternalDns(
  azure: Azure,
  place: DnsZonePlace,
  wanted: ExternalDnsAccess["kind"],
  issuerUrl: string | undefined,
): Promise<ExistingExternalDns> {
  const isManaged = await hasManagedIdentity(azure, place);
  if (isManaged && wanted !== "service-principal") {
    const { namespace, serviceAccount } = (issuerUrl && (await trustedAccount(azure, place, issuerUrl))) || {};
    return {
      externalDnsIdentity: "workload-identity",
      ...(namespace !== undefined && { externalDnsNamespace: namespace }),
      ...(serviceAccount !== undefined && { externalDnsServiceAccount: serviceAccount }),
    };
  }
  const application = await orRefused((await azure.directory()).application(externalDnsApplication(place).uniqueName));
  if (application !== undefined) return { externalDnsIdentity: "service-principal", clientId: application.appId };
  return isManaged ? { externalDnsIdentity: "workload-identity" } : {};
}

async function hasManagedIdentity(azure: Azure, place: DnsZonePlace): Promise<boolean> {
  const { userAssignedIdentities } = await azure.identities();
  const identity = await orRefused(found(userAssignedIdentities.get(place.groupName, externalDnsName(place))));
  return identity !== undefined && ownedBy(identity.tags, { dnsZone: place.zoneName }) === "ours";
}

async function trustedAccount(azure: Azure, place: DnsZonePlace, issuerUrl: string): Promise<ServiceAccount | undefined> {
  const { federatedIdentityCredentials } = await azure.identities();
  const credentials = await orRefused(all(federatedIdentityCredentials.list(place.groupName, externalDnsName(place))));
  const subject = credentials?.find(({ issuer }) => issuer === issuerUrl)?.subject;
  return subject === undefined ? undefined : serviceAccountIn(subject);
}
