/** Runs the tests beside busy loops: on a machine that is loaded they must pass, too. Prints the wall time and the processor time that they took. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";

const usage = `npm run test:loaded -- [--loops COUNT] [TEST FOLDER OR FILE ...]
COUNT busy loops run beside the tests: 8 unless told, 0 for figures to compare with.`;

/** POSIX's \`times\` prints on its second line what all processes below the shell took, once they have ended. */
const measured = '"$@"; code=$?; times >&3; exit $code';

function startLoops(count: number): readonly ChildProcess[] {
  return Array.from({ length: count }, () => spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }));
}

/** Minutes and seconds of user and system as \`times\` prints them, "12m3.45s 0m9.1s", in seconds. */
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
  const loops = startLoops(count);
  const stop = () => loops.forEach((loop) => loop.kill("SIGKILL"));
  process.once("exit", stop);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  const began = performance.now();
  const { code, times } = await runTests(positionals);
  const wall = (performance.now() - began) / 1000;
  stop();
  const [user = NaN, system = NaN] = secondsIn(times.trim().split("\n")[1] ?? "");
  console.log(
    `tests beside ${String(count)} busy loops: ${wall.toFixed(0)} s of wall time, ${(user + system).toFixed(0)} s of processor time ` +
      `(${user.toFixed(0)} s user, ${system.toFixed(0)} s system)`,
  );
  process.exitCode = code;
}

await main();
