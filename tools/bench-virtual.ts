/**
 * Measures every command in virtual time, with the latencies of many seeds: how long it takes, over its critical path, and its requests. Prints
 * median, 90th percentile and worst, and fails if a target is missed.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createScreen } from "../src/render/screen.js";
import { table } from "../src/render/table.js";
import { plural } from "../src/text/plural.js";
import { figuresOf, missedTargets, shownFigures } from "./bench-distributions.js";
import { hashOfInputs } from "./bundle/inputs.js";
import { installGlobals } from "./simulation/globals.js";
import { createKeys, keyPairs } from "./simulation/keys.js";
import { measureLife, type MeasuredRun } from "./simulation/measure.js";
import { measuredLives, runsOf, type MeasuredLife } from "./simulation/measured-lives.js";
import { isOurs, isWorker, seedsOf, spread, takePart, type Part } from "./simulation/processes.js";
import { command } from "./simulation/commands.js";
import { warmUp } from "./simulation/warm-up.js";

const titles = measuredLives.flatMap((life) => runsOf(life).map(({ title }) => title));

const usage = [
  'npm run bench:virtual -- [--seeds 1..100] [--command "create all"] [--output FILE]',
  "",
  "--output adds the figures to a JSON file, by the hash of the sources.",
  "",
  `Commands: ${titles.join("; ")}.`,
].join("\n");

interface Work extends Part {
  /** Numbers of `measuredLives`. */
  readonly lives: readonly number[];
  readonly seeds: readonly number[];
  readonly keys: readonly string[];
}

/** What a process reports: the runs of one life with one seed. */
type Measured = readonly MeasuredRun[];

async function work({ lives, seeds, keys, ...part }: Work, report: (measured: Measured) => void): Promise<void> {
  installGlobals(keyPairs(keys));
  for (const life of lives.flatMap((index) => measuredLives[index] ?? [])) {
    await warmUp(life.seed, commandsOf(life));
    for (const [index, seed] of seeds.entries()) if (isOurs(part, index)) report(await measureLife(life, seed));
  }
}

function commandsOf(life: MeasuredLife): Parameters<typeof warmUp>[1] {
  const before = (life.before ?? []).map((each) => (typeof each === "string" ? command(each) : each));
  return [...before, ...runsOf(life).map(({ name }) => command(name))];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: "string", default: "1..100" },
      command: { type: "string", multiple: true },
      output: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { seeds: range, command: wanted = titles, output } = values;
  if (values.help || wanted.some((title) => !titles.includes(title))) throw new Error(usage);
  const seeds = seedsOf(range, usage);
  const sources = hashOfInputs(process.cwd());
  const lives = measuredLives.flatMap((life, index) => (runsOf(life).some(({ title }) => wanted.includes(title)) ? [index] : []));
  const runs = new Map<string, MeasuredRun[]>(titles.filter((title) => wanted.includes(title)).map((title) => [title, []]));
  await spread<Measured>("bench-virtual", { lives, seeds, keys: createKeys() }, (measured) => {
    for (const run of measured) runs.get(run.title)?.push(run);
  });
  const figures = new Map([...runs].map(([title, its]) => [title, figuresOf(its)]));
  const screen = createScreen({ stream: process.stdout, color: "auto", environment: process.env, now: () => new Date() });
  screen.print(`${plural(seeds.length, "seed")}: median, 90th percentile and worst of each figure; times in seconds`);
  screen.show(table(screen, ...shownFigures(figures)));
  if (output !== undefined) addFigures(output, { [sources]: { seeds: range, commands: Object.fromEntries(figures) } });
  const missed = [...runs].flatMap(([title, its]) => missedTargets(its).map((target) => `${title}: ${target}`));
  for (const each of missed) console.error(`missed: ${each}`);
  if (missed.length > 0) process.exitCode = 1;
}

/** Figures of other sources stay in the file. */
function addFigures(file: string, figures: object): void {
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
  writeFileSync(file, `${JSON.stringify({ ...known, ...figures }, undefined, 2)}\n`);
}

if (isWorker) takePart(work);
else await main();
