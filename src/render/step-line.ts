/** The lines for what has ended, in both progress views: a step, a section, the skipped steps. */
import type { EngineEvent } from "../engine/events.js";
import type { Failure } from "../errors/failure.js";
import { failedText } from "../errors/format.js";
import { plural } from "../text/plural.js";
import { duration } from "./duration.js";
import { printable } from "./printable.js";
import { isWork, type Progress, type SkippedTitle } from "./progress.js";
import type { Section } from "./sections.js";
import { acts, countsText, type Marks, type Tone } from "./vocabulary.js";

export interface EndLine {
  readonly mark: keyof Marks;
  readonly tone: Tone;
  /** `created`, `failed`: the state as a word, never by color alone. */
  readonly word: string;
  /** Empty if it took none. */
  readonly time: string;
  readonly text: string;
}

/** Undefined for other events, and for steps that needed no work. Skipped steps share a line. */
export function stepLine(event: EngineEvent, progress: Progress): EndLine | undefined {
  switch (event.type) {
    case "step.done": {
      const act = progress.shownAct(event);
      if (!isWork(act)) return undefined;
      const { done, doneTone } = acts[act];
      return { mark: "done", tone: doneTone, word: done, time: duration(event.elapsedMs), text: printable(event.title) };
    }
    case "step.failed": {
      const text = failureText(event.title, event.failure, progress.isFirstOfReason(event.failure));
      return { mark: "failed", tone: "red", word: "failed", time: duration(event.elapsedMs), text };
    }
    default:
      return undefined;
  }
}

/** The title with the reason, which is not repeated for further steps. */
function failureText(title: string, failure: Failure, isFirst: boolean): string {
  const because = failure.because === undefined ? "" : `: ${failure.because}`;
  // Without a reason, the message is it.
  const text = isFirst
    ? `${failedText(failure, title)}${because}`
    : `${failure.because === undefined ? title : failedText(failure, title)}, for the same reason`;
  return `${printable(text)} [${failure.code}]`;
}

/** Undefined if none of its steps did any work. */
export function sectionLine({ name, total, ended, words, startedMs }: Section, nowMs: number): EndLine | undefined {
  const { kept: _kept, skipped: _skipped, ...worked } = words;
  const [word = "", ...others] = Object.keys(worked);
  if (word === "" || startedMs === undefined) return undefined;
  const isFailed = (words["failed"] ?? 0) > 0;
  const count = ended < total ? `${ended} of ${total}` : String(total);
  const isMixed = others.length > 0 || Object.keys(words).length > 1;
  return {
    mark: isFailed ? "failed" : "done",
    tone: isFailed ? "red" : "green",
    word: isFailed ? "failed" : others.length > 0 ? "done" : word,
    time: duration(nowMs - startedMs),
    text: `${name} (${count})${isMixed ? `: ${countsText(words)}` : ""}`,
  };
}

/** Undefined if none was skipped. */
export function skippedLine(skipped: readonly SkippedTitle[]): EndLine | undefined {
  const [first] = skipped;
  if (first === undefined) return undefined;
  const what = skipped.length === 1 ? first.title : plural(skipped.length, "step");
  const causes = someOf([...new Set(skipped.flatMap(({ because }) => because))]);
  return { mark: "skipped", tone: "yellow", word: "skipped", time: "", text: `${what}, because of ${causes}` };
}

const mostCauses = 2;

/** "role a, role b and 24 more" */
function someOf(titles: readonly string[]): string {
  if (titles.length <= mostCauses) return titles.join(", ");
  return `${titles.slice(0, mostCauses).join(", ")} and ${String(titles.length - mostCauses)} more`;
}

/** The width of "✓ created    1.2s  ". */
export const headWidth = 19;

/** Wide enough for every word of the vocabulary and for `12m05s`, so that titles are aligned. */
export function columns(word: string, time: string): { readonly word: string; readonly time: string } {
  return { word: word.padEnd(8), time: time.padStart(6) };
}
