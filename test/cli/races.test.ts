/** Identical commands that run at once on one emulator agree. `npm run test:races` starts them as processes, with random pauses. */
import { expect, test } from "vitest";
import { prepareKeys } from "../../tools/race-keys.js";
import { races } from "../../tools/race-scenarios.js";
import { runRace } from "../../tools/race-test.js";
import { systemClock } from "../../src/emulator/clock.js";
import { serve } from "../../src/emulator/index.js";
import { plainEnvironment } from "../../tools/cli-process.js";
import { cli } from "../harness/cli.js";
import { madeOnce } from "../harness/made-once.js";
import { stateTemplate } from "../harness/test-emulator.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const sample = races.filter(({ name }) => !name.includes("all"));

test.each(sample)("$name: the commands agree", { timeout: 300_000 }, async (race) => {
  const { path: root } = temporaryDirectory();
  const problems = await runRace(race, root, {
    state: await stateTemplate(),
    keys: await madeOnce("race-keys", prepareKeys),
    run: (args, env) => cli(args, { env: { ...plainEnvironment(root), ...env } }),
    emulator: { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "100" },
    async serve(directory, environment) {
      const server = await serve({ directory, environment, clock: systemClock });
      return () => server.close();
    },
    offset: () => 0,
  });
  expect(problems).toEqual([]);
});
