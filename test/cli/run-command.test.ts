/** How a failure of a command is told: in the form, colour and depth that its settings ask for, wherever those were given. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { runCommand } from "../../src/cli/run/run-command.js";
import { showFailure } from "../../src/cli/run/show-failure.js";
import { Failure } from "../../src/errors/failure.js";
import type { Sources } from "../../src/settings/resolve.js";

let people = "";
let result = "";

beforeEach(() => {
  [people, result] = ["", ""];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => ((people += String(text)), true));
  vi.spyOn(process.stdout, "write").mockImplementation((text) => ((result += String(text)), true));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const needed = { name: "demo", persistentResourceGroupName: "common" };

/** Runs `show identities`, which fails once its settings are known. */
function failing(flags: Sources["flags"], environment: NodeJS.ProcessEnv = {}): Promise<number> {
  const load = async () => ({ run: () => Promise.reject(new Failure("ARO-OWN-003", "the vault is another one")) });
  return runCommand("show identities", load, { flags: { ...needed, ...flags }, word: undefined, environment });
}

test("stacks are shown where the flag or the variable asks for them", async () => {
  expect(await failing({})).toBe(5);
  expect(people).not.toContain(" at ");
  await failing({ debug: true });
  expect(people).toContain(" at ");
  people = "";
  await failing({}, { ARO_HCP_DEBUG: "true" });
  expect(people).toContain(" at ");
});

test("it is coloured where that is asked for, also when the settings themselves are wrong", async () => {
  await failing({ color: "always" });
  expect(people).toContain("\u001b[1merror:");
  people = "";
  expect(await failing({ color: "always", name: "No" })).toBe(2);
  expect(people).toContain("\u001b[1merror:");
  people = "";
  await failing({}, { FORCE_COLOR: "1", ARO_HCP_COLOR: "never" });
  expect(people).toContain("error: the vault is another one");
});

test("it is a document where JSON is asked for, as far as the settings can be read", async () => {
  await failing({}, { ARO_HCP_OUTPUT: "json" });
  expect(JSON.parse(result)).toMatchObject({ schemaVersion: 1, ok: false, failures: [{ code: "ARO-OWN-003" }] });
  result = "";
  await failing({ output: "json", name: "No" });
  expect(JSON.parse(result)).toMatchObject({ failures: [{ code: "ARO-USAGE-001" }] });
  result = "";
  await failing({ output: "jsn" });
  expect(result).toBe("");
});

test("several failures exit with their code where they agree, else as a failed step", () => {
  const displayOptions = { output: "text", debug: false, color: "never" } as const;
  const exitOf = (...failures: Failure[]) => showFailure(new AggregateError(failures), displayOptions, {});
  const [mine, taken] = [new Failure("ARO-OWN-001", "a"), new Failure("ARO-VAULT-002", "b")];
  expect(exitOf(mine, taken)).toBe(5);
  expect(exitOf(mine, new Failure("ARO-AZURE-001", "c"))).toBe(1);
});
