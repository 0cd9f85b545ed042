/** Converts settings to the desired ingress of a management cluster or a service cluster. */
import type { ClusterKind } from "../../domain/cluster-kind.js";
import type { IngressCertificate, IngressDomain, IngressSpec } from "../domain/cluster-spec.js";
import { hostnameOf } from "../domain/ingress-records.js";
import type { IpTag } from "../../domain/ip-tags.js";

/** The settings of both kinds; those that only a service cluster has are absent for the other. */
export interface IngressSettings {
  readonly ingressAddress?: boolean;
  readonly opsIngress?: boolean;
  readonly genevaServiceTag?: string | undefined;
  readonly sreServiceTag?: string | undefined;
  readonly regionalZone?: string | undefined;
  readonly dnsZoneRgName?: string | undefined;
  readonly ingressHost?: string | undefined;
  readonly opsHost?: readonly string[];
  readonly delegateZone?: boolean;
  readonly istioRevision?: readonly string[];
  readonly certificateVaultId?: string | undefined;
  readonly certificateName?: string | undefined;
  readonly certificateIssuer?: string | undefined;
  readonly certificateHostname?: readonly string[];
}

/** Undefined for a management cluster whose ingress address Kubernetes creates. */
export function ingressSpec(kind: ClusterKind, settings: IngressSettings, ipTags: readonly IpTag[]): IngressSpec | undefined {
  if (kind === "management-cluster" && settings.ingressAddress !== true) return undefined;
  const { opsIngress: ops = false, genevaServiceTag = "", sreServiceTag = "", istioRevision: istioRevisions = [] } = settings;
  const domain = ingressDomain(settings);
  return { ipTags, ops, genevaServiceTag, sreServiceTag, domain, certificate: ingressCertificate(settings, domain), istioRevisions };
}

/** The hostnames of an ingress; undefined without a zone. */
function ingressDomain(settings: IngressSettings): IngressDomain | undefined {
  const { regionalZone: zone, dnsZoneRgName: zoneGroup, ingressHost, opsHost: opsHosts = [], delegateZone: delegate = false } = settings;
  if (zone === undefined) return undefined;
  return { zone, zoneGroup, hosts: ingressHost === undefined ? [] : [ingressHost], opsHosts, delegate };
}

function ingressCertificate(settings: IngressSettings, domain: IngressDomain | undefined): IngressCertificate | undefined {
  const {
    certificateVaultId: vaultId,
    certificateName: name = "",
    certificateIssuer: issuer = "Self",
    certificateHostname = [],
  } = settings;
  if (vaultId === undefined) return undefined;
  const { zone = "", hosts = [], opsHosts = [] } = domain ?? {};
  const published = [...new Set([...hosts, ...opsHosts])].map((host) => hostnameOf(host, zone));
  return { vaultId, name, issuer, hostnames: certificateHostname.length > 0 ? certificateHostname : published };
}
