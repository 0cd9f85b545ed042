/**
 * The race test: starts commands together, as processes on one served emulator, and checks that they agree. A round runs each race once, with
 * random pauses before the starts and a random time scale.
 */
import { randomInt } from "node:crypto";
import { mkdtemp } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { plural } from "../src/text/plural.js";
import { plainEnvironment, program, runCli, runOrThrow, startNode } from "./cli-process.js";
import { prepareKeys } from "./race-keys.js";
import { races } from "./race-scenarios.js";
import { runRace, type RaceSetting } from "./race-test.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

const usage = `npm run test:races -- [--rounds COUNT] [--seed NUMBER] [--only create-all-3]
You can repeat --only. The races are ${races.map(({ name }) => name).join(", ")}.`;

/** Azure's durations, this many times faster. */
const timeScales = [4, 60, 200] as const;
/**
 * Up to here, a certificate takes longer than a process needs between its last look and its request, as on Azure. Beyond, or with more processes
 * that want a processor, two runs may each create a version. Then the versions are not counted, but all runs must agree on the newest one.
 */
const countingScale = 4;
const countingLoad = 3 * availableParallelism();
/** Most racers start at almost the same time; the others meet in the middle of their runs. */
const longestOffsets = [50, 500, 8_000] as const;

interface Conditions {
  readonly timeScale: number;
  readonly offsets: readonly number[];
}

/** The seed determines both. */
function conditionsOf(seed: number): Conditions {
  const offsets = fc.constantFrom(...longestOffsets).chain((longest) => fc.array(fc.nat(longest), { minLength: 3, maxLength: 3 }));
  const [conditions] = fc.sample(fc.record({ timeScale: fc.constantFrom(...timeScales), offsets }), { seed, numRuns: 1 });
  if (conditions === undefined) throw new Error("fast-check returned no sample");
  return conditions;
}

async function serve(directory: string, emulator: RaceSetting["emulator"]): Promise<() => Promise<void>> {
  const { process: server, ended } = startNode([program, "local", "serve"], {
    ...plainEnvironment(directory),
    ARO_HCP_LOCAL_DIR: directory,
    ...emulator,
  });
  await Promise.race([
    new Promise((resolve) => server.stdout?.once("data", resolve)),
    ended.then(({ code, stderr }) => Promise.reject(new Error(`local serve exited with ${String(code)}\n${stderr}`))),
  ]);
  return async () => {
    server.kill("SIGTERM");
    await ended;
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: "string", default: "1" },
      seed: { type: "string" },
      only: { type: "string", multiple: true },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const chosen = races.filter(({ name }) => values.only?.includes(name) ?? true);
  if (chosen.length < (values.only?.length ?? 1)) throw new Error(usage);
  const firstSeed = values.seed === undefined ? randomInt(2 ** 30) : Number(values.seed);
  const root = createDirectory("races");
  try {
    const state = path.join(root, "state");
    await runOrThrow(["destroy", "all", "--cloud", "local", "--name", "demo", "--infra-id", "demo", "--yes"], {
      ...plainEnvironment(root),
      ARO_HCP_LOCAL_DIR: state,
    });
    const keys = await mkdtemp(path.join(root, "keys-"));
    await prepareKeys(keys);
    const rounds = Number(values.rounds);
    console.log(`${plural(rounds, "round")} of ${plural(chosen.length, "race")}, seed ${String(firstSeed)}`);
    const failures: string[] = [];
    for (let seed = firstSeed; seed < firstSeed + rounds; seed++) {
      for (const race of chosen) {
        const { timeScale, offsets } = conditionsOf(seed * 100 + races.indexOf(race));
        const pauses = offsets.values();
        let counted = false;
        const began = performance.now();
        const directory = await mkdtemp(path.join(root, `${race.name}-`));
        const problems = await runRace(race, directory, {
          state,
          keys,
          run: (args, env) => runCli(args, { ...plainEnvironment(directory), ...env }),
          emulator: { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: String(timeScale) },
          serve,
          countsVersions: () => (counted = timeScale <= countingScale && (loadavg()[0] ?? 0) <= countingLoad),
          offset: () => pauses.next().value ?? 0,
        });
        await removeDirectory(directory);
        const took = `${String(Math.round((performance.now() - began) / 1000))} s, time scale ${String(timeScale)}${counted ? ", versions counted" : ""}`;
        console.log(`${race.name.padEnd(28)} ${problems.length === 0 ? `ok, ${took}` : `FAILED\n${problems.join("\n")}`}`);
        if (problems.length > 0) failures.push(`npm run test:races -- --only ${race.name} --seed ${String(seed)}`);
      }
    }
    const count = rounds * chosen.length;
    console.log(`\n${String(count - failures.length)} of ${plural(count, "race")} passed`);
    for (const command of failures) console.log(`To rerun: ${command}`);
    if (failures.length > 0) process.exitCode = 1;
  } finally {
    await removeDirectory(root);
  }
}

await main();
