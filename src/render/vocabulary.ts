/** The words, marks and colours of everything shown about a step: one table, the same in every view. */
import type { Act } from "../engine/step.js";

export type ShownAct = Act | "wait" | "remove";
export type Tone = "green" | "yellow" | "red" | "cyan" | "dim";

export interface ActWords {
  /** In a plan; plain ASCII, because plans are pasted. */
  readonly symbol: string;
  readonly plan: string;
  readonly running: string;
  readonly done: string;
  readonly tone: Tone;
}

export const acts = {
  create: { symbol: "+", plan: "create", running: "creating", done: "created", tone: "green" },
  update: { symbol: "~", plan: "update", running: "updating", done: "updated", tone: "yellow" },
  wait: { symbol: "~", plan: "wait", running: "waiting", done: "waited", tone: "yellow" },
  keep: { symbol: "=", plan: "keep", running: "keeping", done: "kept", tone: "dim" },
  adopt: { symbol: "=", plan: "adopt", running: "adopting", done: "adopted", tone: "dim" },
  refuse: { symbol: "!", plan: "refuse", running: "refusing", done: "refused", tone: "red" },
  remove: { symbol: "-", plan: "remove", running: "removing", done: "removed", tone: "red" },
} as const satisfies Record<ShownAct, ActWords>;

export interface Marks {
  readonly running: string;
  readonly done: string;
  readonly failed: string;
  readonly skipped: string;
  readonly ellipsis: string;
  readonly arrow: string;
}

export const unicodeMarks: Marks = { running: "●", done: "✓", failed: "✗", skipped: "-", ellipsis: "…", arrow: "→" };
export const asciiMarks: Marks = { running: "*", done: "+", failed: "x", skipped: "-", ellipsis: "...", arrow: "->" };

/** "9 created, 1 failed": the counts that are not zero, in the order they are given. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`)
    .join(", ");
}
