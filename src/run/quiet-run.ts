/** Runs another command in this process, as if it were started alone, and keeps what it prints. */
import { PassThrough } from "node:stream";
import { Failure } from "../errors/failure.js";
import { streamTo } from "../render/text-stream.js";
import { variableOf } from "../settings/option.js";
import { allOptions } from "../settings/options.js";
import { parseJsonObject } from "../text/json.js";
import type { OtherCommand, RunOther } from "./other-command.js";
import type { EndSignal, ProcessPort } from "./process-port.js";

export interface QuietCommand extends OtherCommand {
  readonly runOther: RunOther;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** What it prints to standard error. */
  readonly onText: (text: string) => void;
}

/** The document is empty if it printed none. */
export async function runQuietly({ runOther, signal, onText, port, flags, command, config }: QuietCommand) {
  const printed: string[] = [];
  const code = await runOther({
    ...{ command, config },
    flags: { output: "json", ...flags },
    port: quietPort(port, signal, { stdout: (text) => printed.push(text), stderr: onText }),
  });
  return { code, document: parseJsonObject(printed.join("")) ?? {} };
}

export function listIn<Item>(document: Readonly<Record<string, unknown>>, key: string): readonly Item[] {
  const list = document[key];
  return Array.isArray(list) ? (list as readonly Item[]) : [];
}

/** Its settings are its own: a variable for one command would be one for all. The summary of a job is that of the command that runs it. */
function environmentOf({ environment }: ProcessPort): NodeJS.ProcessEnv {
  const gone: ReadonlySet<string> = new Set([...allOptions.map(variableOf), "GITHUB_STEP_SUMMARY"]);
  return Object.fromEntries(Object.entries(environment).filter(([variable]) => !gone.has(variable)));
}

interface Received {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}

/** A process without a terminal, which ends when `signal` says so. */
function quietPort(port: ProcessPort, signal: AbortSignal, { stdout, stderr }: Received): ProcessPort {
  const { onEvent: _ofCaller, ...own } = port;
  return {
    ...own,
    environment: environmentOf(port),
    args: [],
    stdin: new PassThrough().end(),
    stdout: streamTo(stdout),
    stderr: streamTo(stderr),
    onSignal(name, listener) {
      if (name !== signalOf(signal) && signal.aborted) return () => undefined;
      const onAbort = () => {
        if (name === signalOf(signal)) listener();
      };
      if (signal.aborted) queueMicrotask(onAbort);
      signal.addEventListener("abort", onAbort, { once: true });
      return () => signal.removeEventListener("abort", onAbort);
    },
    endBy: () => undefined,
    onIdle: () => () => undefined,
    exit: () => undefined,
  };
}

/** It ends as its caller does. */
function signalOf({ reason }: AbortSignal): EndSignal {
  return reason instanceof Failure && reason.code === "ARO-RUN-005" ? "SIGTERM" : "SIGINT";
}
