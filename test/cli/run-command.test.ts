/** The output of a failed command: the format, color and detail of its settings, whatever their source. */
import { expect, test } from "vitest";
import { runCommand } from "../../src/cli/run-command.js";
import { showFailure } from "../../src/run/show-failure.js";
import { fakeProcess, type CliResult } from "../harness/cli.js";
import { Failure } from "../../src/errors/failure.js";
import type { Sources } from "../../src/settings/resolve.js";

const needed = { name: "demo", persistentResourceGroupName: "common" };

/** Runs `show identities`, which fails once its settings are known. */
async function failing(flags: Sources["flags"], env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  const load = async () => ({ run: () => Promise.reject(new Failure("ARO-OWN-003", "the vault has a different owner")) });
  const { port, stdout, stderr } = fakeProcess([], { env });
  const code = await runCommand("show identities", load, { flags: { ...needed, ...flags }, argument: undefined, port });
  return { code, stdout: stdout(), stderr: stderr() };
}

test("stack traces are shown if the flag or the variable is set", async () => {
  const usual = await failing({});
  expect(usual.code).toBe(5);
  expect(usual.stderr).not.toContain(" at ");
  expect((await failing({ debug: true })).stderr).toContain(" at ");
  expect((await failing({}, { ARO_HCP_DEBUG: "true" })).stderr).toContain(" at ");
});

test("it has color if requested, also if the settings are invalid", async () => {
  expect((await failing({ color: "always" })).stderr).toContain("\u001b[1merror:");
  expect(await failing({ color: "always", name: "No" })).toMatchObject({ code: 2, stderr: expect.stringContaining("\u001b[1merror:") });
  expect((await failing({}, { FORCE_COLOR: "1", ARO_HCP_COLOR: "never" })).stderr).toContain("error: the vault has a different owner");
});

test("it is a document if JSON is requested, if the settings are readable", async () => {
  const asked = await failing({}, { ARO_HCP_OUTPUT: "json" });
  expect(JSON.parse(asked.stdout)).toMatchObject({ schemaVersion: 1, ok: false, failures: [{ code: "ARO-OWN-003" }] });
  const wrong = await failing({ output: "json", name: "No" });
  expect(JSON.parse(wrong.stdout)).toMatchObject({ failures: [{ code: "ARO-USAGE-001" }] });
  expect((await failing({ output: "jsn" })).stdout).toBe("");
});

test("several failures exit with their common code, or otherwise as a failed step", () => {
  const displayOptions = { output: "text", debug: false, color: "never" } as const;
  const exitOf = (...failures: Failure[]) => showFailure(new AggregateError(failures), displayOptions, fakeProcess([]).port);
  const [mine, taken] = [new Failure("ARO-OWN-001", "a"), new Failure("ARO-VAULT-002", "b")];
  expect(exitOf(mine, taken)).toBe(5);
  expect(exitOf(mine, new Failure("ARO-AZURE-001", "c"))).toBe(1);
});
