/** A sample of the crash test: the same few points of each command in each run. `npm run test:crash` tests all points or a random sample. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { crashCommands, samplePoints, pointName } from "../../tools/crash-points.js";
import { prepareCrashTest, type CrashTest } from "../../tools/crash-test.js";
import { forEach } from "../../tools/for-each.js";
import { cli } from "../harness/cli.js";

const pointsOfEach = 3;
/** A fixed seed makes failures reproducible. */
const seed = Number(process.env["ARO_HCP_CRASH_SEED"] ?? 20_261_122);

let crash: CrashTest;
beforeAll(async () => {
  crash = await prepareCrashTest(crashCommands, (args, env) => cli(args, { env }));
});
afterAll(() => crash.close());

test.each(crashCommands)("after a kill at any request of %s, a rerun completes it", async (command) => {
  const ofCommand = crash.points.filter((point) => point.command === command);
  const problems: Record<string, readonly string[]> = {};
  await forEach(samplePoints(ofCommand, seed, pointsOfEach), 2, async (point) => {
    const found = await crash.try(point);
    if (found.length > 0) problems[pointName(point)] = found;
  });
  expect(problems, `seed ${String(seed)}; replay a point: npm run test:crash -- --only <point>`).toEqual({});
});
