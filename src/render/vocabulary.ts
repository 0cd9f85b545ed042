/** The words, marks and colors for steps, for every view. */
import type { Act } from "../engine/step.js";

export type ShownAct = Act | "wait" | "check";
export type Work = Exclude<ShownAct, "keep" | "use" | "refuse">;
export type Tone = "green" | "yellow" | "red" | "cyan" | "dim";

export interface ActWords {
  /** The symbol in a plan: ASCII, because plans are pasted. */
  readonly symbol: string;
  readonly plan: string;
  readonly done: string;
  readonly tone: Tone;
}

/** For an action that takes time; other actions appear only in the plan. */
export interface WorkWords extends ActWords {
  readonly running: string;
  /** A removal is red in a plan, because it is a loss, and green when it is done, because it succeeded. */
  readonly doneTone: Tone;
}

export const acts = {
  create: { symbol: "+", plan: "create", running: "creating", done: "created", tone: "green", doneTone: "green" },
  update: { symbol: "~", plan: "update", running: "updating", done: "updated", tone: "yellow", doneTone: "yellow" },
  replace: { symbol: "-/+", plan: "replace", running: "replacing", done: "replaced", tone: "red", doneTone: "yellow" },
  wait: { symbol: "~", plan: "wait", running: "waiting", done: "waited", tone: "yellow", doneTone: "yellow" },
  keep: { symbol: "=", plan: "keep", done: "kept", tone: "dim" },
  use: { symbol: "=", plan: "use", done: "used", tone: "dim" },
  check: { symbol: "?", plan: "check", running: "checking", done: "checked", tone: "dim", doneTone: "green" },
  refuse: { symbol: "!", plan: "refuse", done: "refused", tone: "red" },
  remove: { symbol: "-", plan: "remove", running: "removing", done: "removed", tone: "red", doneTone: "green" },
} as const satisfies Record<Work, WorkWords> & Record<ShownAct, ActWords>;

export interface Marks {
  readonly running: string;
  readonly done: string;
  readonly failed: string;
  readonly skipped: string;
  readonly ellipsis: string;
  readonly arrow: string;
  /** The parts of a progress bar. */
  readonly full: string;
  readonly empty: string;
}

export const unicodeMarks: Marks = {
  running: "●",
  done: "✓",
  failed: "✗",
  skipped: "-",
  ellipsis: "…",
  arrow: "→",
  full: "█",
  empty: "░",
};
export const asciiMarks: Marks = {
  running: "*",
  done: "+",
  failed: "x",
  skipped: "-",
  ellipsis: "...",
  arrow: "->",
  full: "#",
  empty: ".",
};

/** "9 created, 1 failed": the counts that are not zero, in the order they are given. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`)
    .join(", ");
}
