/** The line for a finished step, in both progress views. */
import type { EngineEvent } from "../engine/events.js";
import { duration } from "./duration.js";
import { printable } from "./printable.js";
import { isWork, type Progress } from "./progress.js";
import { acts, type Marks, type Tone } from "./vocabulary.js";

export interface StepLine {
  readonly mark: keyof Marks;
  readonly tone: Tone;
  /** `created`, `failed`: the state as a word, never by color alone. */
  readonly word: string;
  /** Empty for a skipped step. */
  readonly time: string;
  readonly text: string;
}

/** Undefined for other events, and for steps that needed no work. */
export function stepLine(event: EngineEvent, progress: Progress): StepLine | undefined {
  switch (event.type) {
    case "step.done": {
      if (!isWork(event.act)) return undefined;
      const { done, doneTone } = acts[event.act];
      return { mark: "done", tone: doneTone, word: done, time: duration(event.elapsedMs), text: printable(event.title) };
    }
    case "step.failed": {
      const [title, message] = [printable(event.title), printable(event.failure.message)];
      // Most messages already start with the title.
      const text = `${message.startsWith(title) ? message : `${title}: ${message}`} [${event.failure.code}]`;
      return { mark: "failed", tone: "red", word: "failed", time: duration(event.elapsedMs), text };
    }
    case "step.skipped": {
      const causes = someOf(event.because.map((step) => progress.titleOf(step)));
      return { mark: "skipped", tone: "yellow", word: "skipped", time: "", text: `${printable(event.title)}, because of ${causes}` };
    }
    default:
      return undefined;
  }
}

const mostCauses = 2;

/** "role a, role b and 24 more" */
function someOf(titles: readonly string[]): string {
  if (titles.length <= mostCauses) return titles.join(", ");
  return `${titles.slice(0, mostCauses).join(", ")} and ${String(titles.length - mostCauses)} more`;
}

/** Wide enough for every word of the vocabulary and for `12m05s`, so that titles are aligned. */
export function columns(word: string, time: string): { readonly word: string; readonly time: string } {
  return { word: word.padEnd(8), time: time.padStart(6) };
}
