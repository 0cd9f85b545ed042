/** The role that commands on the encryption key assign to the signed-in principal: given for the run, and taken back at its end. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { cryptoOfficer } from "../../../src/domain/roles.js";
import { changeState } from "../../harness/state-changes.js";
import { startCli } from "../../harness/cli.js";
import { testEmulator, writes, type TestEmulator } from "../../harness/test-emulator.js";
import { exits } from "../../cli/expectations.js";
import { createSet, setFlags } from "../../identities/cli/identity-sets.js";

type Flags = readonly string[];
type Options = Parameters<TestEmulator["cli"]>[1];

const vault: Flags = ["--key-vault-name", "kv-of-demo"];
const key = (azure: TestEmulator, verb: string, flags: Flags = [], options?: Options) =>
  azure.cli([verb, "encryption-key", ...setFlags, ...vault, ...flags, "--yes"], options);
const start = (azure: TestEmulator, verb: string, env: Record<string, string> = {}) =>
  startCli([verb, "encryption-key", ...setFlags, ...vault, "--yes"], {
    env: { HOME: azure.path("."), ARO_HCP_LOCAL_DIR: azure.directory, ...env },
  });
/** The assignments of the role. */
const held = async (azure: TestEmulator) => {
  const { roleAssignments } = (await azure.snapshot()) as { roleAssignments: Record<string, { roleDefinitionId: string }> };
  return Object.values(roleAssignments).filter(({ roleDefinitionId }) => roleDefinitionId.endsWith(cryptoOfficer.id));
};
const rotation = { method: "POST", path: "^/keys/[^/]+/rotate" };
const roleDeletion = { method: "DELETE", path: "/providers/Microsoft.Authorization/roleAssignments/" };

async function withKey(): Promise<TestEmulator> {
  const azure = await testEmulator();
  exits(await createSet(azure, [...vault, "--enable-kms", "--no-purge-protection"]), 0);
  exits(await key(azure, "create"), 0);
  await azure.traffic();
  return azure;
}

