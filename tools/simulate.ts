/**
 * Simulates whole lives of commands in one process and in virtual time: under faults, beside each other, and from every state in which a command can
 * end. A seed determines everything, so that a failure can be repeated.
 */
import { parseArgs } from "node:util";
import { plural } from "../src/text/plural.js";
import { createKeys } from "./simulation/keys.js";
import { lives, nameOf } from "./simulation/lives.js";
import { pairs } from "./simulation/pairs.js";
import { isWorker, seedsOf, spread, takePart } from "./simulation/processes.js";
import { races } from "./simulation/races.js";
import { tracks } from "./simulation/tracks.js";
import { share, work, type Job, type Report } from "./simulation/worker.js";

const usage = [
  'npm run simulate -- --seeds 1..100 [--life all|"create arc, destroy arc"]',
  "npm run simulate -- --races 1..3 [--race create-all-2]",
  'npm run simulate -- --pairs 1..3 [--pair "zone: create dns-zone beside destroy dns-zone"] [--rotation NUMBER]',
  'npm run simulate -- --crash some|all [--track all] [--rotation NUMBER] [--state "create all 52, undo"]',
  "",
  "A life is a create, the same create again, and the destroy, while one of five requests fails.",
  "To repeat one, add --faults 1.17,2.3 and --choices 120.",
  "`--crash some` takes the same command from one state of four, and every other way from one of eight.",
  "--rotation chooses which, and one of eight pairs.",
  "",
  `Lives: ${lives.map(nameOf).join("; ")}.`,
  `Races: ${races.map(({ name }) => name).join(", ")}.`,
  `Tracks: ${tracks.map(({ name }) => name).join(", ")}.`,
].join("\n");

function chosen(known: readonly string[], names: readonly string[] | undefined, byDefault = known): readonly string[] {
  if (names?.[0] === "all" && !known.includes("all")) return known;
  if (names?.some((name) => !known.includes(name))) throw new Error(usage);
  return names ?? byDefault;
}

function jobs(): Job[] {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string" },
      life: { type: "string", multiple: true },
      faults: { type: "string" },
      choices: { type: "string" },
      races: { type: "string" },
      race: { type: "string", multiple: true },
      pairs: { type: "string" },
      pair: { type: "string", multiple: true },
      crash: { type: "string" },
      track: { type: "string", multiple: true },
      state: { type: "string", multiple: true },
      rotation: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { seeds, faults, choices, crash } = values;
  const rotation = values.rotation === undefined ? undefined : Number(values.rotation);
  if (values.help || ![seeds, values.races, values.pairs, crash].some((each) => each !== undefined)) throw new Error(usage);
  if (crash !== undefined && crash !== "some" && crash !== "all") throw new Error(usage);
  const lifeNames = lives.map(nameOf);
  return [
    ...(seeds === undefined ? [] : chosen(lifeNames, values.life, lifeNames.slice(0, 1))).flatMap((name) =>
      seedsOf(seeds ?? "", usage).map((seed): Job => ({
        kind: "life",
        name,
        seed,
        faults: faults?.split(",").filter((each) => each !== ""),
        freeChoices: choices === undefined ? undefined : Number(choices),
      })),
    ),
    ...(values.races === undefined ? [] : seedsOf(values.races, usage)).flatMap((seed) =>
      chosen(
        races.map(({ name }) => name),
        values.race,
      ).map((name): Job => ({ kind: "race", name, seed })),
    ),
    ...(values.pairs === undefined ? [] : seedsOf(values.pairs, usage)).flatMap((seed) =>
      chosen(
        pairs.map(({ name }) => name),
        values.pair,
      )
        .filter((_, index) => rotation === undefined || index % share === rotation % share)
        .map((name): Job => ({ kind: "race", name, seed })),
    ),
    ...(crash === undefined
      ? []
      : chosen(
          tracks.map(({ name }) => name),
          values.track,
        )
    ).map((name): Job => ({
      kind: "crash",
      name,
      rotation: crash === "all" ? undefined : (rotation ?? 0),
      states: values.state,
    })),
  ];
}

async function main(): Promise<void> {
  const all = jobs();
  const began = performance.now();
  let [count, turns] = [0, 0];
  const failed: string[] = [];
  const onReport = ({ title, repeat, outcome, ms }: Report): void => {
    count++;
    turns += outcome.turns;
    const isRight = outcome.problems.length === 0;
    if (!isRight) failed.push(repeat);
    console.log(
      [
        title.padEnd(44),
        outcome.hash,
        plural(outcome.turns, "turn").padStart(12),
        `${String(Math.round(outcome.virtualMs / 1000))} s virtual`.padStart(15),
        `${(ms / 1000).toFixed(1)} s`.padStart(7),
        isRight ? "ok" : `FAILED\n${outcome.problems.join("\n")}`,
      ].join("  "),
    );
  };
  await spread("simulate", { jobs: all, keys: createKeys() }, onReport);
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `\n${String(count - failed.length)} of ${plural(count, "simulation")} passed in ${seconds.toFixed(0)} s: ${((count * 3600) / seconds).toFixed(0)} an hour, ${plural(turns, "turn")}`,
  );
  for (const each of failed) console.log(`To repeat: npm run simulate -- ${each}`);
  if (failed.length > 0) process.exitCode = 1;
}

if (isWorker) takePart(work);
else await main();
