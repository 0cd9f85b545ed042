/** Indexes of the state: what they find is what a search of all members finds, in every moment of a transaction and after it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  assignmentsByScope,
  operationsByMinute,
  operationsInProgress,
  resourcesByCollection,
  resourcesByTag,
  resourcesWithin,
} from "../../src/emulator/arm/indexes.js";
import { plainCopy } from "../../src/emulator/state/plain-copy.js";
import { freshState } from "../../src/emulator/state/seed.js";
import type { AzureState, Operation, RoleAssignment } from "../../src/emulator/state/state.js";
import { StateStore } from "../../src/emulator/state/store.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const name = fc.constantFrom("/a/x", "/a/y", "/a/y/z", "/b/x");
const edit = fc.record({
  kind: fc.constantFrom("add", "again", "change", "direct", "delete", "replace"),
  name,
  to: name,
  minute: fc.nat(2),
  isRunning: fc.boolean(),
  looks: fc.boolean(),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function apply(state: AzureState, { kind, name: key, to, minute, isRunning }: Edit): void {
  const operation = { status: isRunning ? "InProgress" : "Succeeded", readyAt: minute * 60_000 } as Operation;
  if (kind === "delete" || kind === "again") for (const all of [state.operations, state.roleAssignments, state.resources]) delete all[key];
  if (kind === "replace") state.operations = { ...state.operations };
  const existing = state.operations[key];
  if (kind === "change" && existing !== undefined) {
    Object.assign(existing, operation);
    Object.assign(state.roleAssignments[key]!, { scope: to });
    Object.assign(state.resources[key]!, { tags: { Team: to } });
  }
  if (kind === "add" || kind === "again" || kind === "direct") {
    state.operations[key] = operation;
    state.roleAssignments[key] = { scope: to } as RoleAssignment;
    state.resources[key] = { id: key, name: key, type: "t", tags: { team: to, other: "" }, properties: {} };
  }
  // Through the object itself, which the state then contains.
  if (kind === "direct") operation.status = isRunning ? "Succeeded" : "InProgress";
}

/** Also the order, where a member's key never changes and no deletion was taken back. */
const found = (state: AzureState, isOrdered: boolean): unknown => ({
  scope: ["/a", "/a/y", "/b/x"].map((scope) => assignmentsByScope.namesOf(state.roleAssignments, scope).sort()),
  running: operationsInProgress.namesOf(state.operations, "yes").sort(),
  ended: operationsByMinute
    .keys(state.operations)
    .map((minute) => [minute, ...operationsByMinute.namesOf(state.operations, minute).sort()])
    .filter(({ length }) => length > 1)
    .sort(),
  within: ["/a", "/a/y", "/"].map((scope) =>
    resourcesWithin(state, scope, "T")
      .map(({ id }) => id)
      .sort(),
  ),
  tag: ["team", "team=/b/x", "other"].map((tag) => resourcesByTag.namesOf(state.resources, tag).sort()),
  counts: [
    ...["/a", "/a/y", "/b/x"].map((scope) => assignmentsByScope.count(state.roleAssignments, scope)),
    ...["team", "team=/b/x", "other"].map((tag) => resourcesByTag.count(state.resources, tag)),
    operationsInProgress.count(state.operations, "yes"),
  ],
  collection: ["/a", "/a/y", "/b"]
    .map((id) => resourcesByCollection.namesOf(state.resources, id))
    .map((names) => (isOrdered ? names : names.sort())),
});
const expectFound = (state: AzureState, isOrdered: boolean): void =>
  expect(found(state, isOrdered)).toEqual(found(plainCopy(state), isOrdered));

test("an index finds what a search finds, within transactions, after commits and after refusals, also those of other stores", async () => {
  const transaction = fc.record({ store: fc.nat(1), commits: fc.boolean(), edits: fc.array(edit, { maxLength: 5 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(transaction, { maxLength: 8 }), async (transactions) => {
      const directory = temporaryDirectory().path;
      const stores = [0, 1].map(() => StateStore.open(directory, () => freshState("secret"), 4000));
      const isOrdered = transactions.every(({ commits }) => commits);
      for (const { store, commits, edits } of transactions) {
        await stores[store]!.transact((state) => {
          expectFound(state, isOrdered);
          for (const one of edits) {
            apply(state, one);
            if (one.looks) expectFound(state, isOrdered);
          }
          return { value: undefined, commit: commits };
        });
      }
      for (const store of stores) {
        await store.transact((state) => {
          expectFound(state, isOrdered);
          return { value: undefined, commit: false };
        });
      }
    }),
    { numRuns: 60 },
  );
});
