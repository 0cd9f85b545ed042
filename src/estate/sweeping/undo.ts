/** `sweep --undo-file`: puts back what a sweep deleted, from its journal, as far as Azure allows it. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { assignedComponents } from "../../domain/components.js";
import { namedApplication } from "../../domain/identity-names.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { liveAssignmentTitle } from "../../domain/role-assignment-title.js";
import { resourceRoles, roleNameIn } from "../../domain/roles.js";
import { defineStep, type Step } from "../../engine/step.js";
import { sameText } from "../../text/same-text.js";
import { originsOf, type Origin } from "../candidates/orphaned-assignments.js";
import { journaledAssignment, type JournalEntry } from "../files/journal.js";

export interface Undo {
  readonly steps: readonly Step<unknown>[];
  /** What stays deleted, with the reason. */
  readonly lost: readonly string[];
  /** What no sweep writes into a journal. */
  readonly refused: readonly string[];
}

/** The journal is a file that somebody may have changed: only what a tool for clusters makes comes back. */
export async function undoOf(azure: Azure, entries: readonly JournalEntry[]): Promise<Undo> {
  const undo = { steps: [] as Step<unknown>[], lost: [] as string[], refused: [] as string[] };
  const deleted = entries.some(({ kind }) => kind === "applications") ? await (await azure.directory()).deletedApplications() : [];
  for (const entry of entries) {
    const { kind, title, id } = entry;
    if (kind === "role-assignments") {
      const step = await restoredAssignment(azure, entry);
      if (step) undo.steps.push(step);
      else undo.refused.push(`${title} (${id}) is not restored: no tool for hosted clusters assigns it`);
    } else if (kind === "applications") {
      const application = deleted.find((one) => sameText(one.id, id));
      if (application === undefined) undo.lost.push(`${title} is not among the deleted applications: it is back, or purged`);
      else if (namedApplication(application.uniqueName ?? "") === undefined)
        undo.refused.push(`${title} is not restored: aro-hcp did not create it`);
      else undo.steps.push(restoredApplication(azure, entry));
    } else if (kind === "resource-groups" || kind === "dns-zones") undo.lost.push(`${title}: create infra creates it again`);
    else undo.lost.push(`${title}: it was purged`);
  }
  return undo;
}

/** Undefined if no tool assigns this role for what the name is computed from: the name does not contain the role. */
async function restoredAssignment(azure: Azure, { body, owner }: JournalEntry): Promise<Step<unknown> | undefined> {
  const journaled = journaledAssignment(body);
  if (journaled === undefined) return undefined;
  const [origin] = await originsOf([journaled], owner === undefined ? [] : [owner]);
  const { name, scope, principalId, roleDefinitionId, description } = journaled;
  if (origin === undefined || !rolesOf(origin[1]).includes(roleNameIn(roleDefinitionId))) return undefined;
  const client = async () => (await azure.authorization(parseResourceId(scope).subscriptionId)).roleAssignments;
  return defineStep({
    id: `role-${name.toLowerCase()}`,
    title: liveAssignmentTitle({ roleDefinitionId, scope }, `principal ${principalId}`),
    subject: { kind: "role-assignment", role: roleNameIn(roleDefinitionId), principalType: "ServicePrincipal" },
    needs: {},
    read: async () => found((await client()).get(scope, name)),
    decide: (live) => ({ act: live === undefined ? "create" : "keep" }),
    commands: () => [],
    // Without the type of its principal, Azure refuses one for a principal that it does not find.
    apply: async () =>
      (await client()).create(scope, name, {
        ...{ principalId, roleDefinitionId, principalType: "ServicePrincipal" },
        ...(description && { description }),
      }),
    predict: () => undefined,
    output: () => undefined,
  });
}

/** The names of the roles that a create assigns there. */
function rolesOf({ component }: Origin): readonly string[] {
  const assigned = assignedComponents.find(({ key }) => key === component)?.assigned;
  if (assigned !== undefined) return [assigned.role, ...(assigned.hcpRole ? [assigned.hcpRole] : [])].map(({ name }) => name);
  return resourceRoles.map(({ name }) => name);
}

function restoredApplication(azure: Azure, { id, title }: JournalEntry): Step<unknown> {
  return defineStep({
    id: `application-${id}`,
    title,
    subject: { kind: "directory-object", noun: "application" },
    needs: {},
    read: () => Promise.resolve(undefined),
    decide: () => ({ act: "create" }),
    commands: () => [],
    async apply() {
      await (await azure.directory()).restoreApplication(id);
      return { restored: true };
    },
    predict: () => undefined,
    output: () => undefined,
  });
}
