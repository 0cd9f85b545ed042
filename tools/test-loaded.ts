/** Runs the tests on a machine that busy loops keep loaded, where they must also pass. Prints their wall time and CPU time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { plural } from "../src/text/plural.js";
import { startBusyLoops } from "./busy-loops.js";

const usage = `npm run test:loaded -- [--loops COUNT] [TEST FOLDER OR FILE ...]
COUNT is the number of busy loops (default: 8). Use 0 for figures to compare with.`;

/** The second line of the shell's \`times\` is the CPU time of all ended child processes. */
const measured = '"$@"; code=$?; times >&3; exit $code';

/** The user and system time that \`times\` prints, "12m3.45s 0m9.1s", in seconds. */
function secondsIn(line: string): readonly number[] {
  return [...line.matchAll(/(\d+)m([\d.,]+)s/g)].map(
    ([, minutes, seconds = ""]) => Number(minutes) * 60 + Number(seconds.replace(",", ".")),
  );
}

async function runTests(args: readonly string[]): Promise<{ readonly code: number; readonly times: string }> {
  const command = [process.execPath, "node_modules/vitest/vitest.mjs", "run", ...args];
  const shell = spawn("sh", ["-c", measured, "sh", ...command], { stdio: ["ignore", "inherit", "inherit", "pipe"] });
  let times = "";
  shell.stdio[3]?.on("data", (text: Buffer) => (times += text.toString()));
  const [code] = (await once(shell, "close")) as [number | null];
  return { code: code ?? 1, times };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { loops: { type: "string", default: "8" }, help: { type: "boolean", short: "h" } },
  });
  const count = Number(values.loops);
  if (values.help || !Number.isInteger(count) || count < 0) {
    console.log(usage);
    if (!values.help) process.exitCode = 2;
    return;
  }
  const stop = startBusyLoops(count);
  const began = performance.now();
  const { code, times } = await runTests(positionals);
  const wall = (performance.now() - began) / 1000;
  stop();
  const [user = NaN, system = NaN] = secondsIn(times.trim().split("\n")[1] ?? "");
  console.log(
    `tests with ${plural(count, "busy loop")}: ${wall.toFixed(0)} s of wall time, ${(user + system).toFixed(0)} s of CPU time ` +
      `(${user.toFixed(0)} s user, ${system.toFixed(0)} s system)`,
  );
  process.exitCode = code;
}

await main();
