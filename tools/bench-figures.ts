/** The measured figures with their targets, and the table that shows them. */
import { createScreen } from "../src/render/screen.js";
import { table } from "../src/render/table.js";
import type { CommandUsage } from "./bench-cpu.js";
import type { LoadedModules } from "./bench-modules.js";
import type { Counted, Measured } from "./bench-run.js";
import type { Starts } from "./bench-start.js";
import type { VerifyTimes } from "./bench-verify.js";

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  /** The maximum. */
  readonly target?: number | undefined;
}

export function azureFigures(name: string, run: Measured, scale: number, target = 1.06): Figure[] {
  const wall = (run.wallMs / 1000) * scale;
  return [
    { what: `${name}: critical path of Azure's own times`, value: run.criticalSeconds, unit: "s of Azure" },
    { what: `${name}: wall time of the steps`, value: (run.stepsMs / 1000) * scale, unit: "s of Azure" },
    { what: `${name}: wall time of the whole process`, value: wall, unit: "s of Azure" },
    { what: `${name}: steps over critical path`, value: ((run.stepsMs / 1000) * scale) / run.criticalSeconds },
    { what: `${name}: whole process over critical path`, value: wall / run.criticalSeconds, target },
    { what: `${name}: all of Azure's operations, run one after another`, value: run.serialSeconds, unit: "s of Azure" },
    ...requestFigures(name, run),
  ];
}

function requestFigures(name: string, run: Measured, atMost: { readonly reads?: number; readonly writes?: number } = {}): Figure[] {
  return [
    { what: `${name}: reads`, value: run.reads, target: atMost.reads },
    { what: `${name}: polls`, value: run.polls },
    { what: `${name}: writes`, value: run.writes, target: atMost.writes },
    { what: `${name}: rejected requests among these`, value: run.rejected },
    { what: `${name}: throttled requests`, value: run.throttled, target: 0 },
    { what: `${name}: tokens`, value: run.tokens },
    { what: `${name}: CPU time`, value: run.processorMs / 1000, unit: "s" },
    { what: `${name}: peak memory`, value: run.peakMemoryMiB, unit: "MiB" },
  ];
}

/** The cost of a run that changes nothing. It may read each of `resources` once; if there are none, it reads only lists. */
export function idleFigures(name: string, run: Measured, resources?: number): Figure[] {
  return [
    ...(resources === undefined ? [] : [{ what: `${name}: resources`, value: resources }]),
    ...requestFigures(name, run, { writes: 0, ...(resources !== undefined && { reads: resources }) }),
    { what: `${name}: most reads of one resource`, value: run.mostReads, target: 1 },
    { what: `${name}: wall time of the whole process`, value: run.wallMs / 1000, unit: "s" },
  ];
}

export function verifyFigures({ wallMs, chainMs, instances }: VerifyTimes, run: Counted, scale: number): Figure[] {
  const name = "verify identities";
  return [
    { what: `${name}: check instances`, value: instances },
    { what: `${name}: slowest chain of check instances`, value: (chainMs / 1000) * scale, unit: "s of Azure" },
    { what: `${name}: wall time of all check instances`, value: (wallMs / 1000) * scale, unit: "s of Azure" },
    { what: `${name}: all check instances over slowest chain`, value: wallMs / chainMs, target: 1.2 },
    { what: `${name}: wall time of the whole process`, value: (run.wallMs / 1000) * scale, unit: "s of Azure" },
    { what: `${name}: requests`, value: run.reads + run.polls + run.writes + run.tokens, target: 60 },
    { what: `${name}: writes`, value: run.writes, target: 0 },
  ];
}

export function startFigures({ node, help, version }: Starts): Figure[] {
  return [
    { what: "start: node -e 0", value: node, unit: "ms" },
    { what: "start: --help", value: help, unit: "ms" },
    { what: "start: --version", value: version, unit: "ms" },
    { what: "start: --help over node -e 0", value: help / node, target: 1.5 },
    { what: "start: --version over node -e 0", value: version / node, target: 1.5 },
  ];
}

/** The target for CPU time is half of the baseline's. Only a whole create has a target for memory. */
export function usageFigures(usages: readonly CommandUsage[]): Figure[] {
  return usages.flatMap(({ command, mode, processorMs, peakMemoryMiB, baseline }) => {
    const name = `${command}, ${mode}`;
    const memoryTarget = command === "create infra" ? 110 : undefined;
    return [
      { what: `${name}: CPU time`, value: processorMs / 1000, unit: "s" },
      ...(baseline === undefined
        ? []
        : [
            { what: `${name}: CPU time of the baseline`, value: baseline.processorMs / 1000, unit: "s" },
            { what: `${name}: CPU time over the baseline's`, value: processorMs / baseline.processorMs, target: 0.5 },
          ]),
      { what: `${name}: peak memory`, value: peakMemoryMiB, unit: "MiB", target: memoryTarget },
    ];
  });
}

export function moduleFigures({ chunks, bytes, byPlace }: LoadedModules): Figure[] {
  const name = "modules of create infra";
  const ours = [...byPlace].filter(([place]) => place.startsWith("src/"));
  return [
    { what: `${name}: chunks`, value: chunks },
    { what: `${name}: code`, value: bytes / 1024, unit: "KiB" },
    { what: `${name}: source files`, value: ours.reduce((sum, [, count]) => sum + count, 0) },
    // Enough to find a served emulator: client.ts and its imports.
    { what: `${name}: of src/emulator`, value: byPlace.get("src/emulator") ?? 0, target: 10 },
    ...[...byPlace]
      .filter(([place]) => place !== "src/emulator")
      .sort(([, a], [, b]) => b - a)
      .map(([place, count]) => ({ what: `${name}: of ${place}`, value: count })),
  ];
}

export function isMissed({ value, target }: Figure): boolean {
  return target !== undefined && value > target;
}

export function printFigures(figures: readonly Figure[]): void {
  const shown = figures.map((figure) => {
    const { what, value, unit = "", target } = figure;
    const number = Number.isInteger(value) ? String(value) : value.toFixed(2);
    const bound = target === undefined ? ["", ""] : [`<= ${String(target)}`, isMissed(figure) ? "MISSED" : "met"];
    return [what, `${number} ${unit}`, ...bound];
  });
  const screen = createScreen({ stream: process.stdout, color: "auto", environment: process.env, now: () => new Date() });
  screen.print(table(screen, ["figure", "value", "target", ""], shown));
}
