/** Role assignments and the directory: create waits for temporary errors and explains permanent ones. */
import { expect, test } from "vitest";
import { groupId, groups } from "../cli/demo-cluster.js";
import { clientIdOf, principalIdOf, roleFlags } from "../identities/cli/identities.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { always, create, put, run, type FaultRule } from "./fault-runs.js";
import { recorded } from "./recorded-answers.js";

const graph = { method: "GET", host: "graph.microsoft.com" } as const;

/** The scope, principal and role of each assignment, sorted. */
async function assignmentsIn(azure: TestEmulator): Promise<string[]> {
  const { roleAssignments } = await azure.snapshot();
  return Object.values(roleAssignments as Record<string, { scope: string; principalId: string; roleDefinitionId: string }>)
    .map(({ scope, principalId, roleDefinitionId }) => `${scope} ${principalId} ${roleDefinitionId}`)
    .toSorted();
}

let undisturbed: Promise<string[]> | undefined;

function undisturbedRoles(): Promise<string[]> {
  undisturbed ??= (async () => {
    const azure = await testEmulator();
    await run(azure, [...create, ...(await roleFlags(azure))], 0);
    return assignmentsIn(azure);
  })();
  return undisturbed;
}

const temporary: readonly { readonly title: string; readonly faults: readonly FaultRule[]; readonly says: readonly string[] }[] = [
  {
    title: "assignments of principals that are not visible yet, with lost responses, and with conflicts that end before the next read",
    faults: [
      { ...put.assignment, times: 4, answer: recorded.principalNotFound },
      { ...put.assignment, nth: 5, times: 3, when: "after", reset: true },
      { ...put.assignment, nth: 8, answer: recorded.assignmentExists },
      { ...put.assignment, nth: 9, answer: recorded.assignmentUpdate },
    ],
    says: ["not visible everywhere in the directory yet (PrincipalNotFound)", "reading it again"],
  },
  {
    title: "a directory that throttles, is down, is unreachable, and refuses a token",
    faults: [
      { ...graph, answer: recorded.graphThrottled },
      { ...graph, nth: 2, times: 2, answer: recorded.graphUnavailable },
      { ...graph, nth: 4, reset: true },
      { ...graph, nth: 5, answer: recorded.invalidToken },
    ],
    says: [],
  },
];

test.each(temporary)("create recovers from $title", async ({ faults, says }) => {
  const azure = await testEmulator();
  const { stderr } = await run(azure, [...create, ...(await roleFlags(azure))], 0, { faults });
  for (const words of says) expect(stderr).toContain(words);
  expect(await assignmentsIn(azure)).toEqual(await undisturbedRoles());
});

test.each<[string, NonNullable<FaultRule["answer"]>, number, string]>([
  ["a directory that the caller cannot read", recorded.graphDenied, 5, "ARO-AUTHZ-003"],
  ["404 from Graph", recorded.graphNotFound, 1, "ARO-AZURE-005"],
  ["Graph that stays down", recorded.graphUnavailable, 1, "ARO-AZURE-002"],
])("create explains %s and writes nothing", async (_title, answer, exit, code) => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  const before = await azure.snapshot();
  const { stderr } = await run(azure, [...create, ...flags], exit, { faults: [{ ...graph, ...always, answer }] });
  expect(stderr).toContain(`[${code}]`);
  expect(await azure.snapshot()).toEqual(before);
});

test.each<[string, NonNullable<FaultRule["answer"]>, string]>([
  ["a principal that never appears", recorded.principalNotFound, "ARO-ROLE-002"],
  ["RoleAssignmentExists that persists", recorded.assignmentExists, "ARO-OWN-005"],
])("create explains %s, and a later rerun completes it", async (_title, answer, code) => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  const { stderr } = await run(azure, [...create, ...flags], 1, { faults: [{ ...put.assignment, ...always, answer }] });
  expect(stderr).toContain(`[${code}]`);
  await run(azure, [...create, ...flags], 0);
  expect(await assignmentsIn(azure)).toEqual(await undisturbedRoles());
});

test("create names identities that are not visible in the directory yet and writes nothing; a later run finds them", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  // Their age counts from the seed: ten minutes of Azure's time are 600 ms in this test.
  await azure.seed({ knobs: { replicationLagSeconds: 100_000_000 } });
  const before = await azure.snapshot();
  const { stderr } = await run(azure, [...create, ...flags], 5);
  expect(stderr).toContain("[ARO-ROLE-001]");
  expect(await azure.snapshot()).toEqual(before);
  await azure.seed({ knobs: { replicationLagSeconds: 0 } });
  await run(azure, [...create, ...flags], 0);
  expect(await assignmentsIn(azure)).toEqual(await undisturbedRoles());
});

test("create explains the limit of role assignments, and a rerun with a higher limit completes it", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  await azure.seed({ knobs: { roleAssignmentLimit: 5 } });
  const { stderr } = await run(azure, [...create, ...flags], 5);
  expect(stderr).toContain("[ARO-ROLE-006]");
  await azure.seed({ knobs: { roleAssignmentLimit: 4000 } });
  await run(azure, [...create, ...flags], 0);
  expect(await assignmentsIn(azure)).toEqual(await undisturbedRoles());
});

test("create uses an existing assignment with another name and does not duplicate it", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  await run(azure, create, 0);
  const scope = groupId(groups.managed);
  const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
  await azure.seed({ roleAssignments: [{ scope, role: contributor, principalId: principalIdOf("controlPlaneOperator") }] });
  await run(azure, [...create, ...flags], 0);
  expect(await assignmentsIn(azure)).toEqual(await undisturbedRoles());
});

test("a recreated identity with the same client ID gets its roles, and the orphaned assignments of the old one are deleted", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  await run(azure, [...create, ...flags], 0);
  const made = await assignmentsIn(azure);
  const old = principalIdOf("ingress");
  const recreated = "0e0e0000-0000-4000-8000-00000000000e";
  await azure.seed({ applications: [{ appId: clientIdOf("ingress"), displayName: "ingress", servicePrincipalId: recreated }] });
  const { stderr } = await run(azure, [...create, ...flags], 0);
  expect(stderr).toContain("is of a different principal or role");
  expect(await assignmentsIn(azure)).toEqual(made.map((text) => text.replace(old, recreated)).toSorted());
});
