import { expect, test } from "vitest";
import { remainingMs, type OutlinedStep, type StepTime } from "../../src/render/outline.js";

/** A group, then a zone and a network, then a link that needs both. */
const steps: readonly OutlinedStep[] = [
  { id: "group", needs: [], usualMs: 1000 },
  { id: "zone", needs: ["group"], usualMs: 20_000 },
  { id: "network", needs: ["group"], usualMs: 2000 },
  { id: "link", needs: ["zone", "network"], usualMs: 15_000 },
];

const left = (times: Readonly<Record<string, StepTime>>) => remainingMs(steps, (id) => times[id] ?? "pending");

test.each<[string, Readonly<Record<string, StepTime>>, number | undefined]>([
  ["is the longest chain before the start", {}, 36_000],
  ["leaves out what a running step has done", { group: "ended", zone: { runsForMs: 5000 }, network: "ended" }, 30_000],
  ["takes a tenth more for a step that takes longer than usual", { group: "ended", zone: { runsForMs: 40_000 }, network: "ended" }, 19_000],
  ["leaves out what a failed step prevents", { group: "ended", zone: "lost", network: { runsForMs: 500 } }, 1500],
  ["is not known when nothing is left", { group: "ended", zone: "lost", network: "ended" }, undefined],
])("the remaining time %s", (_, times, expected) => {
  expect(left(times)).toBe(expected);
});
