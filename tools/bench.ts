/**
 * Measures create, second create, destroy, verification, start, CPU time and loaded modules, and prints a table with the targets.
 * Fails if a target is missed. `--only` selects what to measure.
 */
import { cpus } from "node:os";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { seedState } from "../src/emulator/index.js";
import { plural } from "../src/text/plural.js";
import { buildBaseline } from "./bench-baseline.js";
import { measureUsage } from "./bench-cpu.js";
import {
  azureFigures,
  idleFigures,
  isMissed,
  moduleFigures,
  printFigures,
  startFigures,
  usageFigures,
  verifyFigures,
  type Figure,
} from "./bench-figures.js";
import { loadedModules } from "./bench-modules.js";
import { serveState } from "./bench-run.js";
import { measureStarts } from "./bench-start.js";
import { timeVerification } from "./bench-verify.js";
import { plainEnvironment, runOrThrow } from "./cli-process.js";
import {
  clusterFlags,
  createManagementFlags,
  createServiceFlags,
  demoSeed,
  infraFlags,
  managementFlags,
  managementSeed,
  serviceFlags,
  serviceSeed,
  wholeFlags,
  writeDemoFiles,
} from "./demo-cluster.js";
import { createDirectory, removeDirectory } from "./temporary-directory.js";

/** The speed relative to Azure. It is 1 by default: the client's own computing does not scale, so its share stays realistic. */
const defaultScale = "1";

/** Of a cluster on AKS, whose operations take minutes: they are polled more seldom. */
const clusterTarget = 1.1;

interface Conditions {
  readonly scale: number;
  /** Seed of the sampled latencies. */
  readonly seed: number;
  /** Number of runs of each command for the CPU time. */
  readonly rounds: number;
  /** Folder of an earlier build. */
  readonly baseline: string | undefined;
}

/** What can be measured. Without `--only`, everything is. */
const subjects = {
  infra: (directory: string, { scale, seed }: Conditions) => {
    const files = writeDemoFiles(directory);
    const create = ["create", "infra", ...infraFlags(files)];
    return lifeFigures(directory, scale, { ...demoSeed(), seed }, { name: "", create, destroy: ["destroy", "infra", ...clusterFlags] });
  },
  all: (directory: string, conditions: Conditions) => wholeLifeFigures(directory, conditions, " all", []),
  "all-key": (directory: string, conditions: Conditions) =>
    wholeLifeFigures(directory, conditions, " all with an account key", ["--issuer-upload", "account-key"]),
  clusters: clusterFigures,
  verify: verificationFigures,
  start: async (directory: string) => startFigures(await measureStarts(directory, 25)),
  cpu: async (directory: string, { rounds, baseline }: Conditions) => usageFigures(await measureUsage(directory, rounds, baseline)),
  modules: async (directory: string) => moduleFigures(await loadedModules(directory)),
} as const;

function wholeLifeFigures(directory: string, { scale, seed }: Conditions, name: string, more: readonly string[]): Promise<Figure[]> {
  const create = ["create", "all", ...wholeFlags, "--output-dir", path.join(directory, "output"), ...more];
  return lifeFigures(directory, scale, { seed }, { name, create, destroy: ["destroy", "all", ...clusterFlags, "--purge"] });
}

/** Both kinds of cluster on AKS, with every kind of resource and role. */
async function clusterFigures(directory: string, { scale, seed }: Conditions): Promise<Figure[]> {
  const lives = [
    { name: "management-cluster", create: createManagementFlags, destroy: managementFlags, surroundings: managementSeed() },
    { name: "service-cluster", create: createServiceFlags, destroy: serviceFlags, surroundings: serviceSeed() },
  ];
  const figures: Figure[] = [];
  for (const { name, create, destroy, surroundings } of lives) {
    const life: Life = {
      name: ` ${name}`,
      create: ["create", name, ...create],
      destroy: ["destroy", name, ...destroy, "--purge"],
      target: clusterTarget,
    };
    figures.push(...(await lifeFigures(path.join(directory, name), scale, { ...surroundings, seed }, life)));
  }
  return figures;
}

