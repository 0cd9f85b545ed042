/** The context of every long-running command: its two streams, its progress view and events, and its early end. */
import { setMaxListeners } from "node:events";
import type { Sender } from "../azure/transport.js";
import type { Emit } from "../engine/events.js";
import { currentStep } from "../engine/current-step.js";
import { advise, withFlag, type RenderAdvice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { tickerOf } from "../render/ticker.js";
import type { ColorChoice } from "../render/color.js";
import { createEventsFile, publicEvent } from "../render/events-file.js";
import type { Outline } from "../render/outline.js";
import { type Painted, painted } from "../render/painted.js";
import { createPlainView } from "../render/plain.js";
import { onceForEachReason } from "../render/repeated-note.js";
import { together } from "../render/renderer.js";
import { duration } from "../render/duration.js";
import { screensOf, type Screen } from "../render/screen.js";
import { sentence } from "../render/wrapped.js";
import { uncoloredText } from "../text/control.js";
import { endSignals, type EndSignal, type ProcessPort } from "./process-port.js";
import { version } from "./package-version.js";
import type { ReportParts } from "./report-parts.js";
import { createReports } from "./reports.js";
import { adviceRenderer, type ConnectionFlagSettings } from "./connection-flags.js";

export interface RunContextSettings extends ConnectionFlagSettings {
  readonly color: ColorChoice;
  readonly plain?: boolean;
  readonly timeout: number;
  readonly outputEvents?: string | undefined;
  readonly outputReport?: string | undefined;
  readonly outputTimings?: string | undefined;
  /** The command in the header of the events. */
  readonly command: string;
  readonly infraId?: string | undefined;
  readonly name?: string | undefined;
}

export interface RunContext {
  /** stdout: the result only. */
  readonly result: Screen;
  /** stderr. */
  readonly people: Screen;
  readonly port: ProcessPort;
  readonly emit: Emit;
  /** Renders advice with the connection flags of this run. */
  readonly renderAdvice: RenderAdvice;
  /** Aborts at Ctrl-C, SIGTERM, SIGHUP, and at the time limit; its reason is the corresponding Failure. */
  readonly signal: AbortSignal;
  /** Prints a message without colors, also while the live view runs. */
  say(text: string): void;
  /** The same for text with our colors. */
  show(text: Painted): void;
  /** What the run will do; called before it starts. */
  expect(outline: Outline): void;
  /** Adds to the files of --output-report and --output-timings, which are written when the command ends. */
  report(parts: ReportParts): void;
  /** Adds to the job summary of GitHub. Resolves with the reason if that is not possible. */
  summarize(): Promise<string | undefined>;
  /** Writes them. Resolves with the reason for each that could not be written. */
  writeReports(): Promise<readonly Failure[]>;
  /** Clears the live view for a plan or a prompt; the next event restores it. */
  pauseProgress(): void;
  /** Ends the progress view before the summary. */
  endProgress(): void;
  /** Whether the first write may have been made. */
  hasStarted(): boolean;
  /** Why the run ends early, and whether it changed anything; undefined unless a signal or the time limit ends it. */
  stopped(): Failure | undefined;
  /** Why events are missing from the file of --output-events, if any are. */
  lostEvents(): readonly Failure[];
  close(): void;
}

export async function openRunContext(settings: RunContextSettings, port: ProcessPort): Promise<RunContext> {
  const { color, plain, timeout, outputEvents, command, infraId, name } = settings;
  const { clock, endBy, onSignal, onEvent } = port;
  const screens = screensOf(port, color, plain);
  const renderAdvice = adviceRenderer({ ...settings, known: settings, variables: port.environment });
  // Before the view, which would stay open after a failure.
  const eventsFile =
    outputEvents === undefined
      ? undefined
      : createEventsFile({
          path: outputEvents,
          result: screens.result,
          today: clock.now,
          renderAdvice,
          header: { command, version, subject: infraId ?? name },
        });
  // The package that redraws lines takes long to load, and only a terminal needs it.
  const createView = screens.people.live ? (await import("../render/live.js")).createLiveView : createPlainView;
  const view = createView(screens.people, tickerOf(clock));
  const reports = createReports(settings, port, renderAdvice);
  const readers = together([view, reports.events, ...(eventsFile === undefined ? [] : [eventsFile])]);
  const controller = new AbortController();
  // Every request in flight listens to it. This is not a leak, and Node.js's warning would break the progress view.
  setMaxListeners(0, controller.signal);
  const stop = (failure: Failure) => {
    controller.abort(failure);
  };
  let isSignaled = false;
  const endedBy = (signal: EndSignal) => () => {
    isSignaled = true;
    // A second signal ends the process immediately, as intended. All state is in Azure, so nothing is lost.
    if (controller.signal.aborted) return endBy(signal);
    const text = signal === "SIGINT" ? "stopping; press Ctrl-C again to exit immediately" : "stopping";
    // The cursor is after the question of a prompt.
    view.say(painted(isPaused ? `\n${text}` : text));
    stop(signal === "SIGINT" ? new Failure("ARO-RUN-004", "interrupted") : new Failure("ARO-RUN-005", "terminated"));
  };
  const unsubscribe = endSignals.map((signal) => onSignal(signal, endedBy(signal)));
  const endLimit = clock.after(timeout, () => {
    stop(new Failure("ARO-RUN-001", `timed out after ${duration(timeout)}`));
  });

  let isStarted = false;
  let isPaused = false;
  let closed = false;
  const said = new Set<string>();
  return {
    port,
    people: screens.people,
    result: {
      ...screens.result,
      // The live view redraws the last lines of a terminal; the result must not be among them.
      print(text) {
        view.stop();
        screens.result.print(text);
      },
      show(text) {
        view.stop();
        screens.result.show(text);
      },
    },
    // Events use standard output alone: the result is not printed, so that every line is an event.
    ...(outputEvents === "-" && { result: { ...screens.result, print: () => undefined, show: () => undefined } }),
    emit(event) {
      // The event before the first write.
      if (event.type === "run.started") isStarted = true;
      isPaused = false;
      readers.emit(event);
      onEvent?.(publicEvent(event, clock.now(), renderAdvice));
    },
    hasStarted: () => isStarted,
    renderAdvice,
    signal: controller.signal,
    say(text) {
      // Two options may name the same file. A wait, in contrast, is repeated while it goes on.
      if (text.startsWith("notice: ") && said.has(text)) return;
      said.add(text);
      reports.note(text);
      if (!closed) view.say(painted(sentence(screens.people, uncoloredText(text))));
    },
    show(text) {
      if (!closed) view.say(text);
    },
    expect(outline) {
      view.expect(outline);
      reports.expect(outline);
    },
    report: reports.add,
    summarize: reports.summarize,
    writeReports: reports.write,
    pauseProgress() {
      isPaused = true;
      view.pause();
    },
    endProgress: view.stop,
    stopped() {
      const reason: unknown = controller.signal.reason;
      if (!(reason instanceof Failure)) return undefined;
      if (isStarted) return reason;
      const isTimeout = reason.code === "ARO-RUN-001";
      return new Failure(reason.code, `${reason.message}; nothing was changed`, {
        next: [
          "rerun the command",
          ...(isTimeout ? [advise`it may need more time${withFlag("--timeout", ": pass a longer --timeout")}`] : []),
        ],
      });
    },
    lostEvents() {
      const lost = eventsFile?.lost();
      return lost === undefined ? [] : [lost];
    },
    close() {
      closed = true;
      // After one of several requests fails, the others continue, and would retry for minutes.
      controller.abort();
      readers.stop();
      endLimit();
      // After a signal, a thread can keep the process alive, and a second signal must end it. One that arrives while its listener is removed is lost.
      if (!isSignaled) for (const stop of unsubscribe) stop();
    },
  };
}

/** The step that a request belongs to, or the command itself. Its messages remain on the terminal, so a long wait is reported every 30 s at most. */
export function onBehalf(context: RunContext): () => Sender {
  const isNews = onceForEachReason(30_000, context.port.clock.elapsedMs);
  const own: Sender = {
    signal: context.signal,
    note(text, reason = text) {
      if (isNews(reason)) context.say(text);
    },
  };
  return () => currentStep() ?? own;
}
