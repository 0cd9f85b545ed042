/** The end of a failed command: text on stderr, JSON on stdout, and the exit code. */
import { toFailure } from "../../azure/to-failure.js";
import { advise, rerun, type RenderAdvice } from "../../errors/advice.js";
import { catalogue } from "../../errors/catalogue.js";
import { exitCodeFor } from "../../errors/exit-codes.js";
import { Failure } from "../../errors/failure.js";
import { distinctFailures, failureJson } from "../../errors/format.js";
import type { ColorChoice } from "../../render/color.js";
import { printDocument } from "../../render/document.js";
import { failuresText } from "../../render/failure.js";
import { screensOf, type ProcessStreams } from "../../render/screen.js";
import { isJsonRequested } from "../json-requested.js";
import type { ProcessPort } from "../process-port.js";
import { adviceRenderer, type ConnectionFlagSettings } from "./connection-flags.js";

/** The format of a failure, from the settings of those names. */
export interface DisplayOptions extends ConnectionFlagSettings {
  readonly output: "text" | "json";
  readonly debug: boolean;
  readonly color: ColorChoice;
}

/** Returns the exit code. */
export function showFailure(error: unknown, displayOptions: DisplayOptions, streams: ProcessStreams): number {
  const { output, debug, color } = displayOptions;
  const failures: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  const known = distinctFailures(failures.map((one) => (one instanceof Failure ? one : toFailure(one, "aro-hcp"))));
  const { people, result } = screensOf(streams, color);
  const renderAdvice = adviceRenderer(displayOptions);
  people.print(failuresText(people, known, { renderAdvice, debug }));
  if (output === "json") printDocument(result, failuresDocument(known, renderAdvice));
  return exitCodeFor(known.map(({ code }) => catalogue[code].exit));
}

/** Returns the exit code. */
export function showLostResult({ code = "unknown reason" }: NodeJS.ErrnoException, streams: ProcessStreams): number {
  const failure = new Failure("ARO-RUN-006", `the result could not be written to standard output: ${code}`);
  return showFailure(failure, { output: "text", debug: false, color: "auto" }, streams);
}

/** Returns the exit code. */
export function showUnfinished(port: ProcessPort): number {
  const failure = new Failure("ARO-BUG-001", "the command ended before it was complete, because nothing was left to wait for", {
    because: "some of the changes may have been made",
    next: [advise`${rerun}, which continues from what Azure has`, "report it with the output of --debug"],
  });
  return showFailure(failure, { output: isJsonRequested(port) ? "json" : "text", debug: false, color: "auto" }, port);
}

function failuresDocument(failures: readonly Failure[], renderAdvice: RenderAdvice) {
  return { ok: false, failures: failures.map((failure) => failureJson(failure, renderAdvice)) };
}
