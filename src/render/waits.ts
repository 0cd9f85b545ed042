/** What the steps of a run waited for, from their notes. */
import type { Renderer } from "./renderer.js";
import { printable } from "./printable.js";

/** Times are milliseconds since the start of the step. A wait ends with the next one, or with the step. */
export interface Wait {
  readonly reason: string;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Waits extends Renderer {
  /** The waits of a step in their order. `tookMs` is its duration. */
  of(step: string, tookMs: number): readonly Wait[];
}

export function recordWaits(): Waits {
  const begun = new Map<string, { readonly reason: string; readonly text: string; readonly fromMs: number }[]>();
  return {
    emit(event) {
      // A plan reads before it: what it waited for is no wait of the run.
      if (event.type === "run.started") begun.clear();
      if (event.type !== "step.note") return;
      const { step, text, reason, elapsedMs: fromMs } = event;
      const own = begun.get(step) ?? [];
      // Each poll and each retry has a note.
      if (own.at(-1)?.reason === reason) return;
      begun.set(step, [...own, { reason, text: printable(text), fromMs }]);
    },
    of(step, tookMs) {
      const own = begun.get(step) ?? [];
      return own.map(({ text, fromMs }, index) => ({ reason: text, fromMs, toMs: own[index + 1]?.fromMs ?? Math.max(tookMs, fromMs) }));
    },
    stop() {},
  };
}
