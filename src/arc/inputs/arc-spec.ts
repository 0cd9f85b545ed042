/** Converts settings to the connected cluster that a create wants. */
import type { ClusterPlatform } from "../domain/distribution.js";
import { arcNames } from "../../domain/arc-names.js";
import type { ArcProxy, ArcSpec } from "../domain/spec.js";
import { Failure } from "../../errors/failure.js";
import { readText } from "../../files/text-file.js";
import type { Settings } from "../../settings/settings.js";

interface Found {
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly detectedPlatform: ClusterPlatform;
}

/** @throws ARO-FILE-001, 002 or 003 for the certificate of the proxy */
export async function arcSpec(settings: Settings<"create arc">, found: Found): Promise<ArcSpec> {
  const { name, resourceGroupName, distribution, infrastructure } = settings;
  const { group, cluster } = arcNames(name);
  return {
    ...found,
    location: settings.location,
    owner: { arc: name },
    name: cluster,
    group: { name: resourceGroupName ?? group, isExisting: resourceGroupName !== undefined && resourceGroupName !== group },
    tags: settings.tags,
    chosenPlatform: { ...(distribution !== undefined && { distribution }), ...(infrastructure !== undefined && { infrastructure }) },
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
