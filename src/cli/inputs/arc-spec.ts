/** Converts settings to the connected cluster that a create wants. */
import { arcNames } from "../../domain/arc/names.js";
import type { ArcProxy, ArcSpec } from "../../domain/arc/spec.js";
import { Failure } from "../../errors/failure.js";
import { readText } from "../../files/text-file.js";
import type { Settings } from "../../settings/settings.js";

interface Place {
  readonly subscriptionId: string;
  readonly tenantId: string;
}

/** @throws ARO-FILE-001, 002 or 003 for the certificate of the proxy */
export async function arcSpec(settings: Settings<"create arc">, place: Place): Promise<ArcSpec> {
  const { name, resourceGroupName } = settings;
  const { group, cluster } = arcNames(name);
  return {
    ...place,
    location: settings.location,
    owner: { arc: name },
    name: cluster,
    group: { name: resourceGroupName ?? group, isExisting: resourceGroupName !== undefined && resourceGroupName !== group },
    tags: settings.tags,
    agentAutoUpgrade: settings.agentAutoUpgrade === "on",
    agentVersion: settings.agentVersion,
    privateLinkScopeId: settings.privateLinkScopeId,
    gatewayId: settings.gatewayId,
    workloadIdentity: settings.workloadIdentity,
    oidcIssuerUrl: settings.oidcIssuerUrl,
    customLocationsId: settings.customLocationsId,
    proxy: await proxyOf(settings),
  };
}

async function proxyOf({
  httpProxy,
  httpsProxy,
  proxySkipRange,
  proxyCertificateFile,
}: Settings<"create arc">): Promise<ArcProxy | undefined> {
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  const certificate = proxyCertificateFile === undefined ? undefined : (await readText(proxyCertificateFile)).text;
  if (certificate !== undefined && !certificate.includes("-----BEGIN CERTIFICATE-----"))
    throw new Failure("ARO-FILE-003", `${proxyCertificateFile ?? ""} is not a certificate in PEM`);
  return { http: httpProxy, https: httpsProxy, noProxy: proxySkipRange, certificate };
}
