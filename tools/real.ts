/**
 * Long runs of real processes (`npm run test:real`): each command is killed at one of its requests and run again, and storms go through sockets. What
 * fails here and not in `npm run simulate` is a matter of processes, files, or HTTPS.
 */
import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { plural } from "../src/text/plural.js";
import { buildIfStale } from "./bundle/build.js";
import { lastLines } from "./cli-process.js";
import { RealPlace } from "./real-place.js";
import { command, type CommandName } from "./simulation/commands.js";
import { stormFaults } from "./simulation/faults.js";
import { lives, nameOf as nameOfLife, type Life } from "./simulation/lives.js";
import { failed, headed } from "./simulation/problems.js";
import { randomFrom, type Fraction } from "./simulation/random.js";
import { differences, type Snapshot } from "./simulation/snapshot.js";
import { succeed, underFaults, withoutFaults } from "./simulation/storm.js";
import { tracks, type Track } from "./simulation/tracks.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

const usage = `npm run test:real -- [--seed NUMBER] [--only "all: create all"]
You can repeat --only. It takes the beginning of a name.`;

const storms = 20;
/** Half of a run is waiting. */
const parallel = 2 * availableParallelism();

interface Setting {
  /** The directory of all places. */
  readonly root: string;
  readonly seed: string;
  /** Whether `--only` chooses what has this name. */
  isWanted(name: string): boolean;
  /** Prints what `work` found. Never rejects. */
  report(name: string, work: () => Promise<Found>): Promise<void>;
}

interface Found {
  readonly what: string;
  /** Empty if there are none. */
  readonly problems: readonly string[];
}

async function killEach(track: Track, { root, seed, isWanted, report }: Setting): Promise<void> {
  const nameOf = (each: CommandName): string => `${track.name}: ${each}`;
  const isKilled = (each: Track["commands"][number]): boolean => typeof each === "string" && isWanted(nameOf(each));
  const commands = track.commands.slice(0, track.commands.findLastIndex(isKilled) + 1);
  if (commands.length === 0) return;
  const place = new RealPlace({ root, latency: "none" });
  await place.seed(track.seed ?? {});
  for (const each of track.before ?? []) await succeed(place, each);
  for (const each of commands) {
    if (typeof each !== "string") await place.seed(each.seed);
    else if (!isKilled(each)) await succeed(place, each);
    else
      await report(nameOf(each), async () => {
        const before = place.copy();
        await succeed(place, each);
        return killed(before, each, await place.snapshot(), place.requests(), randomFrom(`kill ${seed} ${nameOf(each)}`));
      });
  }
}

/** Kills the command in a copy of `before`, and runs it again there. */
async function killed(before: RealPlace, name: CommandName, after: Snapshot, requests: number, random: Fraction): Promise<Found> {
  const when = random() < 0.5 ? "before" : "after";
  // Steps run concurrently, so a run may end before the request: it sends fewer than the undisturbed one.
  for (let request = 1 + Math.floor(random() * requests); ; request = Math.ceil(request / 2)) {
    const place = before.copy();
    const run = await place.run("the run to kill", command(name), [{ request, times: 1, when, kill: true }]);
    if (run.code === 0 && request > 1) continue;
    const what = `killed ${when} request ${String(request)} of ${String(requests)}`;
    if (run.code !== "SIGKILL") return { what, problems: [`the run to kill exited with ${String(run.code)}\n${lastLines(run.stderr)}`] };
    place.age();
    const again = await place.run("the rerun", command(name));
    const problems =
      again.code === 0 ? headed("the rerun left differences:", differences(await place.snapshot(), after)) : failed("the rerun", again);
    return { what, problems: [...problems, ...place.problems] };
  }
}

/** Half of the storms meet operations that take time. */
async function storm(number: number, life: Life, { root, seed }: Setting): Promise<Found> {
  const wanted = await withoutFaults(new RealPlace({ root, latency: "none" }), life);
  const place = new RealPlace({ root, isServed: true, latency: number % 2 === 0 ? "none" : "recorded" });
  let runs = 0;
  const problems = await underFaults(place, life, wanted, (run) => {
    runs++;
    return stormFaults(`${seed} ${String(number)}`, run);
  });
  return { what: plural(runs, "run"), problems: [...problems, ...place.problems] };
}

function jobsOf(setting: Setting): (() => Promise<void>)[] {
  const named = [...lives, ...lives].slice(0, storms).map((life, index) => {
    const number = index + 1;
    const name = `storm ${String(number)}: ${nameOfLife(life)}`;
    return { name, start: () => setting.report(name, () => storm(number, life, setting)) };
  });
  const wanted = named.filter(({ name }) => setting.isWanted(name));
  return [...tracks.map((track) => () => killEach(track, setting)), ...wanted.map(({ start }) => start)];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { seed: { type: "string", default: String(randomInt(2 ** 31)) }, only: { type: "string", multiple: true, default: [""] } },
  });
  const { seed, only } = values;
  const root = createDirectory("real");
  const repeats: string[] = [];
  let count = 0;
  const report: Setting["report"] = async (name, work) => {
    const began = performance.now();
    const { what, problems } = await work().catch((error: unknown) => ({ what: "broken", problems: [String(error)] }));
    count++;
    const isRight = problems.length === 0;
    if (!isRight) repeats.push(`--seed ${seed} --only "${name}"`);
    console.log(
      [name.padEnd(60), what.padEnd(33), secondsSince(began).padStart(5), isRight ? "ok" : `FAILED\n${problems.join("\n")}`].join("  "),
    );
  };
  const jobs = jobsOf({ root, seed, isWanted: (name) => only.some((each) => name.startsWith(each)), report });
  const began = performance.now();
  console.log(`seed ${seed}`);
  try {
    await buildIfStale();
    const work = async (): Promise<void> => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) await job();
    };
    await Promise.all(Array.from({ length: parallel }, work));
  } finally {
    await removeDirectory(root);
  }
  if (count === 0) throw new Error(usage);
  console.log(`\n${String(count - repeats.length)} of ${String(count)} passed in ${secondsSince(began)}`);
  for (const repeat of repeats) console.log(`To repeat: npm run test:real -- ${repeat}`);
  if (repeats.length > 0) process.exitCode = 1;
}

function secondsSince(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(0)} s`;
}

await main();
