/** What a verification found, for people: grouped by what it is about, what holds in one line, what does not with reason and advice. */
import { printable } from "./printable.js";
import type { Screen } from "./screen.js";
import { countsText } from "./vocabulary.js";
import { wrapped } from "./wrapped.js";

export type ShownState = "passed" | "warning" | "failed" | "skipped";

export interface ShownResult {
  readonly check: string;
  readonly subject: string;
  readonly state: ShownState;
  readonly sentence: string;
  readonly evidence: string;
  readonly next: string | undefined;
}

/** Words first: a pipe has no colour, and not everybody sees it. */
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

/** Several lines, no line end after the last. */
export function verificationText(screen: Screen, results: readonly ShownResult[]): string {
  const subjects = [...new Set(results.map(({ subject }) => subject))];
  const width = Math.max(0, ...subjects.map((subject) => subject.length));
  const blocks = subjects.flatMap((subject) =>
    block(
      screen,
      subject.padEnd(width),
      results.filter((result) => result.subject === subject),
    ),
  );
  const { passed, warning, failed, skipped } = countStates(results);
  return [...blocks, "", countsText({ passed, "warned of": warning, failed, skipped }) || "nothing was checked"].join("\n");
}

function block(screen: Screen, subject: string, results: readonly ShownResult[]): string[] {
  const worst = worstFirst.find((state) => results.some((result) => result.state === state)) ?? "passed";
  const { passed, warning, failed, skipped } = countStates(results);
  const counts = countsText({ ok: passed, "warned of": warning, failed, skipped });
  return [
    `${marked(screen, worst)} ${screen.paint.bold(printable(subject).padEnd(subject.length))}  ${counts}`,
    ...results.filter(({ state }) => state === "failed" || state === "warning").flatMap((result) => told(screen, result)),
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

function told(screen: Screen, { check, state, sentence, evidence, next }: ShownResult): string[] {
  return [
    ...hanging(screen, state, `${check}: ${sentence}`),
    ...labelled(screen, "seen", evidence),
    ...(next === undefined ? [] : labelled(screen, "next", next)),
  ];
}

/** Behind the mark, further lines under the first. */
function hanging(screen: Screen, state: ShownState, text: string): string[] {
  return wrapped(printable(text), screen.width() - indent).map((line, index) =>
    index === 0 ? `  ${marked(screen, state)} ${line}` : `${" ".repeat(indent)}${line}`,
  );
}

/** What is skipped for the same reason is told together. */
function skippedLines(screen: Screen, skipped: readonly ShownResult[]): string[] {
  const reasons = [...new Set(skipped.map(({ evidence }) => evidence))];
  return reasons.flatMap((reason) => {
    const checks = skipped.filter(({ evidence }) => evidence === reason).map(({ check }) => check);
    return hanging(screen, "skipped", `${checks.join(", ")}: ${reason}`);
  });
}

const indent = 7;
const labelWidth = 5;

function labelled({ paint, width }: Screen, label: string, text: string): string[] {
  const lines = wrapped(printable(text), width() - indent - labelWidth);
  return lines.map((line, index) => `${" ".repeat(indent)}${paint.dim((index === 0 ? label : "").padEnd(labelWidth))}${line}`);
}
