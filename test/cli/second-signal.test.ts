/** A process with a thread that waits in the system: one signal ends it, whatever it waits for, and so does one after its run has ended. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished, expect, test } from "vitest";
import { clusterFlags, domainFlags } from "../../tools/demo-cluster.js";
import { testEmulator, type RunningCli } from "../harness/test-emulator.js";

const onUnix = test.skipIf(process.platform === "win32");

/** The exit code of the run, as the signal that a shell reports as this code. */
const endings = [
  ["SIGINT", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
  ["SIGHUP", "SIGTERM"],
] as const;

onUnix.each(endings)("one %s ends the command by %s", async (signal, ending) => {
  const { running, shows } = await blocked();
  await shows("creating");
  running.process.kill(signal);
  expect((await running.ended).code).toBe(ending);
});

onUnix.each(endings)("a second %s ends the command at once", async (signal, ending) => {
  const { running, shows } = await blocked();
  await shows("creating");
  running.process.kill(signal);
  await shows("stopping");
  running.process.kill(signal);
  // The first signal may have ended it.
  expect([signal, ending]).toContain((await running.ended).code);
});

onUnix.each(endings)("%s ends a command that has timed out", async (signal) => {
  const { running, shows } = await blocked("--timeout", "2s");
  await shows("[ARO-RUN-001]");
  // By then, Node.js waits for its threads, and no listener can run.
  await sleep(1000);
  running.process.kill(signal);
  expect((await running.ended).code).toBe(signal);
});

/** A create that takes minutes. A thread of its process reads a pipe that nobody writes, as it would read a file system that does not answer. */
async function blocked(...flags: string[]): Promise<{ running: RunningCli; shows(text: string): Promise<void> }> {
  const azure = await testEmulator();
  const pipe = azure.path("pipe");
  execFileSync("mkfifo", [pipe]);
  const preload = azure.path("read-pipe.cjs");
  const read = `require("node:fs").readFile(${JSON.stringify(pipe)}, () => {});`;
  await writeFile(preload, `if (require("node:worker_threads").isMainThread) ${read}\n`);
  const running = await azure.start(["create", "infra", ...clusterFlags, ...domainFlags, "--yes", ...flags], {
    env: { NODE_OPTIONS: `--require ${preload}`, ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "1" },
  });
  let stderr = "";
  running.process.stderr.on("data", (text: string) => (stderr += text));
  let writer: number | undefined;
  await expect.poll(() => (writer = writerOf(pipe))).toBeDefined();
  onTestFinished(() => closeSync(writer ?? 0));
  return {
    running,
    async shows(text) {
      while (!stderr.includes(text)) await once(running.process.stderr ?? running.process, "data");
    },
  };
}

/** Opens a pipe that another process reads; undefined if none does yet. */
function writerOf(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
