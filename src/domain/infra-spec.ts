/** The desired state of `create infra`: validated settings in the terms of Azure. */
import type { AssignedComponent } from "./components.js";
import type { ClusterKey } from "./names.js";
import type { PlacementChoice } from "./placement.js";

/** An identity that roles are assigned to. */
export interface Assignee {
  /** Its roles and scopes. */
  readonly component: AssignedComponent;
  /** Undefined if the same run creates the identity. */
  readonly clientId: string | undefined;
}

export interface RoleOptions {
  readonly assignees: readonly Assignee[];
  /** Use the built-in hosted control plane roles, if they exist, instead of Contributor. */
  readonly customHcpRoles: boolean;
}

/** How the workers reach the internet: by the load balancer's outbound rule, or by a NAT gateway on their subnet, which has precedence. */
export const egressWays = ["load-balancer", "nat-gateway"] as const;
export type Egress = (typeof egressWays)[number];

export interface InfraSpec extends PlacementChoice {
  readonly cluster: ClusterKey;
  readonly subscriptionId: string;
  readonly location: string;
  readonly baseDomain: string;
  readonly vnetCidr: string;
  readonly subnetCidr: string;
  readonly egress: Egress;
  /** The user's tags for created groups, merged with existing tags. */
  readonly groupTags: Readonly<Record<string, string>>;
  /** The cluster's choices as tags, which a create records; empty if nothing is created. */
  readonly optionTags?: Readonly<Record<string, string>>;
  /** Undefined if no roles are assigned. */
  readonly roles: RoleOptions | undefined;
}
