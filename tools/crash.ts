/** The crash test: kills create and destroy at each of their requests in turn, and proves that running them again makes all well. */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { drawPoints, parsePoint, pointName, prepareCrashTest, type CrashPoint, type CrashTest } from "./crash-points.js";

const usage = "npm run test:crash -- [--only create:17:after] [--sample COUNT] [--seed NUMBER] [--parallel COUNT]";

/** Returns the names of the points that failed. */
async function crash(test: CrashTest, points: readonly CrashPoint[], parallel: number): Promise<string[]> {
  const failed: string[] = [];
  const began = performance.now();
  const queue = [...points];
  let done = 0;
  const worker = async (): Promise<void> => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      const name = pointName(point);
      const problems = await test.try(point);
      done += 1;
      if (problems.length > 0) failed.push(name);
      const verdict = problems.length > 0 ? `FAILED\n${problems.join("\n")}` : "ok";
      const elapsed = `${String(Math.round((performance.now() - began) / 1000))} s`;
      console.log(`[${String(done)}/${String(points.length)}, ${elapsed}] ${name.padEnd(18)} ${verdict}`);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return failed;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true },
      sample: { type: "string" },
      seed: { type: "string" },
      parallel: { type: "string", default: "2" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const test = await prepareCrashTest();
  try {
    const points =
      values.only?.map(parsePoint) ?? drawPoints(test.points, seed, values.sample === undefined ? undefined : Number(values.sample));
    console.log(`${String(points.length)} of ${String(test.points.length)} points, seed ${String(seed)}, ${values.parallel} at once`);
    const failed = await crash(test, points, Number(values.parallel));
    console.log(`\n${String(points.length - failed.length)} of ${String(points.length)} points converge`);
    for (const name of failed) console.log(`again: npm run test:crash -- --only ${name}`);
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    await test.close();
  }
}

await main();
