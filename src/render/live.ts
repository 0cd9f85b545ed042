/** Progress on a terminal: what runs, redrawn in place, with the counts of the sections and the time left; what has ended scrolls up above. */
import { createLogUpdate } from "log-update";
import type { Ticker } from "./ticker.js";
import { terminalText } from "../text/control.js";
import { plural } from "../text/plural.js";
import { aboutDuration, runningDuration } from "./duration.js";
import { shorten } from "./printable.js";
import { createProgress, type RunningStep } from "./progress.js";
import type { View } from "./renderer.js";
import type { Screen } from "./screen.js";
import type { Section } from "./sections.js";
import { columns, type EndLine, sectionLine, skippedLine, stepLine } from "./step-line.js";
import { acts } from "./vocabulary.js";
import { hanging, wrapped } from "./wrapped.js";

const redrawMs = 100;
/** Lines of the window that running steps cannot use: the footer, the cursor's line, one finished step. */
const otherLines = 3;
/** The width of "● creating    14s  ". */
const headWidth = 19;
/** As many steps of a section with the same note have a line each. */
const mostAlike = 2;
/** In lines. */
const lowWindow = 16;
const barWidth = 16;

/** Running steps that share a line. */
interface Alike {
  readonly steps: readonly RunningStep[];
  readonly section: Section | undefined;
}

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

  function fit(text: string, taken: number): string {
    // The last column stays free, because terminals differ in how they wrap there.
    return shorten(text, Math.max(0, screen.width() - taken - 1), marks.ellipsis);
  }

  function scroll(line: EndLine | undefined): void {
    if (line === undefined) return;
    const { word, time } = columns(line.word, line.time);
    // Not shortened, because it stays in the scrollback.
    finished.push(...hanging(screen, `${paint[line.tone](`${marks[line.mark]} ${word}`)} ${paint.dim(time)}  `, headWidth, line.text));
  }

  /** A section of several steps has one line, when its last step has ended; each new reason of a failure has one at once. */
  function scrollEnded(event: Parameters<typeof stepLine>[0]): void {
    const line = stepLine(event, progress);
    const section = "step" in event ? progress.sectionOf(event.step) : undefined;
    if (progress.inFull || section === undefined || section.total === 1) {
      scroll(line);
      return;
    }
    if (event.type === "step.failed" && progress.isFirstOfReason(event.failure)) scroll(line);
    const hasEnded = event.type === "step.done" || event.type === "step.failed" || event.type === "step.skipped";
    if (hasEnded && section.ended === section.total) scroll(sectionLine(section, ticker.now()));
  }

  function scrollRest(): void {
    const parts = isRunning && !progress.inFull ? progress.sections() : [];
    isRunning = false;
    for (const section of parts) if (section.total > 1 && section.ended < section.total) scroll(sectionLine(section, ticker.now()));
    scroll(skippedLine(progress.takeSkipped()));
  }

  /** Steps of one section with the same note. */
  function running(): Alike[] {
    const alike = new Map<string, Alike>();
    for (const [id, step] of progress.running) {
      const section = progress.sectionOf(id);
      const key = JSON.stringify([section?.name ?? id, step.note]);
      alike.set(key, { section, steps: [...(alike.get(key)?.steps ?? []), step] });
    }
    return [...alike.values()].flatMap((group) => {
      const { steps, section } = group;
      return steps.length > mostAlike ? [group] : steps.map((step): Alike => ({ steps: [step], section }));
    });
  }

  /** What is done, for how long, how long it usually takes, and below, in full, what it waits for. */
  function runningLines({ steps, section }: Alike): string[] {
    const [oldest] = steps;
    if (oldest === undefined) return [];
    const { word, time } = columns(acts[oldest.act].running, runningDuration(ticker.now() - oldest.startedMs));
    const longestMs = Math.max(...steps.map(({ usualMs }) => usualMs ?? 0));
    const usual = longestMs === 0 ? "" : `, usually ${aboutDuration(longestMs)}`;
    const what =
      steps.length === 1 || section === undefined
        ? oldest.title
        : `${section.name} ${section.ended}/${section.total}, ${steps.length} running`;
    const head = `${paint.cyan(`${marks.running} ${word} ${time}`)}  `;
    const note = oldest.note === undefined ? [] : below(oldest.note).map((line) => paint.dim(line));
    return [...below(what + usual).map((line, index) => (index === 0 ? head + line.trimStart() : line)), ...note];
  }

  /** Text beside the words and times, in full. */
  function below(text: string): string[] {
    return wrapped(text, Math.max(1, screen.width() - headWidth - 1)).map((line) => " ".repeat(headWidth) + line);
  }

  function footer(hidden: number): string {
    const elapsedMs = ticker.now() - begunMs;
    const { total } = progress;
    if (total === undefined) return paint.dim(fit(`reading Azure, ${progress.planned} read, ${runningDuration(elapsedMs)}`, 0));
    const remainingMs = progress.remainingMs();
    const left = remainingMs === undefined ? `${progress.running.size} running` : `about ${aboutDuration(remainingMs)} left`;
    const parts = [
      `${progress.ended}/${plural(total, "step")}`,
      runningDuration(elapsedMs),
      progress.ended < total ? left : "reading Azure again",
      ...(progress.failed > 0 ? [`${progress.failed} failed`] : []),
      ...(hidden > 0 ? [`${hidden} not shown`] : []),
    ];
    const text = parts.join(", ");
    const bar = remainingMs === undefined ? "" : `${barText(elapsedMs / (elapsedMs + remainingMs))} `;
    const hasRoom = bar.length + text.length < screen.width();
    return paint.dim(fit(hasRoom ? bar + text : text, 0));
  }

  function barText(share: number): string {
    const full = Math.min(barWidth, Math.round(share * barWidth));
    return marks.full.repeat(full) + marks.empty.repeat(barWidth - full);
  }

  /** The sections with steps that have not started. One line in a low window. */
  function waitingLines(): string[] {
    const inSection = (name: string) => [...progress.running.keys()].filter((id) => progress.sectionOf(id)?.name === name).length;
    const waiting = progress.sections().filter(({ name, ended, total }) => ended + inSection(name) < total);
    if (waiting.length === 0) return [];
    const counts = waiting.map(({ name, ended, total }) => `${name} ${ended}/${total}`).join(", ");
    const lines = screen.height() < lowWindow ? [fit(counts, headWidth)] : below(counts);
    return lines.map((line, index) => paint.dim((index === 0 ? "waiting" : "").padEnd(headWidth) + line.trimStart()));
  }

  function frame(): string {
    const waiting = waitingLines();
    const room = Math.max(1, screen.height() - otherLines - waiting.length);
    const shown: string[] = [];
    let hidden = 0;
    for (const alike of running()) {
      const lines = runningLines(alike);
      if (shown.length === 0 || shown.length + lines.length <= room) shown.push(...lines);
      else hidden += alike.steps.length;
    }
    return [...shown, ...waiting, footer(hidden)].join("\n");
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
