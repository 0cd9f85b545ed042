/** The whole program in one process: all input and output goes through the port that it was started with, and no state remains. */
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { main } from "../../src/cli/main.js";
import type { EndSignal } from "../../src/run/process-port.js";
import { cli, fakeProcess, startCli } from "../harness/cli.js";
import { demo, demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { writesSince } from "../cli/expectations.js";

const createDemo = ["create", "infra", ...demo, ...demoDomain];

function variables(azure: TestEmulator): Readonly<Record<string, string>> {
  return { HOME: azure.path("."), LANG: "C.UTF-8", ARO_HCP_LOCAL_DIR: azure.directory };
}

test("help, version and usage errors go to the port's streams", async () => {
  expect(await cli(["--version"])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: "" });
  expect(await cli(["create", "infra", "--help"])).toMatchObject({ code: 0, stdout: expect.stringContaining("--infra-id"), stderr: "" });
  expect(await cli(["create", "nothing"])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("ARO-USAGE-001") });
  const { stdout } = await cli(["create", "nothing"], { env: { ARO_HCP_OUTPUT: "json" } });
  expect(JSON.parse(stdout)).toMatchObject({ ok: false, failures: [{ code: "ARO-USAGE-001" }] });
});

test("two clusters are created in parallel in one process, each in its own emulator", async () => {
  const [one, other] = await Promise.all([testEmulator(), testEmulator()]);
  const both = await Promise.all([one, other].map((azure) => cli([...createDemo, "--yes"], { env: variables(azure) })));
  expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
    [0, 0].map((code) => ({ code, stderr: expect.stringContaining("done") })),
  );
  expect((await one.snapshot()).resources).toEqual((await other.snapshot()).resources);
  expect(await cli([...createDemo, "--yes"], { env: variables(one) })).toMatchObject({ code: 0 });
});

test("a prompt uses the port's terminal", async () => {
  const azure = await testEmulator();
  const declining = startCli(createDemo, { env: { ...variables(azure), TERM: "xterm" }, tty: true });
  await declining.shows("Make these changes");
  declining.type("n\r");
  expect((await declining.ended).code).toBe(10);
});

test.each([
  ["Ctrl-C", "\u0003", 130, ""],
  ["SIGINT", "SIGINT", 130, "\nstopping; press Ctrl-C again to exit immediately\n"],
  ["SIGTERM", "SIGTERM", 143, "\nstopping\n"],
  ["SIGHUP", "SIGHUP", 143, "\nstopping\n"],
  ["Ctrl-D", "\u0004", 10, ""],
] as const)("%s at a prompt ends the command, and nothing is written", async (_what, how, code, text) => {
  const azure = await testEmulator();
  const running = startCli(createDemo, { env: { ...variables(azure), TERM: "xterm" }, tty: true });
  await running.shows("Make these changes");
  if (how.startsWith("SIG")) running.signal(how as EndSignal);
  else running.type(how);
  const ended = await running.ended;
  expect(ended.code).toBe(code);
  expect(ended.stderr).toContain(text);
  expect(await writesSince(azure)).toEqual([]);
});

test("text that was typed before a prompt does not answer it", async () => {
  const azure = await testEmulator();
  const running = fakeProcess(createDemo, { env: { ...variables(azure), TERM: "xterm" }, tty: true });
  // As on a terminal, text arrives some time after the program starts to read.
  let typed: string | undefined = "y\r";
  const stdin = new Readable({
    read() {
      const text = typed;
      typed = undefined;
      if (text !== undefined) setImmediate(() => this.push(text));
    },
  });
  const code = main({ ...running.port, stdin: Object.assign(stdin, { isTTY: true }) });
  await running.shows("Make these changes");
  stdin.push("n\r");
  expect(await code).toBe(10);
});

test("the first Ctrl-C stops the run, the second ends the process at once", async () => {
  const azure = await testEmulator();
  const env = { ...variables(azure), ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "1" };
  const once = startCli([...createDemo, "--yes"], { env });
  await once.shows("creating");
  once.signal("SIGINT");
  expect((await once.ended).code).toBe(130);
  expect(once.stderr()).toContain("ARO-RUN-004");

  const twice = startCli([...createDemo, "--yes"], { env });
  await twice.shows("creating");
  twice.signal("SIGINT");
  twice.signal("SIGINT");
  expect((await twice.ended).code).toBe("SIGINT");
  expect(twice.stderr()).not.toContain("ARO-RUN-004");
});

test("after a command ends, no signal listener remains", async () => {
  const azure = await testEmulator();
  const running = startCli(["show", "infra", ...demo, ...demoDomain], { env: variables(azure) });
  expect((await running.ended).code).toBe(0);
  running.signal("SIGINT");
  expect(running.stderr()).not.toContain("stopping");
});

test("however many commands use the same streams, each stream has one error listener, which remains", async () => {
  const azure = await testEmulator();
  const { port, stdout } = fakeProcess([], { env: variables(azure) });
  for (const args of [["--version"], ["schema"], ["create", "nothing"], ["show", "infra", ...demo, ...demoDomain], ["local", "status"]]) {
    await main({ ...port, args });
  }
  expect([port.stdout, port.stderr].map((stream) => stream.listenerCount("error"))).toEqual([1, 1]);
  expect(stdout()).toContain("RESOURCE");
});

test("a result that is lost in one command is not reported by the next one on the same stream", async () => {
  const { port, stderr } = fakeProcess(["--version"]);
  const losing = main(port);
  port.stdout.emit("error", Object.assign(new Error("full"), { code: "ENOSPC" }));
  expect(await losing).toBe(1);
  expect(stderr()).toContain("ARO-RUN-006");
  expect(await main(port)).toBe(0);
});
