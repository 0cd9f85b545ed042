/**
 * Runs the program in the process of the test: `main` with the test's own streams, variables and signals. To kill a command, to measure its start, or
 * to sign in through the default chain of @azure/identity, use a separate process: see `tools/cli-process.ts`.
 */
import { PassThrough, Writable } from "node:stream";
import { systemClock, type SystemClock } from "../../src/azure/clock.js";
import { systemRandom, type Random } from "../../src/azure/random.js";
import { main } from "../../src/cli/main.js";
import type { EndSignal, ProcessPort } from "../../src/run/process-port.js";
import type { CliResult } from "../../tools/cli-process.js";
import { checkPrintedAdvice } from "./printed-advice.js";
import { checkPrintedDocuments } from "./printed-document.js";

export type { CliResult };

export interface CliOptions {
  /** All variables. `HOME` is the home directory. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The text of standard input. Without it, standard input is empty, and stays open only on a terminal. */
  readonly stdin?: string;
  /** Whether all three streams are a terminal, and its size. */
  readonly tty?: boolean | { readonly columns: number; readonly rows: number };
  readonly clock?: SystemClock;
  readonly random?: Random;
  /** Is called with each text that is written to standard output, 1, or standard error, 2. */
  readonly written?: (stream: 1 | 2, text: string) => void;
}

export interface FakeProcess {
  readonly port: ProcessPort;
  /** The output so far. */
  stdout(): string;
  stderr(): string;
  /** Resolves when standard error contains the text. */
  shows(text: string): Promise<void>;
  /** Types text on standard input. */
  type(text: string): void;
  /** Sends a signal, which ends the process if it has no listener. */
  signal(name: EndSignal): void;
  /** Acts as if nothing were left that the process waits for. */
  idle(): void;
  /** Resolves when the process exits immediately: by itself, or by a signal. */
  readonly ended: Promise<number | string>;
}

export interface RunningCli extends Omit<FakeProcess, "ended"> {
  readonly ended: Promise<CliResult>;
}

export function fakeProcess(args: readonly string[], options: CliOptions = {}): FakeProcess {
  const { env = {}, stdin, tty = false, clock = systemClock, random = systemRandom, written } = options;
  const terminal = tty === false ? {} : { isTTY: true, ...(tty === true ? { columns: 80, rows: 24 } : tty) };
  const [stdout, stderr] = [textStream((text) => written?.(1, text)), textStream((text) => written?.(2, text))];
  const input = new PassThrough();
  if (stdin !== undefined) input.write(stdin);
  if (tty === false) input.end();
  const listeners = new Map<EndSignal, Set<() => void>>();
  const idleListeners = new Set<() => void>();
  let end: (code: number | string) => void = () => undefined;
  const ended = new Promise<number | string>((resolve) => {
    end = resolve;
  });
  return {
    port: {
      args,
      environment: { ...env },
      stdin: Object.assign(input, tty === false ? {} : { isTTY: true }),
      stdout: Object.assign(stdout.stream, terminal),
      stderr: Object.assign(stderr.stream, terminal),
      clock,
      random,
      homeDirectory: env["HOME"] ?? "/nonexistent",
      nodeVersion: process.versions.node,
      onSignal(name, listener) {
        const its = listeners.get(name) ?? new Set();
        listeners.set(name, its.add(listener));
        return () => void its.delete(listener);
      },
      endBy: end,
      kill() {
        end("SIGKILL");
      },
      onIdle(listener) {
        idleListeners.add(listener);
        return () => void idleListeners.delete(listener);
      },
      exit: end,
    },
    stdout: stdout.text,
    stderr: stderr.text,
    shows: stderr.contains,
    type: (text) => void input.write(text),
    signal(name) {
      const its = [...(listeners.get(name) ?? [])];
      if (its.length === 0) end(name);
      for (const listener of its) listener();
    },
    idle() {
      for (const listener of idleListeners) listener();
    },
    ended,
  };
}

/** Runs the program. Never rejects because of an exit code, but because of advice that cannot be followed. */
export function cli(args: readonly string[], options?: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended;
}

/** Starts the program, to watch it, type input and send signals. */
export function startCli(args: readonly string[], options?: CliOptions): RunningCli {
  const { ended, ...running } = fakeProcess(args, options);
  const result = async (): Promise<CliResult> => {
    const code = await Promise.race([main(running.port), ended]);
    const printed = { stdout: running.stdout(), stderr: running.stderr() };
    await checkPrintedAdvice({ args, env: options?.env ?? {}, ...printed });
    checkPrintedDocuments({ args, ...printed });
    return { code, ...printed };
  };
  return { ...running, ended: result() };
}

function textStream(passOn: (text: string) => void) {
  let text = "";
  const written = new Set<() => void>();
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk.toString();
      passOn(chunk.toString());
      for (const check of written) check();
      done();
    },
  });
  // A prompt ends its output, except the streams of a process.
  stream.end = () => stream;
  const contains = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!text.includes(wanted)) return;
        written.delete(check);
        resolve();
      };
      written.add(check);
      check();
    });
  return { stream, text: () => text, contains };
}
