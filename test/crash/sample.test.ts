/** A sample of the crash test: the same few points of each command in each run. `npm run test:crash` tests all points or a random sample. */
import { expect, test } from "vitest";
import { crashCommands, samplePoints, pointName } from "../../tools/crash-points.js";
import { prepareCrashTest } from "../../tools/crash-test.js";
import { forEach } from "../../tools/for-each.js";
import { cli } from "../harness/cli.js";

const pointsOfEach = 3;
/** A fixed seed makes failures reproducible. */
const defaultSeed = 20_261_122;

test("after a kill at any request, a rerun completes the command", async () => {
  const seed = Number(process.env["ARO_HCP_CRASH_SEED"] ?? defaultSeed);
  const crash = await prepareCrashTest(crashCommands, (args, env) => cli(args, { env }));
  try {
    const points = crashCommands.flatMap((each) => {
      const ofOne = crash.points.filter(({ command }) => command === each);
      return samplePoints(ofOne, seed, pointsOfEach);
    });
    const problems: Record<string, readonly string[]> = {};
    await forEach(points, 2, async (point) => {
      const found = await crash.try(point);
      if (found.length > 0) problems[pointName(point)] = found;
    });
    expect(problems, `seed ${String(seed)}; replay a point: npm run test:crash -- --only <point>`).toEqual({});
  } finally {
    await crash.close();
  }
});
