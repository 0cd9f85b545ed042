/** Runs the quickstart on a machine that busy loops keep loaded, where it must also pass, each time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { plural } from "../src/text/plural.js";
import { startBusyLoops } from "./busy-loops.js";

const usage = `npm run quickstart:loaded -- [--loops COUNT] [--times COUNT]
The number of busy loops (default: 24), and how often the quickstart runs beside them (default: 3).`;

/** Returns whether it passed. Its output is shown only if it did not. */
async function runQuickstart(): Promise<boolean> {
  const child = spawn(process.execPath, ["tools/run.mjs", "quickstart"], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) console.log(output);
  return code === 0;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      loops: { type: "string", default: "24" },
      times: { type: "string", default: "3" },
      help: { type: "boolean", short: "h" },
    },
  });
  const [loops, times] = [values.loops, values.times].map(Number) as [number, number];
  if (values.help || !Number.isInteger(loops) || loops < 0 || !Number.isInteger(times) || times < 1) {
    console.log(usage);
    if (!values.help) process.exitCode = 2;
    return;
  }
  const stop = startBusyLoops(loops);
  for (let run = 1; run <= times; run++) {
    const began = performance.now();
    const passed = await runQuickstart();
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(
      `quickstart ${String(run)} of ${String(times)} beside ${plural(loops, "busy loop")}: ${passed ? "passed" : "failed"} in ${seconds} s`,
    );
    if (!passed) process.exitCode = 1;
  }
  stop();
}

await main();
