/** A sample of the crash test, the same in each run: some points of each command; `npm run test:crash` takes every point, or a sample drawn anew. */
import { expect, test } from "vitest";
import { crashCommands, samplePoints, pointName } from "../../tools/crash-points.js";
import { prepareCrashTest } from "../../tools/crash-test.js";
import { cli } from "../harness/cli.js";

const pointsOfEach = 3;
/** A failure comes again with the next run. */
const usualSeed = 20_261_122;

test("after a kill at any request, the same command makes all well", { timeout: 600_000 }, async () => {
  const seed = Number(process.env["ARO_HCP_CRASH_SEED"] ?? usualSeed);
  const crash = await prepareCrashTest(crashCommands, (args, env) => cli(args, { env }));
  try {
    const points = crashCommands.flatMap((each) => {
      const ofOne = crash.points.filter(({ command }) => command === each);
      return samplePoints(ofOne, seed, pointsOfEach);
    });
    const problems: Record<string, readonly string[]> = {};
    const worker = async (): Promise<void> => {
      for (let point = points.shift(); point !== undefined; point = points.shift()) {
        const found = await crash.try(point);
        if (found.length > 0) problems[pointName(point)] = found;
      }
    };
    await Promise.all([worker(), worker()]);
    expect(problems, `seed ${String(seed)}; replay a point: npm run test:crash -- --only <point>`).toEqual({});
  } finally {
    await crash.close();
  }
});
