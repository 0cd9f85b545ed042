/** The crash test: kills each command at each of its requests in turn, reruns it, and checks that the result is that of an undisturbed run. */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { plural } from "../src/text/plural.js";
import { crashCommands, samplePoints, parsePoint, pointName, type CrashPoint } from "./crash-points.js";
import { prepareCrashTest, type CrashTest } from "./crash-test.js";
import { forEach } from "./for-each.js";
import { warmCli } from "./warm-cli.js";

const usage = `npm run test:crash -- [--command "create all"] [--only create-all:17:after] [--sample COUNT] [--seed NUMBER] [--parallel COUNT]
You can repeat --command and --only. The commands are ${crashCommands.join(", ")}.`;

/** Returns the names of the points that failed. */
async function crash(test: CrashTest, points: readonly CrashPoint[], parallel: number): Promise<string[]> {
  const failed: string[] = [];
  const began = performance.now();
  let done = 0;
  await forEach(points, parallel, async (point) => {
    const name = pointName(point);
    const pointBegan = performance.now();
    const problems = await test.try(point);
    done += 1;
    if (problems.length > 0) failed.push(name);
    const verdict = problems.length > 0 ? `FAILED\n${problems.join("\n")}` : `ok, ${seconds(pointBegan)}`;
    console.log(`[${String(done)}/${String(points.length)}, ${seconds(began)}] ${name.padEnd(29)} ${verdict}`);
  });
  return failed;
}

function seconds(since: number): string {
  return `${String(Math.round((performance.now() - since) / 1000))} s`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      command: { type: "string", multiple: true },
      only: { type: "string", multiple: true },
      sample: { type: "string" },
      seed: { type: "string" },
      // Half of a run is waiting for the emulator's clock.
      parallel: { type: "string", default: "4" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const only = values.only?.map(parsePoint);
  const named = only?.map(({ command }) => command) ?? values.command ?? crashCommands;
  const commands = crashCommands.filter((command) => named.includes(command));
  if (commands.length === 0) throw new Error(usage);
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const warm = warmCli();
  const test = await prepareCrashTest(commands, warm.run);
  try {
    const points = only ?? samplePoints(test.points, seed, values.sample === undefined ? undefined : Number(values.sample));
    console.log(`${String(points.length)} of ${plural(test.points.length, "point")}, seed ${String(seed)}, concurrency ${values.parallel}`);
    const failed = await crash(test, points, Number(values.parallel));
    console.log(`\n${String(points.length - failed.length)} of ${plural(points.length, "point")} passed`);
    for (const name of failed) console.log(`To rerun: npm run test:crash -- --only ${name}`);
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    warm.close();
    await test.close();
  }
}

await main();
