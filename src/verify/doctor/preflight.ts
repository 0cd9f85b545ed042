/** What the doctor is given: what is to be made and where, and the machine that would make it. Pure. */

import type { IdentitySetKey } from "../../infra/identity-spec.js";
import type { IssuerSpec } from "../../infra/issuer.js";
import type { ClusterKey } from "../../infra/names.js";
import type { Brought, GroupKind, Part } from "../../infra/required-actions.js";

/** The names of the groups that things are made in; absent where nothing says it, or nothing is made. */
export type GroupsOfCreate = { readonly [K in GroupKind]?: string | undefined };

/** What is to be made under a name of its own, or looked up; absent where no setting says it. */
export interface Wanted {
  readonly cluster?: ClusterKey | undefined;
  readonly identities?: IdentitySetKey | undefined;
  readonly issuer?: IssuerSpec | undefined;
  readonly zone?: { readonly baseDomain: string; readonly dnsZoneGroup: string | undefined } | undefined;
}

export interface Machine {
  /** "20.19.2". */
  readonly nodeVersion: string;
  /** The package's `engines.node`: ">=20.19". */
  readonly nodeWanted: string;
  now(): Date;
}

export interface Preflight {
  readonly machine: Machine;
  readonly parts: ReadonlySet<Part>;
  readonly location: string;
  readonly groups: GroupsOfCreate;
  readonly wanted: Wanted;
  readonly brought: ReadonlySet<Brought>;
  /** Whether providers that are not registered are registered. */
  readonly register: boolean;
}
