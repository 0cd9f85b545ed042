/** The inputs of the doctor: this machine, and the resources and places of a create. */
import type { AksClusterKey } from "../domain/cluster-kind.js";
import type { SignedIn } from "../azure/signed-in.js";
import type { Step } from "../engine/step.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import type { IssuerSpec } from "../domain/issuer.js";
import type { Egress } from "../domain/egress.js";
import type { ClusterKey } from "../domain/names.js";
import type { ExistingKind, GroupKind, Part } from "../domain/create-parts.js";

/** The names of the resource groups of a create; absent if unknown or not needed. */
export type GroupsOfCreate = { readonly [K in GroupKind]?: string | undefined };

/** The named resources that a create makes or looks up; absent if no setting specifies them. */
export interface Wanted {
  readonly cluster?: ClusterKey | undefined;
  readonly aksCluster?: AksClusterKey | undefined;
  readonly identities?: IdentitySetKey | undefined;
  readonly issuer?: IssuerSpec | undefined;
  readonly zone?: { readonly baseDomain: string; readonly dnsZoneGroup: string | undefined } | undefined;
}

export interface Machine {
  /** "20.19.2". */
  readonly nodeVersion: string;
  /** The package's `engines.node`: ">=20.19". */
  readonly requiredNodeVersion: string;
  now(): Date;
}

/** A part of a create with the steps of the create itself; `missing`: the flags without which they are unknown. */
export interface PlannedPart {
  readonly part: Part;
  readonly steps: readonly Step<unknown>[];
  readonly missing: readonly string[];
  /** Flags without which the create of a named cluster is refused. */
  readonly needed?: readonly string[];
}

export interface DoctorRequest {
  readonly machine: Machine;
  readonly parts: ReadonlySet<Part>;
  readonly location: string;
  readonly groups: GroupsOfCreate;
  readonly wanted: Wanted;
  /** What a create with these settings would plan. */
  readonly planned: (caller: SignedIn) => readonly PlannedPart[];
  /** The steps of a management or service cluster: only its own options determine them. */
  readonly aksSteps?: readonly Step<unknown>[];
  readonly existing: ReadonlySet<ExistingKind>;
  readonly egress: Egress;
  /** How many such creates must fit the limits. */
  readonly clusters: number;
  readonly register: boolean;
}

export interface WantedResources {
  /** Whether a create makes or looks up a resource of this type. */
  uses(type: string): boolean;
  /** How many a create makes if none exists yet. */
  made(type: string): number;
  readonly roleAssignments: number;
}
