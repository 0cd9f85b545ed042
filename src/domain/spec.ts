/** What is wanted: everything `create infra` is asked for, checked, in the terms of Azure. */
import type { AssignedComponent } from "./components.js";
import type { ClusterKey, Naming } from "./names.js";

/** An identity that roles are assigned to. */
export interface Assignee {
  /** Which roles, and where. */
  readonly component: AssignedComponent;
  /** Undefined where the identity is made in the same run. */
  readonly clientId: string | undefined;
}

export interface RoleOptions {
  readonly assignees: readonly Assignee[];
  /** The built-in roles of the hosted control planes where there are any, in place of Contributor. */
  readonly customHcpRoles: boolean;
}

/** By which way the workers reach the internet: the load balancer's outbound rule, or a NAT gateway on their subnet, which then goes before it. */
export const egressWays = ["load-balancer", "nat-gateway"] as const;
export type Egress = (typeof egressWays)[number];

export interface InfraSpec {
  readonly cluster: ClusterKey;
  readonly subscriptionId: string;
  readonly location: string;
  readonly baseDomain: string;
  readonly naming: Naming;
  readonly vnetCidr: string;
  readonly subnetCidr: string;
  readonly egress: Egress;
  /** The user's tags, for the groups that are made here; merged with what is there. */
  readonly groupTags: Readonly<Record<string, string>>;
  /** The choices themselves as tags, where a create records them; empty where nothing is made. */
  readonly optionTags?: Readonly<Record<string, string>>;
  /** An existing group that takes the managed group's place. */
  readonly existingGroup: string | undefined;
  readonly singleResourceGroup: boolean;
  /** Brought by the user: used, checked, never altered, never removed. A brought subnet implies its network. */
  readonly existing: {
    readonly networkSecurityGroupId: string | undefined;
    readonly vnetId: string | undefined;
    readonly subnetId: string | undefined;
  };
  /** The group to look for the public zone in; the whole subscription where undefined. */
  readonly dnsZoneGroup: string | undefined;
  /** Undefined: no role is assigned. */
  readonly roles: RoleOptions | undefined;
}
