/** What may be left over in an estate, and what is decided about it: only what has both proofs and no objection is removed. */
import type { ClusterKey } from "../../domain/names.js";
import type { Assignment } from "./estate.js";

/** As the argument of `sweep` names them, each with the label of one. */
export const candidateLabels = {
  "role-assignments": "role assignment",
  "resource-groups": "resource group",
  "dns-zones": "private DNS zone",
  applications: "application",
  "deleted-applications": "soft-deleted application",
  "deleted-vaults": "soft-deleted vault",
  "oidc-issuers": "OIDC issuer",
  credentials: "set of credentials",
  delegations: "DNS delegation",
  "managed-identities": "managed identity",
  "federated-credentials": "federated credential",
  "role-definitions": "custom role",
} as const;
export type CandidateKind = keyof typeof candidateLabels;
export const candidateKinds = Object.keys(candidateLabels) as readonly CandidateKind[];

/** Those that only a person can decide about. */
const auditedKinds = [
  ...["oidc-issuers", "credentials", "delegations"],
  ...["managed-identities", "federated-credentials", "role-definitions"],
] as const satisfies readonly CandidateKind[];
export type SweptKind = Exclude<CandidateKind, (typeof auditedKinds)[number]>;
export const sweptKinds = candidateKinds.filter((kind): kind is SweptKind => !auditedKinds.some((one) => one === kind));

/** Something that may be left over, with what its removal needs. */
export interface Candidate {
  readonly kind: CandidateKind;
  /** Of Resource Manager; of the directory's objects their object ID. */
  readonly id: string;
  readonly title: string;
  /** In lower case; of an application, that of its set. */
  readonly subscriptionId: string | undefined;
  /** The youngest date that Azure knows of it. */
  readonly changedAt: Date | undefined;
  /** The first proof: how it is known that a tool made it; undefined if nothing proves it. */
  readonly madeBy: string | undefined;
  /** The second proof: how it is known that nobody uses it; undefined if nothing proves it. */
  readonly unused: string | undefined;
  /** Why it stays, whatever is proved. */
  readonly objections: readonly string[];
  /** What could not be read, and would decide. */
  readonly unknown: readonly string[];
  /** The limit that it takes one of. */
  readonly takes: string | undefined;
  /** The infra ID or the set that it was made for. */
  readonly owner?: string;
  /** The cluster whose own destroy removes it. */
  readonly cluster?: ClusterKey;
  /** Gone for good once it is removed: only if the caller passes this name. */
  readonly purgeAs?: string;
  /** Of an application: its client ID. */
  readonly appId?: string;
  /** Of a role assignment. */
  readonly assignment?: Assignment;
  /** Of a resource group: the IDs of what is in it. */
  readonly contents?: readonly string[];
}

export function isSwept(candidate: Candidate): candidate is Candidate & { readonly kind: SweptKind } {
  return sweptKinds.some((kind) => kind === candidate.kind);
}

export type Verdict = "sweep" | "audit" | "unknown";

/** Unknown beats everything: it must not look like garbage, nor like something that was decided. */
export function verdictOf({ madeBy, unused, objections, unknown }: Candidate): Verdict {
  if (unknown.length > 0) return "unknown";
  return madeBy !== undefined && unused !== undefined && objections.length === 0 ? "sweep" : "audit";
}

/** Why it is not swept; undefined if it is. */
export function keptBecause(candidate: Candidate): string | undefined {
  const { madeBy, unused, objections, unknown } = candidate;
  if (verdictOf(candidate) === "sweep") return undefined;
  return [
    ...unknown,
    ...objections,
    ...(madeBy === undefined ? ["nothing proves which tool made it"] : []),
    ...(unused === undefined ? ["nothing proves that nobody uses it"] : []),
  ].join("; ");
}
