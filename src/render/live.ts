/** Progress on a terminal: a line per running step, redrawn in place; finished steps scroll up above them. */
import { createLogUpdate } from "log-update";
import type { Ticker } from "./ticker.js";
import { terminalText } from "../text/control.js";
import { plural } from "../text/plural.js";
import { runningDuration } from "./duration.js";
import { shorten } from "./printable.js";
import { createProgress, type RunningStep } from "./progress.js";
import type { View } from "./renderer.js";
import type { Screen } from "./screen.js";
import { columns, type StepLine, stepLine } from "./step-line.js";
import { acts } from "./vocabulary.js";

const redrawMs = 100;
/** Lines of the window that running steps cannot use: the footer, the cursor's line, one finished step. */
const otherLines = 3;

export function createLiveView(screen: Screen, ticker: Ticker): View {
  const progress = createProgress(ticker);
  // The cursor stays visible below the footer, so that even SIGKILL cannot leave a terminal without one.
  const area = createLogUpdate(screen.stream, { showCursor: true });
  const { paint, marks } = screen;
  let finished: string[] = [];
  let stopped = false;
  let paused = false;
  /** Start of the time in the footer: of reading, then of the run; excludes the time of an open question. */
  let begunMs = ticker.now();

  function fit(text: string, taken: number): string {
    // The last column stays free, because terminals differ in how they wrap there.
    return shorten(text, Math.max(0, screen.width() - taken - 1), marks.ellipsis);
  }

  function finishedLine(line: StepLine): string {
    const { word, time } = columns(line.word, line.time);
    // Not shortened, because it stays in the scrollback.
    return `${paint[line.tone](`${marks[line.mark]} ${word}`)} ${paint.dim(time)}  ${line.text}`;
  }

  function runningLine(step: RunningStep): string {
    const { word, time } = columns(acts[step.act].running, runningDuration(ticker.now() - step.startedMs));
    const head = `${marks.running} ${word} ${time}  `;
    const title = fit(step.title, head.length);
    const note = step.note === undefined ? "" : fit(`: ${step.note}`, head.length + title.length);
    return paint.cyan(head) + title + paint.dim(note);
  }

  function footer(hidden: number): string {
    const elapsed = runningDuration(ticker.now() - begunMs);
    const parts =
      progress.total === undefined
        ? ["reading Azure", `${progress.planned} read`, elapsed]
        : [`${progress.ended}/${plural(progress.total, "step")}`, elapsed, `${progress.running.size} running`];
    if (progress.failed > 0) parts.push(`${progress.failed} failed`);
    if (hidden > 0) parts.push(`${hidden} not shown`);
    return paint.dim(fit(parts.join(", "), 0));
  }

  function frame(): string {
    const running = [...progress.running.values()];
    const shown = running.slice(0, Math.max(1, screen.height() - otherLines));
    return [...shown.map(runningLine), footer(running.length - shown.length)].join("\n");
  }

  function scrollFinished(): void {
    if (finished.length === 0) return;
    area.clear();
    // Bypasses log-update, which would cut the text to the height of the window.
    screen.print(finished.join("\n"));
    finished = [];
  }

  const stopDrawing = ticker.every(redrawMs, () => {
    if (paused) return;
    scrollFinished();
    area(terminalText(frame()));
  });

  return {
    emit(event) {
      if (stopped) return;
      if (paused || event.type === "run.started") begunMs = ticker.now();
      paused = false;
      progress.take(event);
      const line = stepLine(event, progress);
      if (line) finished.push(finishedLine(line));
    },
    say(text) {
      finished.push(text);
      // Immediately: it may be the last output before the process exits.
      scrollFinished();
    },
    pause() {
      paused = true;
      scrollFinished();
      area.clear();
    },
    stop() {
      if (stopped) return;
      stopped = true;
      stopDrawing();
      scrollFinished();
      area.clear();
      area.done();
    },
  };
}
