/** The results of a verification as text, by subject: passed checks in one line, failed checks with finding and advice. */
import { type Painted, painted } from "./painted.js";
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { plural } from "../text/plural.js";
import { countsText } from "./vocabulary.js";
import { hanging, room, wrapped } from "./wrapped.js";

export type ShownState = "passed" | "warning" | "failed" | "skipped";

export interface ShownResult {
  readonly check: string;
  readonly subject: string;
  readonly state: ShownState;
  readonly sentence: string;
  readonly evidence: string;
  readonly next: string | undefined;
}

/** Marks are words, because a pipe has no color and not everybody sees it. */
const marks = {
  failed: { mark: "FAIL", tone: "red" },
  warning: { mark: "warn", tone: "yellow" },
  skipped: { mark: "skip", tone: "dim" },
  passed: { mark: "ok", tone: "green" },
} as const satisfies Record<ShownState, { readonly mark: string; readonly tone: string }>;

export const worstFirst: readonly ShownState[] = ["failed", "warning", "skipped", "passed"];

export type Counts = Readonly<Record<ShownState, number>>;

export function countStates(results: readonly Pick<ShownResult, "state">[]): Counts {
  const count = (wanted: ShownState) => results.filter(({ state }) => state === wanted).length;
  return { passed: count("passed"), warning: count("warning"), failed: count("failed"), skipped: count("skipped") };
}

/** Text around the results: what was verified before them, general advice after them. */
export interface Frame {
  readonly heading?: string | undefined;
  readonly closing?: string | undefined;
}

/** Failed checks come last, where a terminal still shows them. Several lines, no line end after the last. */
export function verificationText(screen: Screen, results: readonly ShownResult[], { heading, closing }: Frame = {}): Painted {
  const shared = sharedReasons(results);
  const apart = results.filter((result) => result.state !== "skipped" || !shared.has(result.evidence));
  const subjects = [...new Set(apart.map(({ subject }) => subject))];
  const advice = sharedAdvice(apart);
  // A longer subject is followed by its counts without padding, and wrapped if necessary.
  const widest = screen.width() - markWidth - countsWidth;
  const groups = folded(subjects.map((subject) => ({ subject, own: apart.filter((result) => result.subject === subject) })));
  const withCounts = groups.filter(({ own }) => !isOnePassed(own)).map(({ subject }) => subject.length);
  const width = Math.max(0, ...withCounts.filter((length) => length <= widest));
  const blocks = groups.map(({ subject, own }) => {
    return { worst: headOf(own), lines: block(screen, isOnePassed(own) ? subject : subject.padEnd(width), own, advice) };
  });
  const lines = (...states: ShownState[]) => blocks.filter(({ worst }) => states.includes(worst)).flatMap((each) => each.lines);
  const { passed, warning, failed, skipped } = countStates(results);
  const all = [
    ...(heading === undefined ? [] : [...wrapped(printable(heading), room(screen, 0)), ""]),
    ...lines("passed", "skipped"),
    ...[...shared].flatMap(([reason, of]) => sharedLines(screen, reason, of)),
    ...lines("warning"),
    ...lines("failed"),
    ...[...advice].flatMap(([next, count]) => ["", ...labelled(screen, 0, "next", `for ${plural(count, "finding")}: ${next}`)]),
    "",
    countsText({ passed, [warning === 1 ? "warning" : "warnings"]: warning, failed, skipped }) || "nothing was checked",
    ...(closing === undefined ? [] : wrapped(printable(closing), room(screen, 0))),
  ];
  return painted(all.join("\n"));
}

interface Group {
  readonly subject: string;
  readonly own: readonly ShownResult[];
}

/** One line for all role assignments that passed: a cluster has more of them than fit on a screen. */
function folded(groups: readonly Group[]): readonly Group[] {
  const assignments = groups.filter(({ subject, own }) => subject.startsWith("role assignment ") && isOnePassed(own));
  if (assignments.length < 2) return groups;
  const line = { subject: "role assignments", own: assignments.flatMap(({ own }) => own) };
  return groups.flatMap((group) => (group === assignments[0] ? [line] : assignments.includes(group) ? [] : [group]));
}

/** Advice that several findings share, with their number; each is printed once, below them. */
function sharedAdvice(results: readonly ShownResult[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { next, state } of results) {
    if (next !== undefined && isFinding(state)) counts.set(next, (counts.get(next) ?? 0) + 1);
  }
  return new Map([...counts].filter(([, count]) => count > 1));
}

