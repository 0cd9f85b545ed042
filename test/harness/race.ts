/** Runs a race in this process, on an emulator with recorded latency. `npm run test:races` starts processes, with random pauses. */
import { prepareKeys } from "../../tools/race-keys.js";
import type { Race } from "../../tools/race-scenarios.js";
import { runRace } from "../../tools/race-test.js";
import { plainEnvironment } from "../../tools/cli-process.js";
import { systemClock } from "../../src/emulator/clock.js";
import { serve } from "../../src/emulator/index.js";
import { cli } from "./cli.js";
import { madeOnce } from "./made-once.js";
import { stateTemplate } from "./test-emulator.js";
import { temporaryDirectory } from "./temporary-directory.js";

/** 100 s of Azure's clock take a second. */
export const raceScale = { ARO_HCP_LOCAL_TIME_SCALE: "100" } as const;

/** What the commands of the race left that they should not have. */
export async function raceProblems(race: Race): Promise<readonly string[]> {
  const { path: root } = temporaryDirectory();
  return runRace(race, root, {
    state: await stateTemplate(),
    keys: await madeOnce("race-keys", prepareKeys),
    run: (args, env) => cli(args, { env: { ...plainEnvironment(root), ...env } }),
    emulator: { ARO_HCP_LOCAL_LATENCY: "recorded", ...raceScale },
    // On a busy computer, a certificate is ready before the other run in this process has sent its request.
    countsVersions: () => false,
    async serve(directory, environment) {
      const server = await serve({ directory, environment, clock: systemClock });
      return () => server.close();
    },
    offset: () => 0,
  });
}
