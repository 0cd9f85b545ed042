/** The process as the program uses it, replaced by another port in tests. */
import { homedir } from "node:os";
import type { SendRequest } from "@azure/core-rest-pipeline";
import { systemClock, type SystemClock } from "../azure/clock.js";
import type { Pacing } from "../azure/pacing.js";
import { systemRandom, type Random } from "../azure/random.js";
import { exitCodes } from "../errors/exit-codes.js";
import type { PromptStreams } from "../render/prompt.js";
import type { TextStream } from "../render/text-stream.js";

/** The signals that end a run. A terminal that closes sends SIGHUP. */
export const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
export type EndSignal = (typeof endSignals)[number];

export interface LocalEmulator {
  readonly send: SendRequest;
  readonly credentialsFile: string;
  readonly timeScale: number;
  close(): void;
}

export interface ProcessPort {
  readonly args: readonly string[];
  /** @azure/identity reads the variables of its own credential chain from the process itself. */
  readonly environment: NodeJS.ProcessEnv;
  readonly stdin: PromptStreams["input"];
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  readonly clock: SystemClock;
  readonly random: Random;
  /** For `--cloud local`: an emulator that runs in this process already. */
  readonly emulator?: LocalEmulator;
  /** Set where commands of one process share the limits of Azure. */
  readonly pacing?: Pacing;
  readonly homeDirectory: string;
  /** Receives each event as `--output-events` writes it: for a program that runs a command in its own process. */
  readonly onEvent?: (event: object) => void;
  /** Whether a program runs the command in its own process: it names its subscription, whatever somebody has selected in az. */
  readonly isProgram?: true;
  /** "20.19.4" */
  readonly nodeVersion: string;
  /** Listens to a signal until the returned function is called. Without a listener, the signal ends the process. */
  onSignal(signal: EndSignal, listener: () => void): () => void;
  /** Ends the process as the signal does by default, whatever it waits for: `process.exit` would wait for the threads that read files. */
  endBy(signal: EndSignal): void;
  /** Ends the process at once, as SIGKILL does: a fault rule of the emulator. */
  kill(): void;
  /** Listens, until the returned function is called, to the moment when nothing is left to wait for, so that the process is about to end. */
  onIdle(listener: () => void): () => void;
  /**
   * Ends the process and all its requests. No program can stop a thread that waits in the system, for example for the writer of a pipe. With the code
   * of a signal, the process ends by that signal. With another code, Node.js waits for the thread, and any signal ends the process.
   */
  exit(code: number): void;
}

/**
 * The variables with which packages write a log to standard error, past everything that neutralizes text of others and masks secrets. They are read
 * when the packages are loaded. `--debug` is the log of this program.
 */
const packageLogs = ["AZURE_LOG_LEVEL", "TYPESPEC_RUNTIME_LOG_LEVEL", "DEBUG"];

/** What a program that runs a command in its own process shares with it: all but its arguments, streams and signals. */
export function surroundings(): Pick<ProcessPort, "environment" | "clock" | "random" | "homeDirectory" | "nodeVersion"> {
  const { env, versions } = process;
  return { environment: env, clock: systemClock, random: systemRandom, homeDirectory: homedir(), nodeVersion: versions.node };
}

/** The port of the current process. Created before any package is loaded. */
export function processPort(): ProcessPort {
  for (const variable of packageLogs) Reflect.deleteProperty(process.env, variable);
  return {
    ...surroundings(),
    args: process.argv.slice(2),
    // Node makes a stream when it is first asked for, and each takes some milliseconds.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    onSignal(signal, listener) {
      process.on(signal, listener);
      return () => void process.off(signal, listener);
    },
    endBy,
    kill() {
      process.kill(process.pid, "SIGKILL");
    },
    onIdle(listener) {
      process.on("beforeExit", listener);
      return () => void process.off("beforeExit", listener);
    },
    exit(code) {
      // No listener can run while Node.js waits for its threads.
      for (const signal of endSignals) process.removeAllListeners(signal);
      const signal = signalOf[code];
      if (signal !== undefined && hasBusyThread()) endBy(signal);
      process.exit(code);
    },
  };
}

function endBy(signal: EndSignal): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** A shell reports the end by one of these signals as the exit code of the same meaning. */
const signalOf: Readonly<Record<number, EndSignal>> = { [exitCodes.interrupted]: "SIGINT", [exitCodes.terminated]: "SIGTERM" };

/** Whether a thread reads a file or resolves a name. On Windows, Node.js does not wait for it, and an end by a signal would have the code 1. */
function hasBusyThread(): boolean {
  return process.platform !== "win32" && process.getActiveResourcesInfo().some((resource) => /^(FSReq|GetAddrInfoReq)/.test(resource));
}
