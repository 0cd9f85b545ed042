/** Role assignments whose principal is gone: proved to be a tool's by their names, which recompute from what they are for. */
import { assignedComponents } from "../../domain/components.js";
import { namedApplication } from "../../domain/identity-names.js";
import { documentedId, groupNameOf, isGroupId, parseResourceId } from "../../domain/resource-id.js";
import { liveAssignmentTitle } from "../../domain/role-assignment-title.js";
import { grantName, roleAssignmentName } from "../../domain/role-assignment-name.js";
import { describedCluster } from "../../domain/role-assignment-description.js";
import { infraIdTag } from "../../domain/ownership.js";
import { tagValue } from "../../domain/tags.js";
import { sameText } from "../../text/same-text.js";
import type { Candidate } from "../candidate.js";
import type { Assignment } from "../reading/estate.js";
import type { Evidence } from "../reading/evidence.js";
import { doubtsAbout } from "./objections.js";
import { isSetGone } from "./sets.js";

/** How a name recomputes. */
export interface Origin {
  /** "infra ID x7k2 and component ingress" */
  readonly from: string;
  /** Undefined for a role on a resource that a set or an AKS cluster uses. */
  readonly infraId?: string;
}

/** `given`: infra IDs of clusters that are wholly gone, from the caller. */
export function assignmentCandidates(evidence: Evidence, given: readonly string[]): Candidate[] {
  const { estate, principals } = evidence;
  const isGone = ({ principalId }: Assignment) => principals.state(principalId) !== "present";
  const infraIds = infraIdsIn(evidence, given);
  const gone = estate.assignments.filter(isGone);
  const clusters = new Set(evidence.findings.flatMap(({ kind, infraId }) => (kind === "clusters" ? (infraId?.toLowerCase() ?? []) : [])));
  // Of the living principals, only what is left of a cluster that is gone.
  const goneIds = [...infraIds].filter((id) => !clusters.has(id.toLowerCase()));
  const living = estate.assignments.filter((one) => !isGone(one));
  const origins = [...originsOf(gone, [...infraIds]), ...originsOf(living, goneIds)];
  const byId = new Map(origins);
  return [
    ...gone.map((assignment) => candidateOf(evidence, assignment, byId.get(assignment.id))),
    ...living
      .filter(({ id }) => byId.get(id)?.infraId !== undefined)
      .map((assignment) => livingOf(evidence, assignment, byId.get(assignment.id))),
  ].filter(({ unknown, madeBy }) => unknown.length === 0 || madeBy !== undefined);
}

type Named = Pick<Assignment, "id" | "name" | "scope" | "principalId" | "roleDefinitionId">;

/** By the ID of the assignment. A name contains its scope: to compute the names is cheaper than to compare all. */
export function originsOf(assignments: readonly Named[], infraIds: readonly string[]): (readonly [string, Origin])[] {
  const byName = new Map(assignments.map((one) => [one.name.toLowerCase(), one]));
  // Azure may return a scope with different casing.
  const scopes = [...new Set(assignments.flatMap(({ scope }) => (isGroupId(scope) ? [scope, documentedId(scope)] : [])))];
  const ofClusters = infraIds.flatMap((infraId) =>
    scopes.flatMap((scope) =>
      assignedComponents.flatMap(({ key, assigned }) => {
        const found = byName.get(roleAssignmentName(infraId, assigned.hypershiftName, scope));
        // The name has the scope in it, but a name alone may be anywhere.
        if (found === undefined || !sameText(documentedId(found.scope), documentedId(scope))) return [];
        return [[found.id, { from: `infra ID ${infraId} and component ${key}`, infraId }] as const];
      }),
    ),
  );
  const grants = assignments.flatMap(({ id, name, principalId, roleDefinitionId, scope }) => {
    // Nothing that is made for a cluster is assigned on a whole subscription.
    const isGrant =
      groupNameOf(scope) !== undefined && sameText(name, grantName(principalId, roleDefinitionId?.split("/").at(-1) ?? "", scope));
    return isGrant ? [[id, { from: "principal, role and scope" }] as const] : [];
  });
  return [...grants, ...ofClusters];
}

