/** The IP tags of Microsoft's environments of ARO HCP, from docs/ingress-egress.md of Azure/ARO-HCP. */
import { kindFacts, type ClusterKind } from "../../domain/cluster-kind.js";
import type { IpTag } from "../../domain/ip-tags.js";

export const environments = ["none", "int", "stg", "prod"] as const;
export type Environment = (typeof environments)[number];

export interface AddressTags {
  readonly egress: readonly IpTag[];
  /** `assigned`: the cloud provider of Kubernetes makes the address of the shared ingress, without a tag. */
  readonly ingress: readonly IpTag[] | "assigned";
}

const firstParty = (tag: string): readonly IpTag[] => [{ type: "FirstPartyUsage", tag }];

const table: Readonly<Record<Environment, Readonly<Record<ClusterKind, AddressTags>> | undefined>> = {
  none: {
    "service-cluster": { ingress: [], egress: [] },
    "management-cluster": { ingress: "assigned", egress: [] },
  },
  int: {
    "service-cluster": { ingress: firstParty("/NonProd"), egress: firstParty("/NonProd") },
    "management-cluster": { ingress: "assigned", egress: firstParty("/NonProd") },
  },
  stg: {
    "service-cluster": { ingress: firstParty("/aro-hcp-prod-inbound-svc"), egress: firstParty("/aro-hcp-prod-outbound-svc") },
    "management-cluster": { ingress: "assigned", egress: firstParty("/aro-hcp-prod-outbound-cx") },
  },
  prod: undefined,
};

/** The row of the table; undefined if it has none: that is refused, never derived. */
export function addressTags(environment: Environment, kind: ClusterKind): AddressTags | undefined {
  return table[environment]?.[kind];
}

/** The sentence for a row that the table lacks. */
export function unknownRow(environment: Environment, kind: ClusterKind): string {
  return (
    `"${environment}" is not in the published table of service tags for a ${kindFacts[kind].label}; ` +
    `pass --egress-ip-tags${kind === "service-cluster" ? " and --ingress-ip-tags" : ""} with the tags of your enrollment`
  );
}
