/** The measured figures with their targets, and the table that shows them. */
import { createScreen } from "../src/render/screen.js";
import { table } from "../src/render/table.js";
import type { CommandUsage } from "./bench-cpu.js";
import type { LoadedModules } from "./bench-modules.js";
import type { Starts } from "./bench-start.js";

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit?: string;
  /** The maximum. */
  readonly target?: number | undefined;
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
  screen.show(table(screen, ["figure", "value", "target", ""], shown));
}
