/** What a finder recognizes in an estate: a cluster, an identity set, an issuer, whoever made it. */
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
