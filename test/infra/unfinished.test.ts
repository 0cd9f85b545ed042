/** A command whose process has nothing left to wait for ends with a failure, not without a word. */
import { expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import { plainEnvironment, startNode } from "../../tools/cli-process.js";
import { fakeProcess } from "../harness/cli.js";
import { demo, demoDomain, testEmulator } from "../harness/test-emulator.js";

test.each([
  ["text", [], /ARO-BUG-001/],
  ["JSON", ["--output", "json"], /"code": "ARO-BUG-001"/],
])("as %s", async (_title, flags, shown) => {
  const azure = await testEmulator();
  const env = { HOME: azure.path("."), TERM: "xterm", ARO_HCP_LOCAL_DIR: azure.directory };
  const running = fakeProcess(["create", "infra", ...demo, ...demoDomain, ...flags], { tty: true, env });
  void main(running.port);
  await running.shows("Make these changes");
  running.idle();
  expect(await running.ended).toBe(70);
  expect(running.stdout() + running.stderr()).toMatch(shown);
});

test("a process notices that nothing is left to wait for", async () => {
  const script = `const { processPort } = require("./dist/main.cjs"); const port = processPort(); port.onIdle(() => port.exit(70)); new Promise(() => {});`;
  const { code, stderr } = await startNode(["--eval", script], plainEnvironment("/nonexistent")).ended;
  expect(code, stderr).toBe(70);
});
