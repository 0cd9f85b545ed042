/** Converts settings to the public DNS zone that they describe. */
import type { Azure } from "../../azure/azure.js";
import type { DnsZonePlace, DnsZoneSpec, ExternalDnsAccess } from "../../domain/dns-zone.js";
import { readAksCluster } from "../../files/aks-cluster-output.js";
import type { ExternalDnsPlace } from "../../files/external-dns.js";
import type { Settings } from "../../settings/settings.js";

export function dnsZonePlace(
  { baseDomain, dnsZoneRgName }: { readonly baseDomain: string; readonly dnsZoneRgName: string },
  { connection: { subscriptionId } }: Pick<Azure, "connection">,
): DnsZonePlace {
  return { subscriptionId, groupName: dnsZoneRgName, zoneName: baseDomain };
}

/** @throws ARO-FILE-001 to 003 for an unusable file of a management cluster */
export async function externalDnsAccess(settings: Settings<"create dns-zone" | "show dns-zone">): Promise<ExternalDnsAccess> {
  const { externalDnsIdentity: kind, oidcIssuerUrl, managementClusterJson, externalDnsNamespace, externalDnsServiceAccount } = settings;
  if (kind !== "workload-identity") return { kind };
  const inFile =
    managementClusterJson === undefined ? "" : (await readAksCluster(managementClusterJson, "management-cluster")).input.oidcIssuerURL;
  const issuerUrl = oidcIssuerUrl ?? (inFile === "" ? undefined : inFile);
  return { kind, issuerUrl, namespace: externalDnsNamespace, serviceAccount: externalDnsServiceAccount };
}

/** A client secret must be kept; of workload identity, the file has only names. */
export function credentialsFileOf({
  externalDnsIdentity: kind,
  externalDnsCredentialsFile: path,
  baseDomain,
}: Settings<"create dns-zone" | "show dns-zone">): string | undefined {
  return kind === "service-principal" ? (path ?? `external-dns-${baseDomain}.json`) : path;
}

export function externalDnsPlace(
  { connection }: Pick<Azure, "connection">,
  { subscriptionId, groupName: resourceGroup }: DnsZonePlace,
  tenantId: string,
): ExternalDnsPlace {
  return { tenantId, subscriptionId, resourceGroup, cloud: connection.cloud.name };
}

export function dnsZoneSpec(
  settings: Settings<"create dns-zone" | "show dns-zone">,
  azure: Pick<Azure, "connection">,
  externalDns: ExternalDnsAccess,
): DnsZoneSpec {
  return { ...dnsZonePlace(settings, azure), location: settings.location, externalDns };
}
