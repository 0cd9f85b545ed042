/** Role assignments whose principal is gone: proved to be a tool's by their names, which recompute from what they are for. */
import { systemClock } from "../../azure/clock.js";
import { assignedComponents, type ComponentKey } from "../../domain/components.js";
import { namedApplication } from "../../domain/identity-names.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { documentedId, groupNameOf, isGroupId, parseResourceId, typeIn } from "../../domain/resource-id.js";
import { liveAssignmentTitle } from "../../domain/role-assignment-title.js";
import { grantName, roleAssignmentName } from "../../domain/role-assignment-name.js";
import { describedCluster } from "../../domain/role-assignment-description.js";
import { infraIdTag } from "../../domain/ownership.js";
import { tagValue } from "../../domain/tags.js";
import { sameText } from "../../text/same-text.js";
import type { Candidate } from "../domain/candidate.js";
import { isType, type Assignment } from "../domain/estate.js";
import type { Evidence } from "../reading/evidence.js";
import { doubtsAbout } from "./objections.js";
import { isSetGone } from "./sets.js";

/** How a name recomputes. */
export interface Origin {
  /** "infra ID x7k2 and component ingress" */
  readonly from: string;
  /** Undefined for a role on a resource that a set or an AKS cluster uses. */
  readonly infraId?: string;
  readonly component?: ComponentKey;
}

/** `given`: infra IDs of clusters that are wholly gone, from the caller. */
export async function assignmentCandidates(evidence: Evidence, given: readonly string[]): Promise<Candidate[]> {
  const { estate, principals } = evidence;
  const isGone = ({ principalId }: Assignment) => principals.state(principalId) !== "present";
  // Azure also has scopes that are no resources, such as a provider.
  const known = estate.assignments.filter(({ scope }) => typeIn(scope) !== undefined);
  const gone = known.filter(isGone);
  const living = known.filter((one) => !isGone(one));
  const clusters = new Set(evidence.findings.flatMap(({ kind, infraId }) => (kind === "clusters" ? (infraId?.toLowerCase() ?? []) : [])));
  const sure = [...new Set([...given, ...infraIdsIn(evidence)])];
  const origins = [
    ...(await originsOf(gone, [...new Set([...sure, ...hintsIn(evidence)])])),
    // Of the living principals, only what is left of a cluster that is gone.
    ...(await originsOf(
      living,
      sure.filter((id) => !clusters.has(id.toLowerCase())),
    )),
  ];
  const byId = new Map(origins);
  return [
    ...gone.map((assignment) => candidateOf(evidence, assignment, byId.get(assignment.id))),
    ...living
      .filter(({ id }) => byId.get(id)?.infraId !== undefined)
      .map((assignment) => livingOf(evidence, assignment, byId.get(assignment.id))),
  ].filter(({ unknown, madeBy }) => unknown.length === 0 || madeBy !== undefined);
}

type Named = Pick<Assignment, "id" | "name" | "scope" | "principalId" | "roleDefinitionId">;

/** Only tools compute names: those of others are random, with another version of UUID. */
const computed = /^.{14}5/;

/**
 * By the ID of the assignment. A name contains its scope: to compute the names is cheaper than to compare all. There may be a million of them, so
 * others get their turn in between.
 */
export async function originsOf(assignments: readonly Named[], infraIds: readonly string[]): Promise<(readonly [string, Origin])[]> {
  const byName = new Map(assignments.filter(({ name }) => computed.test(name)).map((one) => [one.name.toLowerCase(), one]));
  // Azure may return a scope with different casing.
  const scopes = [...new Set([...byName.values()].flatMap(({ scope }) => (isGroupId(scope) ? [scope, documentedId(scope)] : [])))];
  const ofClusters: (readonly [string, Origin])[] = [];
  for (const infraId of infraIds) {
    for (const { key, assigned } of assignedComponents) {
      for (const scope of scopes) {
        const found = byName.get(roleAssignmentName(infraId, assigned.hypershiftName, scope));
        // The name has the scope in it, but a name alone may be anywhere.
        if (found === undefined || !sameText(documentedId(found.scope), documentedId(scope))) continue;
        ofClusters.push([found.id, { from: `infra ID ${infraId} and component ${key}`, infraId, component: key }]);
      }
    }
    await systemClock.turn();
  }
  const grants = assignments.flatMap(({ id, name, principalId, roleDefinitionId, scope }) => {
    // Nothing that is made for a cluster is assigned on a whole subscription.
    const isGrant =
      groupNameOf(scope) !== undefined && sameText(name, grantName(principalId, roleDefinitionId?.split("/").at(-1) ?? "", scope));
    return isGrant ? [[id, { from: "principal, role and scope" }] as const] : [];
  });
  return [...grants, ...ofClusters];
}

/** Infra IDs that a tag or a description names. */
function infraIdsIn({ estate, findings }: Evidence): readonly string[] {
  return [
    ...findings.flatMap(({ infraId }) => infraId ?? []),
    ...estate.entries.flatMap(({ tags }) => tagValue(tags, infraIdTag) ?? []),
    ...estate.assignments.flatMap(({ description }) => describedCluster(description)?.infraId ?? []),
  ];
}

/** Endings of the names of groups: what was called so may have been a cluster's. What recomputes from it proves that it was. */
function hintsIn({ estate }: Evidence): readonly string[] {
  return estate.entries.flatMap((entry) => {
    if (!isType(entry, resourceTypes.resourceGroup)) return [];
    const [, text = entry.name] = /^(.+)-(?:vnet|nsg)$/.exec(entry.name) ?? [];
    const parts = text.split("-");
    // hypershift's infra IDs have the name of the cluster in them: demo-x7k2 in demo-demo-x7k2.
    return [1, 2].flatMap((count) => (parts.length > count ? [parts.slice(-count).join("-")] : []));
  });
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
      ...(assignment.condition === undefined ? [] : ["it has a condition, which no tool for clusters writes"]),
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
