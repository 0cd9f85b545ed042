/** The timeline of a run: a row for each step with its bar, and the chain of steps that took longest. */
import { plural } from "../../text/plural.js";
import { duration } from "../duration.js";
import type { ShownState } from "../verification-text.js";
import type { Wait } from "../waits.js";
import { escaped } from "./html.js";

export interface TimedStep {
  readonly title: string;
  /** How it ended: "created", "failed". */
  readonly word: string;
  readonly state: ShownState;
  /** Milliseconds since the start of the run. */
  readonly startedMs: number;
  readonly endedMs: number;
  /** Whether it is on the chain of steps that took longest. */
  readonly isCritical: boolean;
  /** Milliseconds since its start. */
  readonly waits: readonly Wait[];
  readonly usualMs?: number | undefined;
}

export interface Timeline {
  readonly elapsedMs: number;
  /** Only steps that had something to do. */
  readonly steps: readonly TimedStep[];
}

/** Shorter waits and shorter links of the chain are not worth a word. */
const leastMs = 1_000;
const tickCount = 4;
/** How many of the longest steps are in sight, beside those of the chain, and how many of those that did not succeed. */
const longestCount = 16;
const failedCount = 8;

export function timelineSection({ elapsedMs, steps }: Timeline): string {
  const total = Math.max(1, elapsedMs, ...steps.map(({ endedMs }) => endedMs));
  const sorted = steps.toSorted((one, other) => one.startedMs - other.startedMs || one.endedMs - other.endedMs);
  const longest = new Set(steps.toSorted((one, other) => timeOf(other) - timeOf(one)).slice(0, longestCount));
  const failed = new Set(sorted.filter(({ state }) => state !== "passed").slice(0, failedCount));
  const isInSight = (step: TimedStep) => step.isCritical || failed.has(step) || longest.has(step);
  const [shown, others] = [sorted.filter(isInSight), sorted.filter((step) => !isInSight(step))];
  const key = '<span class="key critical"></span>longest chain <span class="key"></span>others <span class="key wait"></span>waiting';
  return `<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
${chain(sorted)}
<div class="panel">${table(shown, total, `${plural(steps.length, "step")} in ${duration(elapsedMs)} ${key}`)}</div>
${others.length === 0 ? "" : `<details class="panel"><summary>${plural(others.length, "other step")}</summary>${table(others, total, "In the order of their starts")}</details>`}
</section>`;
}

function timeOf({ startedMs, endedMs }: TimedStep): number {
  return endedMs - startedMs;
}

function table(steps: readonly TimedStep[], total: number, caption: string): string {
  const ticks = Array.from({ length: tickCount }, (_, index) => `<span>${tick((total * index) / tickCount, total)}</span>`);
  return `<table class="gantt"><caption>${caption}</caption>
<thead><tr><th scope="col">Step</th><th scope="col">Time</th><th scope="col" class="axis"><span class="ticks">${ticks.join("")}</span></th></tr></thead>
<tbody>
${steps.map((step) => row(step, total)).join("\n")}
</tbody></table>`;
}

/** Tenths of a second are too coarse for a short run. */
function tick(milliseconds: number, total: number): string {
  return total < tickCount * 1000 ? `${String(Math.round(milliseconds))} ms` : duration(milliseconds);
}

function chain(steps: readonly TimedStep[]): string {
  const links = steps.filter(({ isCritical, startedMs, endedMs }) => isCritical && endedMs - startedMs >= leastMs);
  if (links.length === 0) return "";
  const items = links.map(({ title, startedMs, endedMs }) => `<li>${escaped(title)} <b>${duration(endedMs - startedMs)}</b></li>`);
  return `<p class="soft">The chain of steps that took longest; short ones are left out. Each needs those before it.</p>\n<ol class="chain">${items.join("")}</ol>`;
}

function row({ title, word, state, startedMs, endedMs, isCritical, waits, usualMs }: TimedStep, total: number): string {
  const took = endedMs - startedMs;
  const percent = (ms: number) => `${((100 * ms) / total).toFixed(2)}%`;
  const place = (from: number, to: number) => `margin-left:${percent(from)};width:${percent(to - from)}`;
  const shown = waits.filter(({ fromMs, toMs }) => toMs - fromMs >= leastMs);
  const segments = shown.map(
    ({ reason, fromMs, toMs }) =>
      `<i class="wait" style="left:${((100 * fromMs) / Math.max(1, took)).toFixed(2)}%;width:${((100 * (toMs - fromMs)) / Math.max(1, took)).toFixed(2)}%" title="${escaped(reason)}"></i>`,
  );
  const notes = shown.map(({ reason, fromMs, toMs }) => `<br><span class="soft">${duration(toMs - fromMs)} ${escaped(reason)}</span>`);
  const usual = usualMs === undefined || usualMs < leastMs ? "" : `<br><span class="soft">usually ${duration(usualMs)}</span>`;
  return `<tr class="${state}${isCritical ? " critical" : ""}"><th scope="row">${escaped(title)}${state === "failed" || state === "skipped" ? ` <span class="state ${state}">${escaped(word)}</span>` : ""}${notes.join("")}</th><td>${duration(took)}${usual}</td><td class="track"><div class="bar" style="${place(startedMs, endedMs)}" title="${escaped(`${word}, from ${duration(startedMs)} to ${duration(endedMs)}`)}">${segments.join("")}</div></td></tr>`;
}
