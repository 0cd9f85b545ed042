/** Runs a command for a program, without a terminal: settings in, events on the way, its document out. */
import { Readable } from "node:stream";
import { catalogue } from "../errors/catalogue.js";
import { exitCodeFor } from "../errors/exit-codes.js";
import { Failure, type Problem } from "../errors/failure.js";
import { failureJson, type FailureJson } from "../errors/format.js";
import { streamTo } from "../render/text-stream.js";
import { adviceRenderer } from "../run/connection-flags.js";
import { surroundings, type ProcessPort } from "../run/process-port.js";
import { failuresIn } from "../run/show-failure.js";
import { allOptions } from "../settings/options.js";
import type { Sources } from "../settings/resolve.js";
import { didYouMean } from "../text/did-you-mean.js";
import { hasDocument, libraryCommands, libraryOptionsOf } from "./commands.js";
import { AroHcpError } from "./error.js";
import type { Commands, Event } from "./types.js";
import { commandModules, execute, type RunnableCommand } from "./execute.js";

export interface RunOptions {
  /** Receives each event when it happens. */
  readonly onEvent?: (event: Event) => void;
  /** Receives what the command line would print on standard error: the plan, warnings, what it waits for. */
  readonly onText?: (text: string) => void;
  /** Ends the run as Ctrl-C does: it begins nothing more, and rejects with ARO-RUN-004. */
  readonly signal?: AbortSignal;
  /** The variables of the run, `process.env` by default. The sign-in of @azure/identity always reads `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a command: `run("create infra", { name: "demo", … })`. It never asks: creates run at once,
 * deletions and changes of a running cluster need `yes: true`, and `dryRun: true` is the plan.
 * Resolves with the document that the command prints with `--output json`, or with its text if it has no document.
 * @throws AroHcpError, also if the command did only a part of its work
 */
export async function run<C extends keyof Commands>(
  command: C,
  settings: Commands[C]["settings"],
  options: RunOptions = {},
): Promise<Commands[C]["result"]> {
  const known = libraryCommands.find((name) => name === command);
  const wrong = known === undefined ? unknownCommand(command) : unverified();
  if (known === undefined || wrong !== undefined) throw new AroHcpError(...described(wrong, {}));
  const printed: string[] = [];
  let effective: Settings = { ...settings, command };
  const call = {
    flags: flagsOf(known, settings),
    problems: unknownSettings(known, settings),
    port: portOf(options, (text) => printed.push(text)),
    onSettings: (resolved: object) => {
      effective = { ...resolved, command };
    },
  };
  let code: number;
  try {
    code = await execute(known, commandModules[known], call);
  } catch (error) {
    // The failures say what a Failure says: the cause is what it was made of.
    throw new AroHcpError(...described(error, effective), { cause: error instanceof Failure ? error.cause : error });
  }
  const text = printed.join("");
  const result = hasDocument(known) ? (JSON.parse(text) as Settings) : text;
  const failures = failuresOf(result);
  if (failures.length > 0) throw new AroHcpError(failures, code, { result });
  return result;
}

function failuresOf(result: Settings | string): readonly FailureJson[] {
  const failures = typeof result === "string" ? undefined : result["failures"];
  return Array.isArray(failures) ? (failures as readonly FailureJson[]) : [];
}

function described(error: unknown, settings: Settings): [readonly FailureJson[], number] {
  const failures = failuresIn(error);
  const renderAdvice = adviceRenderer({ ...settings, known: settings });
  return [
    failures.map((failure) => inProperties(failureJson(failure, renderAdvice))),
    exitCodeFor(failures.map(({ code }) => catalogue[code].exit)),
  ];
}

/** A program passes properties, not flags, and reads no variable or file for them. Commands in backticks stay as they are. */
function inProperties(failure: FailureJson): FailureJson {
  const text = (given: string) =>
    given
      .replace(/; you can also set \w+, or \w+ in a --config file/g, "")
      .replace(/`[^`]*`|--[a-z][a-z-]*/g, (part) => propertyOf(part) ?? part);
  const { message, because, problems, next } = failure;
  return {
    ...failure,
    message: text(message),
    ...(because !== undefined && { because: text(because) }),
    ...(problems && { problems: problems.map(({ origin, message: problem }) => ({ origin: text(origin), message: text(problem) })) }),
    next: next.map(text),
  };
}

function propertyOf(flag: string): string | undefined {
  return allOptions.find((option) => option.flag === flag)?.key;
}

/** With this variable Node.js accepts any certificate, in the whole process, which is not ours to change. */
function unverified(): Failure | undefined {
  if (surroundings().environment["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0") return undefined;
  return new Failure("ARO-USAGE-001", "NODE_TLS_REJECT_UNAUTHORIZED=0 is set in this process: any server would get its secrets", {
    next: ["unset it; NODE_EXTRA_CA_CERTS names the certificate authority of a proxy"],
  });
}

function unknownCommand(command: string): Failure {
  return new Failure("ARO-USAGE-001", `"${command}" is not a command of the library${didYouMean(command, libraryCommands)}`);
}

type Settings = Readonly<Record<string, unknown>>;

/** What is undefined is not given: a caller may pass settings that it only sometimes has. */
function flagsOf(command: RunnableCommand, settings: Settings): Sources["flags"] {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(hasDocument(command) && { output: "json" }) };
}

function unknownSettings(command: RunnableCommand, settings: Settings): readonly Problem[] {
  const keys = libraryOptionsOf(command).map(({ key }) => key);
  return Object.keys(settings)
    .filter((key) => !keys.includes(key))
    .map((key) => ({ origin: key, message: `is not a setting of ${command}${didYouMean(key, keys)}` }));
}

/** A process without a terminal, which nobody can end. */
function portOf({ onEvent, onText, signal, environment }: RunOptions, onResult: (text: string) => void): ProcessPort {
  const ours = surroundings();
  return {
    ...ours,
    isProgram: true,
    environment: { ...(environment ?? ours.environment) },
    args: [],
    stdin: Readable.from([]),
    stdout: streamTo(onResult),
    stderr: streamTo(onText ?? (() => undefined)),
    ...(onEvent && { onEvent: (event: object) => onEvent(event as Event) }),
    onSignal(name, listener) {
      if (name !== "SIGINT" || signal === undefined) return () => undefined;
      // A signal of a process does not arrive while its listener is added, either.
      if (signal.aborted) queueMicrotask(listener);
      signal.addEventListener("abort", listener, { once: true });
      return () => signal.removeEventListener("abort", listener);
    },
    endBy: () => undefined,
    kill: () => undefined,
    onIdle: () => () => undefined,
    exit: () => undefined,
  };
}
