/**
 * Measures the built program: start, CPU time, memory and loaded modules, and prints a table with the targets. Fails if a target is missed. `--only`
 * selects what to measure.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { plural } from "../src/text/plural.js";
import { buildBaseline } from "./bench-baseline.js";
import { measureUsage } from "./bench-cpu.js";
import { isMissed, moduleFigures, printFigures, startFigures, usageFigures, type Figure } from "./bench-figures.js";
import { loadedModules } from "./bench-modules.js";
import { measureStarts } from "./bench-start.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

interface Conditions {
  /** Number of runs of each command for the CPU time. */
  readonly rounds: number;
  /** Folder of an earlier build. */
  readonly baseline: string | undefined;
}

/** What can be measured. Without `--only`, everything is. */
const subjects = {
  start: async (directory: string) => startFigures(await measureStarts(directory, 25)),
  cpu: async (directory: string, { rounds, baseline }: Conditions) => usageFigures(await measureUsage(directory, rounds, baseline)),
  modules: async (directory: string) => moduleFigures(await loadedModules(directory)),
} as const;

const { values } = parseArgs({
  options: {
    json: { type: "string" },
    only: { type: "string", multiple: true },
    rounds: { type: "string", default: "7" },
    baseline: { type: "string" },
    "baseline-dir": { type: "string" },
  },
});
const rounds = Number(values.rounds);
const only = values.only?.flatMap((names) => names.split(","));
for (const name of only ?? [])
  if (!(name in subjects)) throw new Error(`--only ${name} is unknown; use ${Object.keys(subjects).join(", ")}`);
const machine = { cores: cpus().length, cpu: cpus()[0]?.model ?? "unknown", node: process.version, platform: process.platform };
console.log(`${plural(machine.cores, "core")}, Node.js ${machine.node}`);
const directory = createDirectory("bench");
try {
  const baseline = values.baseline === undefined ? values["baseline-dir"] : buildBaseline(directory, values.baseline);
  const figures: Figure[] = [];
  for (const [subject, measure] of Object.entries(subjects)) {
    if (only === undefined || only.includes(subject)) figures.push(...(await measure(path.join(directory, subject), { rounds, baseline })));
  }
  printFigures(figures);
  if (values.json !== undefined) {
    const document = { machine, figures: figures.map((figure) => ({ ...figure, missed: isMissed(figure) })) };
    writeFileSync(values.json, `${JSON.stringify(document, undefined, 2)}\n`);
  }
  const missed = figures.filter(isMissed);
  if (missed.length > 0) {
    console.error(`missed: ${missed.map(({ what }) => what).join("; ")}`);
    process.exitCode = 1;
  }
} finally {
  await removeDirectory(directory);
}
