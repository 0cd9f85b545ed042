/** What the doctor is given: what is to be made and where, and the machine that would make it. Pure. */

import type { IdentitySetKey } from "../../domain/identity-spec.js";
import type { IssuerSpec } from "../../domain/issuer.js";
import type { Egress } from "../../domain/spec.js";
import type { ClusterKey } from "../../domain/names.js";
import type { Existing, GroupKind, Part } from "../../domain/create-parts.js";

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

export interface DoctorRequest {
  readonly machine: Machine;
  readonly parts: ReadonlySet<Part>;
  readonly location: string;
  readonly groups: GroupsOfCreate;
  readonly wanted: Wanted;
  readonly existing: ReadonlySet<Existing>;
  readonly egress: Egress;
  /** Whether providers that are not registered are registered. */
  readonly register: boolean;
}