/** Hints: whatever is called so may have been an infra ID. What recomputes from it proves that it was. */
function infraIdsIn({ estate, findings }: Evidence, given: readonly string[]): ReadonlySet<string> {
  return new Set([
    ...given,
    ...findings.flatMap(({ infraId }) => infraId ?? []),
    ...estate.entries.flatMap(({ tags }) => tagValue(tags, infraIdTag) ?? []),
    ...estate.assignments.flatMap(({ description }) => describedCluster(description)?.infraId ?? []),
    ...estate.entries.flatMap((entry) => (groupNameOf(entry.id) === entry.name ? endings(entry.name) : [])),
  ]);
}

/** "demo-x7k2-vnet" may be of x7k2, k2 has no hyphen before it: the last parts of a group's name. */
function endings(name: string): string[] {
  const [, text = name] = /^(.+)-(?:vnet|nsg)$/.exec(name) ?? [];
  const last = text.split("-").at(-1) ?? "";
  return last === text || last === "" ? [] : [last];
}

function candidateOf(evidence: Evidence, assignment: Assignment, origin: Origin | undefined): Candidate {
  const { principals } = evidence;
  const state = principals.state(assignment.principalId);
  const doubts = doubtsOf(evidence, assignment);
  const set = state === "restorable" ? goneSetOf(evidence, principals.appIdOf(assignment.principalId)) : undefined;
  const unused = {
    present: undefined,
    unknown: undefined,
    absent: "its principal is neither in the directory nor among the deleted ones",
    "deleted identity": "its principal was a managed identity, and is deleted for good",
    restorable: set === undefined ? undefined : `its application is deleted, and so is identity set ${set}`,
  }[state];
  return {
    ...shared(assignment, origin),
    unused,
    objections: [
      ...(state === "restorable" && set === undefined ? ["its application is deleted, but can be restored"] : []),
      ...(assignment.principalType === "ForeignGroup" ? ["its principal is a group of another tenant"] : []),
      ...(assignment.delegatedManagedIdentityResourceId === undefined ? [] : ["its principal is a managed identity of another tenant"]),
      ...(origin !== undefined && assignment.principalType !== "ServicePrincipal" ? ["its principal was no service principal"] : []),
      ...doubts.objections,
    ],
    unknown: [...(state === "unknown" ? ["the directory could not be read"] : []), ...doubts.unknown],
  };
}

/** A role of a living principal for a cluster that is not there: somebody may have created the cluster again, or shares the scope. */
function livingOf(evidence: Evidence, assignment: Assignment, origin: Origin | undefined): Candidate {
  const doubts = doubtsOf(evidence, assignment);
  return {
    ...shared(assignment, origin),
    unused: undefined,
    objections: ["its principal exists", ...doubts.objections],
    unknown: doubts.unknown,
  };
}

function doubtsOf(evidence: Evidence, { id, createdOn, updatedOn, scope }: Assignment) {
  const changedAt = [createdOn, updatedOn].filter((date) => date !== undefined).toSorted((a, b) => b.getTime() - a.getTime())[0];
  return doubtsAbout(evidence, { id, subscriptionId: parseResourceId(scope).subscriptionId.toLowerCase(), changedAt });
}

function shared(assignment: Assignment, origin: Origin | undefined): Omit<Candidate, "unused" | "objections" | "unknown"> {
  const { id, scope, roleDefinitionId = "", principalId, createdOn } = assignment;
  return {
    kind: "role-assignments",
    id,
    title: liveAssignmentTitle({ roleDefinitionId, scope }, `principal ${principalId}`),
    subscriptionId: parseResourceId(scope).subscriptionId.toLowerCase(),
    changedAt: createdOn,
    madeBy: origin && `its name recomputes from ${origin.from}`,
    takes: "role assignments",
    ...(origin?.infraId !== undefined && { owner: origin.infraId }),
    assignment,
  };
}

/** The set of a soft-deleted application whose group is gone: nobody restores the application without it. Undefined otherwise. */
function goneSetOf(evidence: Evidence, appId: string | undefined): string | undefined {
  const deleted = evidence.deletedApplications?.find((one) => sameText(one.appId, appId));
  const set = namedApplication(deleted?.uniqueName ?? "")?.set;
  return set !== undefined && isSetGone(evidence, set) ? set.name : undefined;
}
