/** Measures create, second create, destroy and start against the targets, prints a table, and fails where one is missed. */
import { cpus, tmpdir } from "node:os";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { seedWorld } from "../src/embedded-azure/index.js";
import { serveWorld, type Measured } from "./bench-run.js";
import { measureStarts, type Starts } from "./bench-start.js";
import { clusterFlags, demoSeed, infraFlags, writeDemoFiles } from "./demo-cluster.js";

/** How many times faster than Azure. At its own pace, so that our own computing, which does not scale, weighs what it weighs there. */
const defaultScale = "1";

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  /** At most this, where something is promised. */
  readonly target?: number | undefined;
}

function azureFigures(name: string, run: Measured, scale: number): Figure[] {
  const wall = (run.wallMs / 1000) * scale;
  return [
    { what: `${name}: critical path of Azure's own operations`, value: run.operationSeconds, unit: "s of Azure" },
    { what: `${name}: wall time of the steps`, value: (run.stepsMs / 1000) * scale, unit: "s of Azure" },
    { what: `${name}: wall time of the whole process`, value: wall, unit: "s of Azure" },
    { what: `${name}: whole process over critical path`, value: wall / run.operationSeconds, target: 1.1 },
    ...requestFigures(name, run),
  ];
}

function requestFigures(name: string, run: Measured, atMost: { readonly reads?: number; readonly writes?: number } = {}): Figure[] {
  return [
    { what: `${name}: reads`, value: run.reads, target: atMost.reads },
    { what: `${name}: polls`, value: run.polls },
    { what: `${name}: writes`, value: run.writes, target: atMost.writes },
    { what: `${name}: tokens`, value: run.tokens },
    { what: `${name}: peak memory`, value: run.peakMemoryMiB, unit: "MiB" },
  ];
}

/** What a run costs that finds nothing to do. Each of `resources` may be read once; where none is left, what is read are lists. */
function idleFigures(name: string, run: Measured, resources?: number): Figure[] {
  return [
    ...(resources === undefined ? [] : [{ what: `${name}: resources`, value: resources }]),
    ...requestFigures(name, run, { writes: 0, ...(resources !== undefined && { reads: resources }) }),
    { what: `${name}: most reads of one resource`, value: run.mostReads, target: 1 },
    { what: `${name}: wall time of the whole process`, value: run.wallMs / 1000, unit: "s" },
  ];
}

function startFigures({ node, help, version }: Starts): Figure[] {
  return [
    { what: "start: node -e 0", value: node, unit: "ms" },
    { what: "start: --help", value: help, unit: "ms" },
    { what: "start: --version", value: version, unit: "ms" },
    { what: "start: --help over node -e 0", value: help / node, target: 2.5 },
    { what: "start: --version over node -e 0", value: version / node, target: 2.5 },
  ];
}

async function measureAll(directory: string, scale: number): Promise<Figure[]> {
  const starts = await measureStarts(directory, 25);
  const files = writeDemoFiles(directory);
  const world = path.join(directory, "azure");
  await seedWorld(world, demoSeed());
  const azure = await serveWorld(directory, world, scale);
  try {
    const create = ["create", "infra", ...infraFlags(files), "--yes"];
    const destroy = ["destroy", "infra", ...clusterFlags, "--yes"];
    const created = await azure.measure(create);
    return [
      ...azureFigures("create", created, scale),
      ...idleFigures("second create", await azure.measure(create), created.steps),
      ...azureFigures("destroy", await azure.measure(destroy), scale),
      ...idleFigures("second destroy", await azure.measure(destroy)),
      ...startFigures(starts),
    ];
  } finally {
    await azure.close();
  }
}

function isMissed({ value, target }: Figure): boolean {
  return target !== undefined && value > target;
}

function print(figures: readonly Figure[]): void {
  const table = new Table({
    head: ["figure", "value", "target", ""],
    style: { head: [], border: [] },
    colAligns: ["left", "right", "right", "left"],
  });
  for (const figure of figures) {
    const { what, value, unit = "", target } = figure;
    const shown = Number.isInteger(value) ? String(value) : value.toFixed(2);
    table.push([
      what,
      `${shown} ${unit}`.trim(),
      target === undefined ? "" : `<= ${String(target)}`,
      target === undefined ? "" : isMissed(figure) ? "MISSED" : "met",
    ]);
  }
  console.log(table.toString());
}

const { values } = parseArgs({ options: { json: { type: "string" }, scale: { type: "string", default: defaultScale } } });
const scale = Number(values.scale);
const machine = { cores: cpus().length, cpu: cpus()[0]?.model ?? "unknown", node: process.version, platform: process.platform };
console.log(
  `recorded latencies, ${String(scale)} times faster; ${String(machine.cores)} cores, Node ${machine.node}; this takes some minutes`,
);
const directory = await mkdtemp(path.join(tmpdir(), "aro-hcp-bench-"));
try {
  const figures = await measureAll(directory, scale);
  print(figures);
  if (values.json !== undefined) {
    const document = { scale, machine, figures: figures.map((figure) => ({ ...figure, missed: isMissed(figure) })) };
    await writeFile(values.json, `${JSON.stringify(document, undefined, 2)}\n`);
  }
  const missed = figures.filter(isMissed);
  if (missed.length > 0) {
    console.error(`missed: ${missed.map(({ what }) => what).join("; ")}`);
    process.exitCode = 1;
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