function isFinding(state: ShownState): boolean {
  return state === "failed" || state === "warning";
}

/** Reasons for skipped checks that several subjects share; each is printed once. */
function sharedReasons(results: readonly ShownResult[]): ReadonlyMap<string, readonly ShownResult[]> {
  const skipped = results.filter(({ state }) => state === "skipped");
  const reasons = [...new Set(skipped.map(({ evidence }) => evidence))];
  const byReason = reasons.map((reason) => [reason, skipped.filter(({ evidence }) => evidence === reason)] as const);
  return new Map(byReason.filter(([, of]) => new Set(of.map(({ subject }) => subject)).size > 1));
}

function sharedLines(screen: Screen, reason: string, of: readonly ShownResult[]): string[] {
  const subjects = [...new Set(of.map(({ subject }) => subject))];
  return wrapped(printable(`${plural(of.length, "check")} of ${someOf(subjects)}: ${reason}`), room(screen, markWidth)).map(
    (line, index) => (index === 0 ? `${marked(screen, "skipped")} ${line}` : `${" ".repeat(markWidth)}${line}`),
  );
}

const markWidth = 5;
/** The width of "  12 ok, 1 failed". */
const countsWidth = 18;
const mostNamed = 4;

/** "cpo, disk, file and 6 more". */
function someOf(names: readonly string[]): string {
  if (names.length <= mostNamed) return names.join(", ");
  return `${names.slice(0, mostNamed - 1).join(", ")} and ${String(names.length - mostNamed + 1)} more`;
}

/** Skipped checks do not change the state of a subject with passed checks. */
function headOf(results: readonly ShownResult[]): ShownState {
  return (["failed", "warning", "passed"] as const).find((state) => results.some((result) => result.state === state)) ?? "skipped";
}

/** The mark alone says it. */
function isOnePassed(results: readonly ShownResult[]): boolean {
  return results.length === 1 && results[0]?.state === "passed";
}

function block(screen: Screen, subject: string, results: readonly ShownResult[], shared: ReadonlyMap<string, number>): string[] {
  const { passed, warning, failed, skipped } = countStates(results);
  const counts = countsText({ ok: passed, [warning === 1 ? "warning" : "warnings"]: warning, failed, skipped });
  return [
    ...hanging(
      screen,
      `${marked(screen, headOf(results))} `,
      markWidth,
      `${screen.paint.bold(printable(subject).padEnd(subject.length))}${isOnePassed(results) ? "" : `  ${counts}`}`,
    ),
    ...results.filter(({ state }) => isFinding(state)).flatMap((result) => findingLines(screen, result, shared)),
    ...skippedLines(
      screen,
      results.filter(({ state }) => state === "skipped"),
    ),
  ];
}

function marked({ paint }: Screen, state: ShownState): string {
  const { mark, tone } = marks[state];
  return paint[tone](mark.padEnd(4));
}

function findingLines(
  screen: Screen,
  { check, state, sentence, evidence, next }: ShownResult,
  shared: ReadonlyMap<string, number>,
): string[] {
  return [
    ...hangingLines(screen, state, `${check} (expected: ${sentence})`),
    ...labelled(screen, indent, "found", evidence),
    ...(next === undefined || shared.has(next) ? [] : labelled(screen, indent, "next", next)),
  ];
}

/** The text after the mark, with further lines aligned with the first. */
function hangingLines(screen: Screen, state: ShownState, text: string): string[] {
  return wrapped(printable(text), room(screen, indent)).map((line, index) =>
    index === 0 ? `  ${marked(screen, state)} ${line}` : `${" ".repeat(indent)}${line}`,
  );
}

function skippedLines(screen: Screen, skipped: readonly ShownResult[]): string[] {
  const reasons = [...new Set(skipped.map(({ evidence }) => evidence))];
  return reasons.flatMap((reason) => {
    const checks = skipped.filter(({ evidence }) => evidence === reason).map(({ check }) => check);
    return hangingLines(screen, "skipped", `${someOf(checks)}: ${reason}`);
  });
}

const indent = 7;
const labelWidth = 6;

function labelled(screen: Screen, before: number, label: string, text: string): string[] {
  const lines = wrapped(printable(text), room(screen, before + labelWidth));
  return lines.map((line, index) => `${" ".repeat(before)}${screen.paint.dim((index === 0 ? label : "").padEnd(labelWidth))}${line}`);
}
