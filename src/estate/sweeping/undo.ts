/** `sweep --undo-file`: puts back what a sweep deleted, from its journal, as far as Azure allows it. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { namedApplication } from "../../domain/identity-names.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { liveAssignmentTitle } from "../../domain/role-assignment-title.js";
import { roleNameIn } from "../../domain/roles.js";
import { defineStep, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { originsOf } from "../candidates/assignments.js";
import { journaledAssignment, type JournalEntry } from "../files/journal.js";

export interface Undo {
  readonly steps: readonly Step<unknown>[];
  /** What stays deleted, with the reason. */
  readonly lost: readonly string[];
}

/** @throws ARO-FILE-003 for an entry that no sweep writes: it would assign what no tool of a cluster assigns */
export function undoOf(azure: Azure, entries: readonly JournalEntry[]): Undo {
  return {
    steps: entries.flatMap((entry) => {
      if (entry.kind === "role-assignments") return [restoredAssignment(azure, entry)];
      return entry.kind === "applications" ? [restoredApplication(azure, entry)] : [];
    }),
    lost: entries.flatMap(({ kind, title }) => {
      if (kind === "resource-groups" || kind === "dns-zones") return [`${title}: create infra creates it again`];
      return kind === "deleted-applications" || kind === "deleted-vaults" ? [`${title}: it was purged`] : [];
    }),
  };
}

/** Without the type of its principal, Azure refuses one for a principal that it does not find. */
function restoredAssignment(azure: Azure, { id, body, owner, title }: JournalEntry): Step<unknown> {
  const journaled = journaledAssignment(body);
  const isOwn = journaled !== undefined && originsOf([journaled], owner === undefined ? [] : [owner]).length > 0;
  // The name does not contain the role.
  const isKnownRole = isOwn && roleNameIn(journaled.roleDefinitionId) !== journaled.roleDefinitionId.split("/").at(-1);
  if (!isOwn || !isKnownRole) {
    throw new Failure("ARO-FILE-003", `the journal has ${title} (${id}), which no tool for hosted clusters assigns`);
  }
  const { name, scope, principalId, roleDefinitionId, description } = journaled;
  const client = async () => (await azure.authorization(parseResourceId(scope).subscriptionId)).roleAssignments;
  return defineStep({
    id: `role-${name.toLowerCase()}`,
    title: liveAssignmentTitle({ roleDefinitionId, scope }, `principal ${principalId}`),
    subject: { kind: "role-assignment", role: roleNameIn(roleDefinitionId), principalType: "ServicePrincipal" },
    needs: {},
    read: async () => found((await client()).get(scope, name)),
    decide: (live) => ({ act: live === undefined ? "create" : "keep" }),
    commands: () => [],
    apply: async () =>
      (await client()).create(scope, name, {
        ...{ principalId, roleDefinitionId, principalType: "ServicePrincipal" },
        ...(description && { description }),
      }),
    predict: () => undefined,
    output: () => undefined,
  });
}

function restoredApplication(azure: Azure, { id, title }: JournalEntry): Step<unknown> {
  const deleted = async () => (await (await azure.directory()).deletedApplications()).find((one) => one.id === id);
  return defineStep({
    id: `application-${id}`,
    title,
    subject: { kind: "directory-object", noun: "application" },
    needs: {},
    read: async () => ((await deleted()) === undefined ? { restored: true } : undefined),
    decide: (live) => ({ act: live === undefined ? "create" : "keep" }),
    commands: () => [],
    apply: async () => {
      // The journal may name any application.
      if (namedApplication((await deleted())?.uniqueName ?? "") === undefined) {
        throw new Failure("ARO-FILE-003", `the journal has ${title} (${id}), which aro-hcp did not create`);
      }
      await (await azure.directory()).restoreApplication(id);
      return { restored: true };
    },
    predict: () => undefined,
    output: () => undefined,
  });
}
