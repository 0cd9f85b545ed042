/** The desired state of `create infra`: validated settings in the terms of Azure. */
import type { AssignedComponent, Plane } from "./components.js";
import type { Egress } from "./egress.js";
import type { IdentitySetKey } from "./identity-spec.js";
import type { ClusterKey } from "./names.js";
import type { PlacementChoice } from "./placement.js";

export interface Assignee {
  readonly component: AssignedComponent;
  /** Undefined if the same run creates the identity. */
  readonly clientId: string | undefined;
}

export interface RoleOptions {
  readonly assignees: readonly Assignee[];
  /** Use the built-in hosted control plane roles, if they exist, instead of Contributor. */
  readonly customHcpRoles: boolean;
  /** Whether the run assigns the roles. Others only compare. */
  readonly assigns: boolean;
  /** `title`: in messages, "identity set demo". `replace`: whether they may take roles from other identities that exist. */
  readonly identities: {
    readonly title: string;
    readonly replace: boolean;
    /** The files that they are from. */
    readonly files?: Partial<Record<Plane, string>>;
    /** The set of `create all`, whose identities may exchange roles. */
    readonly set?: Pick<IdentitySetKey, "subscriptionId" | "groupName" | "name">;
  };
}

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
  /** Undefined if no roles are assigned. */
  readonly roles: RoleOptions | undefined;
}
