/** Progress on a terminal: what runs is redrawn in place, and what has ended scrolls up above it. */
import { createLogUpdate } from "log-update";
import type { EngineEvent } from "../engine/events.js";
import { terminalText } from "../text/control.js";
import { liveFrame } from "./live-frame.js";
import { createProgress } from "./progress.js";
import { painted } from "./painted.js";
import type { View } from "./renderer.js";
import type { Screen } from "./screen.js";
import { columns, type EndLine, headWidth, sectionLine, skippedLine, stepLine } from "./step-line.js";
import type { Ticker } from "./ticker.js";
import { hanging } from "./wrapped.js";

const redrawMs = 100;

export function createLiveView(screen: Screen, ticker: Ticker): View {
  const progress = createProgress(ticker);
  // The cursor stays visible below the footer, so that even SIGKILL cannot leave a terminal without one.
  const area = createLogUpdate(screen.stream, { showCursor: true });
  const { paint, marks } = screen;
  let finished: string[] = [];
  let stopped = false;
  let paused = false;
  let isRunning = false;
  /** Start of the time in the footer: of reading, then of the run; excludes the time of an open question. */
  let begunMs = ticker.now();

  function scroll(line: EndLine | undefined): void {
    if (line === undefined) return;
    const { word, time } = columns(line.word, line.time);
    // Not shortened, because it stays in the scrollback.
    finished.push(...hanging(screen, `${paint[line.tone](`${marks[line.mark]} ${word}`)} ${paint.dim(time)}  `, headWidth, line.text));
  }

  /** A section of several steps has one line, when its last step has ended; each new reason of a failure has one at once. */
  function scrollEnded(event: EngineEvent): void {
    const section = "step" in event ? progress.sectionOf(event.step) : undefined;
    const isOwnLine = progress.inFull || section === undefined || section.total === 1;
    if (isOwnLine || (event.type === "step.failed" && progress.isFirstOfReason(event.failure))) scroll(stepLine(event, progress));
    if (isOwnLine) return;
    const hasEnded = event.type === "step.done" || event.type === "step.failed" || event.type === "step.skipped";
    if (hasEnded && section.ended === section.total) scroll(sectionLine(section, ticker.now()));
  }

  /** If the run ended early, includes the sections that have ended in part. */
  function scrollRest(): void {
    const sections = isRunning && !progress.inFull ? progress.sections() : [];
    isRunning = false;
    for (const section of sections) if (section.total > 1 && section.ended < section.total) scroll(sectionLine(section, ticker.now()));
    scroll(skippedLine(progress.takeSkipped()));
  }

  function scrollFinished(): void {
    if (finished.length === 0) return;
    area.clear();
    // Bypasses log-update, which would cut the text to the height of the window.
    screen.show(painted(finished.join("\n")));
    finished = [];
  }

  const stopDrawing = ticker.every(redrawMs, () => {
    if (paused) return;
    scrollFinished();
    area(terminalText(liveFrame(screen, progress, ticker.now(), ticker.now() - begunMs)));
  });

  return {
    expect: progress.expect,
    emit(event) {
      if (stopped) return;
      if (paused || event.type === "run.started") begunMs = ticker.now();
      paused = false;
      progress.take(event);
      scrollEnded(event);
      if (event.type === "run.started") isRunning = true;
      if (event.type === "run.finished") scrollRest();
    },
    say(text) {
      finished.push(text);
      // Immediately: it may be the last output before the process exits.
      scrollFinished();
    },
    pause() {
      paused = true;
      scrollRest();
      scrollFinished();
      area.clear();
    },
    stop() {
      if (stopped) return;
      stopped = true;
      stopDrawing();
      scrollRest();
      scrollFinished();
      area.clear();
      area.done();
    },
  };
}
