/** Converts settings to the public DNS zone that they describe. */
import type { Azure } from "../azure/azure.js";
import type { DnsZonePlace, DnsZoneSpec, ExternalDnsAccess } from "../domain/dns-zone.js";
import { readAksCluster } from "../files/aks-cluster-output.js";
import type { ExternalDnsPlace } from "./files/external-dns.js";
import type { OwnCommand } from "../errors/advice.js";
import type { Resolved, Settings } from "../settings/settings.js";
import { createAdvice } from "../run/create-advice.js";

/** They describe the zone and its ExternalDNS with the same options. */
export type Described = "create dns-zone" | "show dns-zone" | "verify dns-zone";

export function dnsZonePlace(
  { baseDomain, dnsZoneRgName }: { readonly baseDomain: string; readonly dnsZoneRgName: string },
  { connection: { subscriptionId } }: Pick<Azure, "connection">,
): DnsZonePlace {
  return { subscriptionId, groupName: dnsZoneRgName, zoneName: baseDomain };
}

/**
 * The issuer of the tokens that the settings name; undefined without one.
 * @throws ARO-FILE-001 to 003 for an unusable file of a management cluster
 */
export async function issuerOf({ oidcIssuerUrl, managementClusterFile }: Settings<Described>): Promise<string | undefined> {
  const inFile =
    managementClusterFile === undefined ? "" : (await readAksCluster(managementClusterFile, "management-cluster")).input.oidcIssuerURL;
  return oidcIssuerUrl ?? (inFile === "" ? undefined : inFile);
}

function externalDnsAccess(settings: Settings<Described>, issuerUrl: string | undefined): ExternalDnsAccess {
  const { externalDnsIdentity: kind, externalDnsNamespace: namespace, externalDnsServiceAccount: serviceAccount } = settings;
  return kind === "workload-identity" ? { kind, issuerUrl, namespace, serviceAccount } : { kind };
}

export function externalDnsPlace(
  { connection }: Pick<Azure, "connection">,
  { subscriptionId, groupName: resourceGroup }: DnsZonePlace,
  tenantId: string,
): ExternalDnsPlace {
  return { tenantId, subscriptionId, resourceGroup, cloud: connection.cloud.name };
}

export function dnsZoneSpec(settings: Settings<Described>, azure: Pick<Azure, "connection">, issuerUrl: string | undefined): DnsZoneSpec {
  return { ...dnsZonePlace(settings, azure), location: settings.location, externalDns: externalDnsAccess(settings, issuerUrl) };
}

/** The `create dns-zone` command of the zone that the settings describe. */
export function createDnsZoneAdvice({ settings, origins }: Resolved<"create dns-zone"> | Resolved<"verify dns-zone">): OwnCommand {
  const { run, settings: named } = createAdvice("create dns-zone", settings, origins);
  const { externalDnsCredentialsFile } = settings;
  // An output of the create, which the next run reads.
  return { run, settings: { ...named, ...(externalDnsCredentialsFile !== undefined && { externalDnsCredentialsFile }) } };
}
