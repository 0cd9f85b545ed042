/** What every long command stands on: its two streams, its progress view and events, and what ends it early. */
import { setMaxListeners } from "node:events";
import type { Sender } from "../../azure/transport.js";
import type { Emit } from "../../engine/events.js";
import { currentStep } from "../../engine/current-step.js";
import type { RenderAdvice } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { systemTicker } from "../../render/ticker.js";
import type { ColourChoice } from "../../render/colour.js";
import { createEventsFile } from "../../render/events-file.js";
import { createLiveView } from "../../render/live.js";
import { createPlainView } from "../../render/plain.js";
import { together } from "../../render/renderer.js";
import { duration } from "../../render/duration.js";
import { screensOf, type Screen } from "../../render/screen.js";
import type { ProcessPort } from "../process-port.js";
import { version } from "../version.js";
import { adviceRenderer, type ConnectionFlagSettings } from "./connection-flags.js";

export interface RunContextSettings extends ConnectionFlagSettings {
  readonly color: ColourChoice;
  readonly timeout: number;
  readonly events?: string | undefined;
  /** For the header of the events. */
  readonly command: string;
  readonly infraId?: string | undefined;
  readonly name?: string | undefined;
}

export interface RunContext {
  /** stdout: the result and nothing else. */
  readonly result: Screen;
  /** stderr. */
  readonly people: Screen;
  readonly port: ProcessPort;
  readonly emit: Emit;
  /** Writes advice out, with the connection of this run. */
  readonly renderAdvice: RenderAdvice;
  /** Aborts at Ctrl-C, SIGTERM, and when the time is up; its reason is the Failure that says which. */
  readonly signal: AbortSignal;
  /** Speaks to people, also while the view runs. */
  say(text: string): void;
  /** Leaves the screen to a plan or a question; the next event brings the view back. */
  pauseProgress(): void;
  /** Ends the progress view; the summary follows. */
  endProgress(): void;
  close(): void;
}

export function openRunContext(settings: RunContextSettings, port: ProcessPort): RunContext {
  const { color, timeout, events, command, infraId, name } = settings;
  const { clock, exit, onSignal } = port;
  const screens = screensOf(port, color);
  const renderAdvice = adviceRenderer(settings);
  const view = (screens.people.live ? createLiveView : createPlainView)(screens.people, systemTicker(clock.elapsedMs));
  const readers = together(
    events === undefined
      ? [view]
      : [
          view,
          createEventsFile({
            path: events,
            result: screens.result,
            today: clock.now,
            renderAdvice,
            header: { command, version, subject: infraId ?? name },
          }),
        ],
  );
  const controller = new AbortController();
  // Every request in flight listens to it; that many are no leak, and Node's warning would run through the progress view.
  setMaxListeners(0, controller.signal);
  const stop = (failure: Failure) => {
    controller.abort(failure);
  };
  const interrupted = (code: "ARO-RUN-004" | "ARO-RUN-005", message: string) => () => {
    // The second time at once: whoever presses it again means it. Azure is the only state, so nothing is lost.
    if (controller.signal.aborted) return exit(code === "ARO-RUN-004" ? 130 : 143);
    view.say("stopping; press Ctrl-C again to exit immediately");
    stop(new Failure(code, message));
  };
  const unsubscribe = [
    onSignal("SIGINT", interrupted("ARO-RUN-004", "interrupted")),
    onSignal("SIGTERM", interrupted("ARO-RUN-005", "terminated")),
  ];
  const timer = setTimeout(() => {
    stop(new Failure("ARO-RUN-001", `not done after ${duration(timeout)}`));
  }, timeout);
  timer.unref();

  let closed = false;
  return {
    port,
    people: screens.people,
    result: {
      ...screens.result,
      // The live view redraws the last lines of a terminal: the result must not be among them.
      print(text) {
        view.stop();
        screens.result.print(text);
      },
    },
    // Events have standard output to themselves: the result stays out, so that every line is one of them.
    ...(events === "-" && { result: { ...screens.result, print: () => undefined } }),
    emit: readers.emit,
    renderAdvice,
    signal: controller.signal,
    say(text) {
      if (!closed) view.say(text);
    },
    pauseProgress: view.pause,
    endProgress: view.stop,
    close() {
      closed = true;
      // Where one of several requests failed, the others go on, and would ask again for minutes.
      controller.abort();
      readers.stop();
      clearTimeout(timer);
      for (const stop of unsubscribe) stop();
    },
  };
}

/** The step on whose behalf Azure is asked, or, where there is none, the command itself. */
export function onBehalf(context: RunContext): () => Sender {
  return () => currentStep() ?? { signal: context.signal, note: context.say };
}

/** Waits for what is asked of Azure outside of any step; where the context's signal ended it, the failure says which. */
export async function orStopped<T>({ signal }: RunContext, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
