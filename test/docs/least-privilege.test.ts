/** docs/least-privilege.md: each command succeeds as a principal with the permissions of its row, and none of them is superfluous. */
import { describe, expect, test } from "vitest";
import { commandNames, takes } from "../../src/settings/commands.js";
import { offlineCommands, rows, type Row } from "../../tools/least-privilege.js";
import { runs, runWith } from "./rights-runs.js";

const nameOf = (command: string) => command.replace(/ --.*/, "");

test("every command is in a row, or sends no request to Azure", () => {
  const named = [...new Set(rows.flatMap(({ commands }) => commands.map(nameOf))), ...offlineCommands];
  expect(named.toSorted()).toEqual([...commandNames].toSorted());
  expect(offlineCommands.filter((name) => takes(name, "subscription") && takes(name, "timeout"))).toEqual([]);
});

test("every command of a row is run", () => {
  expect(Object.keys(runs).toSorted()).toEqual(rows.flatMap(({ commands }) => commands).toSorted());
});

const cases = rows.flatMap((row) => row.commands.map((command) => ({ command, row })));

describe("no other permission is needed by", () => {
  test.each(cases)("$command", async ({ command, row }) => {
    const { code, stdout, stderr, refused } = await runWith(command, row);
    expect(refused, stderr).toEqual([]);
    // Warnings, and for the doctor what the create would need.
    expect(command.startsWith("doctor") ? [6] : [0, 3], `${stdout}${stderr}`).toContain(code);
  });
});

/** The row without one of its permissions, for each of them. */
function withoutOne(row: Row): { readonly without: string; readonly left: Pick<Row, "grants" | "graph"> }[] {
  const { grants, graph } = row;
  const roles = grants.flatMap((grant) =>
    grant.roles.map((role) => ({
      without: `${role} on ${grant.on}`,
      left: {
        ...(graph !== undefined && { graph }),
        grants: grants.map((one) => (one === grant ? { ...one, roles: one.roles.filter((other) => other !== role) } : one)),
      },
    })),
  );
  return graph === undefined ? roles : [...roles, { without: graph, left: { grants } }];
}

test.each([
  ["doctor", "create all"],
  ["doctor management-cluster", "create management-cluster"],
])("%s misses nothing that %s needs", async (doctor, create) => {
  const { code, stdout } = await runWith(doctor, rows.find(({ commands }) => commands.includes(create)) ?? { grants: [] });
  expect([0, 3], stdout).toContain(code);
});

test("show arc extension says that Reader does not include what Azure Policy says", async () => {
  const { stderr } = await runWith("show arc extension", { grants: [] });
  expect(stderr).toContain("notice: what Azure Policy says is not shown");
});

const permissionNames = [
  /Microsoft\.\w+(?:\/\w+)+\/(?:read|write|delete|action)/,
  /Application\.Read\w*\.\w+|Authorization_RequestDenied/,
  // Vaults and storage accounts answer with less.
  /"Key Vault \w+ (?:User|Officer)"|no role that allows reading secrets|AuthorizationPermissionMismatch/,
  /no permission to write to zone/,
];
const names = (text: string) => permissionNames.some((name) => name.test(text));

const lacking = cases.flatMap(({ command, row }) => withoutOne(row).map((one) => ({ command, ...one })));

describe("a missing permission is named by", () => {
  test.each(lacking)("$command without $without", async ({ command, left }) => {
    const { code, stdout, stderr, refused } = await runWith(command, left);
    const printed = `${stdout}${stderr}`;
    expect(code !== 0 || refused.length > 0 || printed.includes("no permission to"), printed).toBe(true);
    // What a command does without it, it need not mention.
    expect(names(code === 0 ? refused.join("\n") || printed : printed), printed).toBe(true);
  });
});
