/** Everything that is recognized in an estate: by tags and names first, by names alone last. */
import { assignedComponents } from "../../domain/components.js";
import { documentedId, isWithin, sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { roleAssignmentName } from "../../domain/role-assignment-name.js";
import { sameText } from "../../text/same-text.js";
import { isType, type Assignment, type Estate } from "../domain/estate.js";
import { kinds, type Finding } from "../domain/finding.js";
import { contribFindings } from "./contrib.js";
import { hypershiftFindings } from "./hypershift.js";
import { otherFindings } from "./others.js";
import { ownFindings } from "./own.js";

/** In the order of kinds, names and subscriptions. */
export function findingsIn(estate: Estate): Finding[] {
  const assignmentsOf = assignmentsByInfraId(estate.assignments);
  const own = ownFindings(estate, assignmentsOf);
  const infraIds = (found: readonly Finding[]) => new Set(found.flatMap(({ infraId }) => infraId?.toLowerCase() ?? []));
  const tagged = [...otherFindings(estate, infraIds(own)), ...contribFindings(estate)];
  const taken = new Set([...own, ...tagged].flatMap(({ entries }) => entries));
  const named = hypershiftFindings(estate, taken, assignmentsOf);
  const known = infraIds(named);
  const others = tagged.filter(({ origin, name }) => origin !== "Cluster API" || !known.has(name.toLowerCase()));
  return [...own, ...others, ...named].toSorted(
    (a, b) =>
      kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
      a.name.localeCompare(b.name, "en") ||
      a.subscriptionId.localeCompare(b.subscriptionId, "en"),
  );
}

/** Those of a cluster, by the names that aro-hcp and hypershift compute. A name contains its scope: with few scopes and thousands of assignments, to compute the names is cheaper than to compare all. */
function assignmentsByInfraId(assignments: readonly Assignment[]): (infraId: string) => readonly Assignment[] {
  const byName = new Map(assignments.map((one) => [one.name.toLowerCase(), one]));
  // Azure may return a scope with different casing.
  const scopes = [...new Set(assignments.flatMap(({ scope }) => [scope, documentedId(scope)]))];
  return (infraId) => {
    const names = scopes.flatMap((scope) =>
      assignedComponents.map(({ assigned }) => roleAssignmentName(infraId, assigned.hypershiftName, scope)),
    );
    return [...new Set(names)].flatMap((name) => byName.get(name) ?? []);
  };
}

/** The set whose managed identities have roles of the cluster. */
export function setOf(cluster: Finding, findings: readonly Finding[]): Finding | undefined {
  return findings.find(
    ({ kind, entries }) =>
      kind === "identities" &&
      entries.some(
        ({ principalId }) => principalId !== undefined && cluster.assignments.some((one) => sameText(one.principalId, principalId)),
      ),
  );
}

/**
 * The AKS cluster of the management cluster that mounts the credentials of the set: the identity that reads its vault is in the node group of that
 * cluster.
 */
export function managementClusterOf(set: Finding, findings: readonly Finding[], { entries, assignments }: Estate): Finding | undefined {
  const vaults = set.entries.filter((entry) => isType(entry, resourceTypes.keyVault));
  const readers = new Set(
    assignments.flatMap(({ scope, principalId }) => (vaults.some(({ id }) => isWithin(scope, id)) ? [principalId.toLowerCase()] : [])),
  );
  const identities = entries.filter(({ principalId }) => principalId !== undefined && readers.has(principalId.toLowerCase()));
  const owners = entries.flatMap(({ type, group, subscriptionId, managedBy }) =>
    managedBy !== undefined &&
    isType({ type }, resourceTypes.resourceGroup) &&
    identities.some((one) => one.group === group && one.subscriptionId === subscriptionId)
      ? [managedBy]
      : [],
  );
  return findings.find(
    ({ kind, entries: own }) => kind === "management-clusters" && own.some(({ id }) => owners.some((owner) => sameId(owner, id))),
  );
}

/** The oldest date that Azure knows of it: of a resource or of a role assignment; undefined if it knows none. */
export function createdAt({ entries, assignments }: Pick<Finding, "entries" | "assignments">): Date | undefined {
  const dates = [...entries.map((one) => one.createdAt), ...assignments.map((one) => one.createdOn)].filter((date) => date !== undefined);
  return dates.toSorted((a, b) => a.getTime() - b.getTime())[0];
}

/** Of the first part in a region. */
export function locationOf({ entries }: Finding): string | undefined {
  return entries.find(({ location }) => location !== "" && location !== "global")?.location;
}
