/** One line for a step that has ended, as both progress views show it. */
import type { EngineEvent } from "../engine/events.js";
import { duration } from "./duration.js";
import { printable } from "./printable.js";
import { isWork, type Progress } from "./progress.js";
import { acts, type Marks, type Tone } from "./vocabulary.js";

export interface StepLine {
  readonly mark: keyof Marks;
  readonly tone: Tone;
  /** `created`, `failed`: state in a word, never by colour alone. */
  readonly word: string;
  /** Empty where nothing was done. */
  readonly time: string;
  readonly text: string;
}

/** Undefined for events that end no step, and for steps that needed no work. */
export function stepLine(event: EngineEvent, progress: Progress): StepLine | undefined {
  switch (event.type) {
    case "step.done": {
      if (!isWork(event.act)) return undefined;
      const { done, doneTone } = acts[event.act];
      return { mark: "done", tone: doneTone, word: done, time: duration(event.elapsedMs), text: printable(event.title) };
    }
    case "step.failed": {
      const [title, message] = [printable(event.title), printable(event.failure.message)];
      // Most messages name the thing already.
      const text = `${message.startsWith(title) ? message : `${title}: ${message}`} [${event.failure.code}]`;
      return { mark: "failed", tone: "red", word: "failed", time: duration(event.elapsedMs), text };
    }
    case "step.skipped": {
      const causes = event.because.map((step) => progress.titleOf(step)).join(", ");
      return { mark: "skipped", tone: "yellow", word: "skipped", time: "", text: `${printable(event.title)}, because of ${causes}` };
    }
    default:
      return undefined;
  }
}

/** Wide enough for every word of the vocabulary and for `12m05s`, so that titles stand in one column. */
export function columns(word: string, time: string): { readonly word: string; readonly time: string } {
  return { word: word.padEnd(8), time: time.padStart(6) };
}