test("a rotation shows the role in its plan, assigns it, and takes it back at its end", async () => {
  const azure = await withKey();
  const { stderr } = exits(await key(azure, "rotate", ["--dry-run", "--full-plan"]), 0);
  const title = /role assignment Key Vault Crypto Officer for the signed-in principal on Key Vault kv-of-demo/g;
  expect(stderr.match(title)).toHaveLength(2);
  expect(stderr).toContain("for this run only");
  expect(writes(await azure.traffic())).toEqual([]);
  exits(await key(azure, "rotate"), 0);
  const sent = writes(await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname.replace(/[^/]+$/, "")}`);
  expect(sent.at(0)).toMatch(/^PUT .*roleAssignments\/$/);
  expect(sent.at(-1)).toMatch(/^DELETE .*roleAssignments\/$/);
  expect(await held(azure)).toEqual([]);
  exits(await key(azure, "rotate"), 0);
  expect(writes(await azure.traffic())).toEqual([]);
});

test("--keep-own-roles keeps the role, and later rotations do too", async () => {
  const azure = await withKey();
  exits(await key(azure, "rotate", ["--keep-own-roles"]), 0);
  expect(await held(azure)).toHaveLength(1);
  exits(await key(azure, "rotate"), 0);
  expect(await held(azure)).toHaveLength(1);
});

test("a role that the principal had before stays", async () => {
  const azure = await withKey();
  exits(await key(azure, "rotate", ["--keep-own-roles"]), 0);
  await changeState(azure, ({ roleAssignments }) => {
    for (const [id, one] of Object.entries(roleAssignments)) {
      if (!one.roleDefinitionId.endsWith(cryptoOfficer.id)) continue;
      const name = "11111111-1111-4111-8111-111111111111";
      const other = one.id.replace(one.name, name);
      delete roleAssignments[id];
      roleAssignments[other.toLowerCase()] = { ...one, id: other, name };
    }
  });
  const before = await held(azure);
  expect(before).toHaveLength(1);
  exits(await key(azure, "destroy", ["--purge"]), 0);
  expect(await held(azure)).toEqual(before);
});

test("a rotation that fails takes the role back", async () => {
  const azure = await withKey();
  const faults = [{ ...rotation, answer: { status: 409, body: { error: { code: "Conflict", message: "no" } } } }];
  const { code } = await key(azure, "rotate", [], { faults });
  expect(code).not.toBe(0);
  expect(await held(azure)).toEqual([]);
});

test("a rotation that is stopped takes the role back", async () => {
  const azure = await withKey();
  await changeState(azure, (state) => {
    state.knobs = { ...state.knobs, dataRightsLagSeconds: 3600 };
  });
  const run = start(azure, "rotate");
  await expect.poll(async () => (await held(azure)).length, { timeout: 20_000 }).toBe(1);
  run.signal("SIGINT");
  expect((await run.ended).code).toBe(130);
  expect(await held(azure)).toEqual([]);
});

test.each(["before", "after"])("a rotation that is killed %s its write leaves the role to the next one", async (when) => {
  const azure = await withKey();
  expect((await key(azure, "rotate", [], { faults: [{ ...rotation, when, kill: true }] })).code).toBe("SIGKILL");
  expect(await held(azure)).toHaveLength(1);
  const { stderr } = exits(await key(azure, "rotate", ["--dry-run", "--full-plan"]), 0);
  expect(stderr).toContain("for this run only");
  exits(await key(azure, "rotate"), 0);
  expect(await held(azure)).toEqual([]);
});

test("--keep-own-roles also keeps the role that a killed rotation left, for good", async () => {
  const azure = await withKey();
  expect((await key(azure, "rotate", [], { faults: [{ ...rotation, when: "after", kill: true }] })).code).toBe("SIGKILL");
  exits(await key(azure, "rotate", ["--keep-own-roles"]), 0);
  exits(await key(azure, "rotate"), 0);
  expect(await held(azure)).toHaveLength(1);
});

test("a role that cannot be taken back is a warning with the command that deletes it", async () => {
  const azure = await withKey();
  const faults = [{ ...roleDeletion, answer: { status: 403, body: { error: { code: "AuthorizationFailed", message: "not you" } } } }];
  const { stderr } = exits(await key(azure, "rotate", [], { faults }), 0);
  expect(stderr).toMatch(/warning: the role assignment Key Vault Crypto Officer .* was not deleted: .*az role assignment delete --ids /s);
  expect(await held(azure)).toHaveLength(1);
});

test("a rotation assigns the role again if a concurrent run takes it back", async () => {
  const azure = await withKey();
  const denied = { status: 403, body: { error: { code: "Forbidden", message: "no", innererror: { code: "ForbiddenByRbac" } } } };
  // The vault denies access until the other run has ended.
  const faults = azure.path("denied.json");
  await writeFile(faults, JSON.stringify([{ ...rotation, answer: denied }]));
  const run = start(azure, "rotate", { ARO_HCP_LOCAL_FAULTS: faults });
  await expect.poll(async () => (await held(azure)).length, { timeout: 20_000 }).toBe(1);
  await changeState(azure, ({ roleAssignments }) => {
    for (const [id, { roleDefinitionId }] of Object.entries(roleAssignments))
      if (roleDefinitionId.endsWith(cryptoOfficer.id)) delete roleAssignments[id];
  });
  await expect.poll(async () => (await held(azure)).length, { timeout: 20_000 }).toBe(1);
  await writeFile(faults, "[]");
  exits(await run.ended, 0);
  expect(await held(azure)).toEqual([]);
});

test("destroy keeps the role, which a recovery needs; with --purge, it takes it back", async () => {
  const azure = await withKey();
  exits(await key(azure, "destroy"), 0);
  expect(await held(azure)).toHaveLength(1);
  exits(await key(azure, "create"), 0);
  exits(await key(azure, "destroy", ["--purge"]), 0);
  expect(await held(azure)).toEqual([]);
});