interface Life {
  /** Part of the names of its figures. */
  readonly name: string;
  readonly create: readonly string[];
  readonly destroy: readonly string[];
  /** The maximum of the whole process over the critical path. */
  readonly target?: number;
}

/** Creates, creates again, destroys and destroys again, in its own state. */
async function lifeFigures(directory: string, scale: number, seed: unknown, { name, create, destroy, target }: Life): Promise<Figure[]> {
  const state = path.join(directory, "azure");
  await mkdir(directory, { recursive: true });
  await seedState(state, seed);
  const azure = await serveState(directory, state, scale);
  try {
    const created = await azure.measure([...create, "--yes"]);
    return [
      ...azureFigures(`create${name}`, created, scale, target),
      ...idleFigures(`second create${name}`, await azure.measure([...create, "--yes"]), created.steps),
      ...azureFigures(`destroy${name}`, await azure.measure([...destroy, "--yes"]), scale, target),
      ...idleFigures(`second destroy${name}`, await azure.measure([...destroy, "--yes"])),
    ];
  } finally {
    await azure.close();
  }
}

/** Only the verification is measured, so everything is created without latency first. */
async function verificationFigures(directory: string, { scale, seed }: Conditions): Promise<Figure[]> {
  const state = path.join(directory, "azure");
  const output = path.join(directory, "output");
  const environment = { ...plainEnvironment(directory), ARO_HCP_LOCAL_DIR: state };
  await mkdir(directory, { recursive: true });
  await seedState(state, { seed });
  await runOrThrow(["create", "all", ...wholeFlags, "--output-dir", output, "--yes"], environment);
  const azure = await serveState(directory, state, scale);
  try {
    const times = await timeVerification(state, output);
    return verifyFigures(times, await azure.count(["verify", "identities", "--cloud", "local", "--input-dir", output]), scale);
  } finally {
    await azure.close();
  }
}

const { values } = parseArgs({
  options: {
    json: { type: "string" },
    scale: { type: "string", default: defaultScale },
    seed: { type: "string", default: "1" },
    only: { type: "string", multiple: true },
    rounds: { type: "string", default: "7" },
    baseline: { type: "string" },
    "baseline-dir": { type: "string" },
  },
});
const scale = Number(values.scale);
const seed = Number(values.seed);
const rounds = Number(values.rounds);
const only = values.only?.flatMap((names) => names.split(","));
for (const name of only ?? [])
  if (!(name in subjects)) throw new Error(`--only ${name} is unknown; use ${Object.keys(subjects).join(", ")}`);
const machine = { cores: cpus().length, cpu: cpus()[0]?.model ?? "unknown", node: process.version, platform: process.platform };
console.log(
  `recorded latencies with seed ${String(seed)} and time scale ${String(scale)}; ${plural(machine.cores, "core")}, Node.js ${machine.node}; at scale 1, all parts take about an hour`,
);
const directory = createDirectory("bench");
try {
  const baseline = values.baseline === undefined ? values["baseline-dir"] : buildBaseline(directory, values.baseline);
  const figures: Figure[] = [];
  for (const [subject, measure] of Object.entries(subjects)) {
    if (only === undefined || only.includes(subject))
      figures.push(...(await measure(path.join(directory, subject), { scale, seed, rounds, baseline })));
  }
  printFigures(figures);
  if (values.json !== undefined) {
    const document = { scale, seed, machine, figures: figures.map((figure) => ({ ...figure, missed: isMissed(figure) })) };
    await writeFile(values.json, `${JSON.stringify(document, undefined, 2)}\n`);
  }
  const missed = figures.filter(isMissed);
  if (missed.length > 0) {
    console.error(`missed: ${missed.map(({ what }) => what).join("; ")}`);
    process.exitCode = 1;
  }
} finally {
  await removeDirectory(directory);
}
