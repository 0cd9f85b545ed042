/** What a finder recognizes in an estate: a cluster, an identity set, an issuer, whoever made it. */
import { plural } from "../../text/plural.js";
import type { Assignment, Entry } from "./estate.js";

/** The tools whose names and tags are known, and services that only look alike. */
export const origins = [
  "aro-hcp",
  "hypershift",
  "ccoctl",
  "contrib scripts",
  "openshift-install",
  "Cluster API",
  "ARO",
  "ARO HCP service",
] as const;
export type Origin = (typeof origins)[number];

/** As the argument of `list` names them, each with the label of one. */
export const kindLabels = {
  clusters: "cluster",
  identities: "identity set",
  "oidc-issuers": "OIDC issuer",
  iam: "workload identity set",
  "dns-zones": "DNS zone",
  "management-clusters": "management cluster",
  "service-clusters": "service cluster",
  arc: "connected cluster",
} as const;
export type Kind = keyof typeof kindLabels;
/** Those whose verification needs no file. */
export const verifiedKinds = ["clusters", "management-clusters", "service-clusters", "arc"] as const satisfies readonly Kind[];
export type VerifiedKind = (typeof verifiedKinds)[number];
export const kinds = Object.keys(kindLabels) as readonly Kind[];

export interface Finding {
  readonly kind: Kind;
  readonly origin: Origin;
  /** "2025-03 or later": what its names say about the version of the tool. */
  readonly version?: string;
  readonly name: string;
  readonly infraId?: string;
  /** In lower case. */
  readonly subscriptionId: string;
  /** Its groups and resources, the main one first. */
  readonly entries: readonly Entry[];
  readonly assignments: readonly Assignment[];
  /** What a finished create has, and this has not: "load balancer". */
  readonly missing: readonly string[];
}

/** "demo/x7k2" */
export function nameOf({ name, infraId }: Finding): string {
  return infraId === undefined ? name : `${name}/${infraId}`;
}

/** "5 clusters, 2 identity sets" */
export function countsOf(findings: readonly Finding[]): string {
  const counts = kinds.flatMap((kind) => {
    const count = findings.filter((finding) => finding.kind === kind).length;
    return count === 0 ? [] : [plural(count, kindLabels[kind])];
  });
  return counts.length === 0 ? "nothing" : counts.join(", ");
}
