/** The redrawn lines of the live view: what runs and why it waits, the sections that wait, and the time left. */
import { plural } from "../text/plural.js";
import { aboutDuration, runningDuration } from "./duration.js";
import { shorten } from "./printable.js";
import type { Progress, RunningStep } from "./progress.js";
import type { Screen } from "./screen.js";
import type { Section } from "./sections.js";
import { columns, headWidth } from "./step-line.js";
import { acts } from "./vocabulary.js";
import { wrapped } from "./wrapped.js";

/** Lines of the window that running steps cannot use: the footer, the cursor's line, one finished step. */
const otherLines = 3;
/** As many steps of a section with the same reason of their wait have a line each. */
const mostAlike = 2;
/** The height in lines. */
const lowWindow = 16;
const barWidth = 16;

/** Running steps that share a line. */
interface Alike {
  readonly steps: readonly RunningStep[];
  readonly section: Section | undefined;
}

/** `nowMs` is the time of the ticker, `elapsedMs` the time in the footer. */
export function liveFrame(screen: Screen, progress: Progress, nowMs: number, elapsedMs: number): string {
  const waiting = waitingLines(screen, progress);
  const room = Math.max(1, screen.height() - otherLines - waiting.length);
  const shown: string[] = [];
  let hidden = 0;
  for (const alike of alikeSteps(progress)) {
    const lines = runningLines(screen, alike, nowMs);
    if (shown.length === 0 || shown.length + lines.length <= room) shown.push(...lines);
    else hidden += alike.steps.length;
  }
  return [...shown, ...waiting, footer(screen, progress, elapsedMs, hidden)].join("\n");
}

function alikeSteps(progress: Progress): Alike[] {
  const groups = new Map<string, Alike>();
  for (const [id, step] of progress.running) {
    const section = progress.sectionOf(id);
    const key = JSON.stringify([section?.name ?? id, step.reason]);
    groups.set(key, { section, steps: [...(groups.get(key)?.steps ?? []), step] });
  }
  return [...groups.values()].flatMap((group) => {
    const { steps, section } = group;
    return steps.length > mostAlike ? [group] : steps.map((step): Alike => ({ steps: [step], section }));
  });
}

/** What is done, for how long, how long it usually takes, and below, in full, what it waits for. */
function runningLines(screen: Screen, { steps, section }: Alike, nowMs: number): string[] {
  const { paint, marks } = screen;
  const [oldest] = steps;
  if (oldest === undefined) return [];
  const { word, time } = columns(acts[oldest.act].running, runningDuration(nowMs - oldest.startedMs));
  const longestMs = Math.max(...steps.map(({ usualMs }) => usualMs ?? 0));
  const usual = longestMs === 0 ? "" : `, usually ${aboutDuration(longestMs)}`;
  const isAlone = steps.length === 1 || section === undefined;
  const what = isAlone ? oldest.title : `${section.name} ${section.ended}/${section.total}, ${steps.length} running`;
  const note = oldest.note === undefined ? [] : beside(screen, "", oldest.note).map((line) => paint.dim(line));
  return [...beside(screen, paint.cyan(`${marks.running} ${word} ${time}  `), what + usual), ...note];
}

/** The sections with steps that have not started. One line in a low window. */
function waitingLines(screen: Screen, progress: Progress): string[] {
  const running = [...progress.running.keys()].map((id) => progress.sectionOf(id)?.name);
  const waiting = progress.sections().filter(({ name, ended, total }) => ended + running.filter((one) => one === name).length < total);
  if (waiting.length === 0) return [];
  const counts = waiting.map(({ name, ended, total }) => `${name} ${ended}/${total}`).join(", ");
  const text = screen.height() < lowWindow ? fit(screen, counts, headWidth) : counts;
  return beside(screen, "waiting".padEnd(headWidth), text).map((line) => screen.paint.dim(line));
}

function footer(screen: Screen, progress: Progress, elapsedMs: number, hidden: number): string {
  const { total, planned, ended, failed, running } = progress;
  const elapsed = runningDuration(elapsedMs);
  if (total === undefined) return screen.paint.dim(fit(screen, `reading Azure, ${planned} read, ${elapsed}`));
  const remainingMs = progress.remainingMs();
  const left = remainingMs === undefined ? `${running.size} running` : `about ${aboutDuration(remainingMs)} left`;
  const text = [
    `${ended}/${plural(total, "step")}`,
    elapsed,
    ended < total ? left : "reading Azure again",
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(hidden > 0 ? [`${hidden} not shown`] : []),
  ].join(", ");
  const bar = remainingMs === undefined ? "" : `${barText(screen, elapsedMs / (elapsedMs + remainingMs))} `;
  return screen.paint.dim(fit(screen, bar.length + text.length < screen.width() ? bar + text : text));
}

function barText({ marks }: Screen, share: number): string {
  const full = Math.round(share * barWidth);
  return marks.full.repeat(full) + marks.empty.repeat(barWidth - full);
}

/** A text in full beside a head of `headWidth` columns. */
function beside(screen: Screen, head: string, text: string): string[] {
  const indent = " ".repeat(headWidth);
  return wrapped(text, Math.max(1, free(screen, headWidth))).map((line, index) => `${index === 0 && head !== "" ? head : indent}${line}`);
}

function fit(screen: Screen, text: string, taken = 0): string {
  return shorten(text, Math.max(0, free(screen, taken)), screen.marks.ellipsis);
}

/** The last column stays free, because terminals differ in how they wrap there. */
function free(screen: Screen, taken: number): number {
  return screen.width() - taken - 1;
}
