/** The summary of a run: outcome, duration, slowest steps, output file, and what to do next. */
import type { RunResult } from "../engine/run-result.js";
import { duration } from "./duration.js";
import { joinedRows, type ListedResource } from "./plan-row.js";
import { type Painted, painted } from "./painted.js";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { countsText } from "./vocabulary.js";
import { hanging, room } from "./wrapped.js";

export interface WrittenFile {
  readonly path: string;
  /** What it contains, or what it is for. */
  readonly what: string;
}

export interface SummaryOptions {
  /** The typed words: `create infra`. */
  readonly command: string;
  readonly subject: string;
  readonly result: RunResult;
  readonly written?: readonly WrittenFile[] | undefined;
  /** What a destroy keeps, with the reason. */
  readonly kept?: readonly ListedResource[] | undefined;
  /** How many resources a destroy removes with others, without a step of their own: counted apart, as in the plan. */
  readonly cascaded?: number | undefined;
  /** Nothing has the name: nothing was done. */
  readonly isNothingFound?: boolean;
  /** The next things to do, each one sentence or one command to paste. */
  readonly next?: readonly string[];
}

/** The number of slowest steps of the chain to show. */
const chainLinks = 4;

/** The plan has listed the rest. */
const mostKept = 5;

/** A rerun finds the rest. */
const mostInFlight = 3;

/** Several lines, without a final line end. Excludes failures, which `failuresText` renders. */
export function summaryText(screen: Screen, options: SummaryOptions): Painted {
  const { result, written = [], kept = [], next = [] } = options;
  const lines = (rows: readonly (readonly [name: string, text: string])[]) =>
    rows.filter(([, text]) => text !== "").flatMap(([name, text]) => hanging(screen, head(screen, name), headWidth, text));
  const chain = lines([
    ["slowest", slowestChain(screen, result)],
    ["in flight", interruptedText(result)],
  ]);
  const keptRows = joinedRows(kept.map(({ id, title = id, why, line }) => ({ title, act: "keep", why, ...(line && { line }) })));
  const rest = lines([
    ...keptRows.slice(0, mostKept).map(({ title, why = "" }) => ["kept", printable(`${title}: ${why}`)] as const),
    ["kept", keptRows.length > mostKept ? `${keptRows.length - mostKept} more, listed in the plan above` : ""],
    ...next.map((step) => ["next", printable(step)] as const),
  ]);
  const files = written.map(({ path, what }) => ({ path: printable(path), what: printable(what) }));
  return painted([...headline(screen, options), ...chain, ...writtenLines(screen, files), ...rest].join("\n"));
}

const headWidth = 12;

function head({ paint }: Screen, name: string): string {
  return `  ${paint.dim(name.padEnd(headWidth - 3))} `;
}

/** Narrower columns of words are hard to read. */
const leastWordsWidth = 24;

/** Paths and words in columns, or the words below each path. The first line has the name of all. */
function writtenLines(screen: Screen, written: readonly WrittenFile[]): string[] {
  const width = headWidth + Math.max(0, ...written.map(({ path }) => path.length)) + 2;
  const isNarrow = room(screen, width) < leastWordsWidth;
  return written.flatMap(({ path, what }, index) => {
    const start = head(screen, index === 0 ? "written" : "");
    if (!isNarrow) return hanging(screen, start + path.padEnd(width - headWidth), width, what);
    return [start + path, ...hanging(screen, " ".repeat(headWidth + 2), headWidth + 2, what)];
  });
}

/** What a run did, in numbers. The removals are as many as its steps. */
export function runCounts({ result, kept = [], cascaded = 0 }: Pick<SummaryOptions, "result" | "kept" | "cascaded">): string {
  const counts = { ...result.counts, kept: result.counts.kept + kept.length, "removed with them": result.ok ? cascaded : 0 };
  return countsText(counts) || "nothing to do";
}

function headline(screen: Screen, options: SummaryOptions): string[] {
  const { paint, marks } = screen;
  const { command, subject: about, result, isNothingFound = false } = options;
  const subject = `${command} ${printable(about)}`;
  if (isNothingFound && result.ok) return [`${subject}: nothing was there`];
  const counts = runCounts(options);
  const [tone, words] = result.ok
    ? ([paint.green, `${marks.done} ${subject} is done`] as const)
    : ([paint.red, `${marks.failed} ${subject} did not complete`] as const);
  const time = ` in ${duration(result.elapsedMs)}:`;
  if (`${words}${time} ${counts}`.length <= room(screen, 0)) return [`${tone(words)}${time} ${counts}`];
  return [`${tone(words)}${time}`, ...hanging(screen, "  ", 2, counts)];
}

/** The critical chain of steps; empty if no step took a second. */
function slowestChain({ marks }: Screen, { steps, criticalPath }: RunResult): string {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const links = criticalPath.flatMap((id) => {
    const step = byId.get(id);
    return step === undefined ? [] : [{ title: printable(step.title), ms: (step.endedMs ?? 0) - (step.startedMs ?? 0) }];
  });
  const slowest = new Set(
    links
      .filter(({ ms }) => ms >= 1000)
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, chainLinks),
  );
  return links
    .filter((link) => slowest.has(link))
    .map(({ title, ms }) => `${title} ${duration(ms)}`)
    .join(` ${marks.arrow} `);
}

function interruptedText({ steps, interrupted }: RunResult): string {
  if (interrupted.length === 0) return "";
  const titles = steps.filter(({ id }) => interrupted.includes(id)).map(({ title }) => printable(title));
  const more = titles.length > mostInFlight ? ` and ${titles.length - mostInFlight} more` : "";
  return `${titles.slice(0, mostInFlight).join(", ")}${more} (may still complete in Azure)`;
}
