/** Which role assignments of a plan are recreated because an earlier identity has them. */
import { expect, test } from "vitest";
import type { Subject } from "../../../src/engine/step.js";
import { heldBy, unreadRoles } from "../../../src/infra/removal/replaced-roles.js";

const scope = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/demo";
const output = { value: { id: scope } };
const group = {
  step: { id: "group", subject: undefined, within: undefined },
  decision: { act: "keep" },
  live: {},
  output,
  isFinal: true,
} as const;
const subject: Subject = { kind: "role-assignment", role: "Contributor", component: "cpo" };
const role = {
  step: { id: "role", subject, within: "group" as string | undefined },
  decision: { act: "create" },
  live: undefined,
  output: undefined,
  isFinal: false,
} as const;

type Planned = Parameters<typeof unreadRoles>[0][number];
const other = (changes: Partial<Planned["step"]>): Planned => ({ ...role, step: { ...role.step, ...changes } });

const plans: readonly (readonly [what: string, isUnread: boolean, group: Planned, role: Planned])[] = [
  ["an assignment in an existing group, for an identity that does not exist yet", true, group, role],
  ["an assignment that was read and does not exist", false, group, { ...role, isFinal: true }],
  ["an assignment that was read and is kept", false, group, { ...role, decision: { act: "keep" }, isFinal: true }],
  ["an assignment that waits for an operation", false, group, { ...role, decision: { act: "wait", why: "Updating" } }],
  ["an assignment in a group that does not exist", false, { ...group, live: undefined }, role],
  ["an assignment in a group whose ID is unknown", false, { ...group, output: undefined }, role],
  ["an assignment in a group whose output has no ID", false, { ...group, output: { value: "group" } }, role],
  ["an assignment outside a group", false, group, other({ within: undefined })],
  ["an assignment in a group that is not in the plan", false, group, other({ within: "vnet-group" })],
  ["an assignment without a component", false, group, other({ subject: { kind: "role-assignment", role: "Contributor" } })],
  ["another resource in the group", false, group, other({ subject: { kind: "resource", type: "Microsoft.Network/virtualNetworks" } })],
];

test.each(plans)("%s was planned without a read: %s", (_what, isUnread, ...steps) => {
  expect([...unreadRoles(steps)]).toEqual(isUnread ? [["role", { component: "cpo", scope }]] : []);
});

const wanted = { component: "cpo", scope };
const held = { component: "cpo", scope, principalId: "p-0" } as const;

const assignments: readonly (readonly [
  what: string,
  wanted: typeof wanted | undefined,
  live: readonly Parameters<typeof heldBy>[1][number][],
  from: string | undefined,
])[] = [
  ["no assignment", wanted, [], undefined],
  ["an earlier identity's assignment", wanted, [held], "p-0"],
  ["an earlier identity's assignment, in other case", wanted, [{ ...held, scope: scope.toUpperCase() }], "p-0"],
  ["another component's assignment", wanted, [{ ...held, component: "disk" }], undefined],
  ["an assignment on another group", wanted, [{ ...held, scope: `${scope}-vnet` }], undefined],
  ["an assignment after that of another component", wanted, [{ ...held, component: "disk", principalId: "p-9" }, held], "p-0"],
  ["an assignment that the plan has read", undefined, [held], undefined],
];

test.each(assignments)("%s is replaced, or not", (_what, role, live, from) => {
  expect(heldBy(role, live)?.principalId).toBe(from);
});
