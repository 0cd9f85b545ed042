/** `--dry-run --role-commands`: the missing role assignments as commands of az, for somebody who may write them. */
import { describe, expect, test } from "vitest";
import { wholeFlags } from "../../tools/demo-cluster.js";
import { az } from "../harness/az.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { create, destroy, exits, refuses, writesSince } from "../cli/expectations.js";
import { roleFlags } from "../identities/cli/identities.js";
import { assignments, separate, wantedAssignments } from "../infra/role-names.js";

const printed = ["--dry-run", "--role-commands"];
const linesOf = (stdout: string) => stdout.trimEnd().split("\n");
const commandsIn = (stdout: string) => linesOf(stdout).filter((line) => !line.startsWith("#"));

/** As their reader does. */
async function runAll(azure: TestEmulator, commands: readonly string[]): Promise<void> {
  const context = { azure: await connectedAzure(azure.directory), directory: azure.directory };
  for (const line of commands) await az(context, line);
}

describe("of create infra", () => {
  test("what waits for a resource group is a comment, and everything else works as printed", async () => {
    const azure = await testEmulator();
    const flags = await roleFlags(azure);
    const before = await azure.snapshot();
    const planned = exits(await create(azure, [...flags, ...printed]), 0).stdout;
    expect(linesOf(planned)).toContainEqual(
      expect.stringMatching(/^# not possible yet: role assignment Contributor for cpo on .* requires resource group demo-demo-x7k2$/),
    );
    expect(commandsIn(planned)).toEqual([expect.stringMatching(/resourceGroups\/dns --name /)]);

    exits(await create(azure, [...flags, "--no-assign-identity-roles", "--yes"]), 0);
    const { stdout } = exits(await create(azure, [...flags, ...printed]), 0);
    expect(linesOf(stdout)[0]).toMatch(/^# role assignment .* for .* on resource group /);
    const commands = commandsIn(stdout);
    expect(commands).toHaveLength(21);
    await runAll(azure, commands);
    expect(await assignments(azure)).toEqual(wantedAssignments({ groups: separate }));

    await azure.traffic();
    exits(await create(azure, [...flags, "--yes"]), 0);
    // Only the tag that records the flags.
    expect((await writesSince(azure)).filter((write) => !write.endsWith("/tags/default"))).toEqual([]);
    expect(exits(await create(azure, [...flags, ...printed]), 0).stdout).toBe("# the plan creates no role assignments\n");
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

test("after a create all that may assign no roles, its owner runs the commands until the create can finish", async () => {
  const azure = await testEmulator();
  const all = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo")];
  const denied = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no" } } };
  const faults = [{ path: "/roleAssignments/", method: "PUT", times: 999, answer: denied }];
  exits(await azure.cli([...all, "--yes"], { faults }), 5);
  const { stdout } = exits(await azure.cli([...all, ...printed], { faults }), 0);
  // 21 of the components, and 3 of the signed-in principal on the vault and the blobs.
  expect(commandsIn(stdout)).toHaveLength(24);
  await runAll(azure, commandsIn(stdout));
  exits(await azure.cli([...all, "--yes"], { faults }), 0);
});

test("only a dry run with text prints them", async () => {
  const azure = await testEmulator();
  await refuses(azure, create(azure, ["--role-commands"]), 2, "requires --dry-run: a run assigns the roles itself");
  await refuses(azure, create(azure, [...printed, "--output", "json"]), 2, "cannot be combined with `--output json`");
});
