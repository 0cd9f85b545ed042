/**
 * The command line in the process of the test: `main` with streams, variables and signals of the test's own. A command that is to be killed, that signs
 * in through @azure/identity's own chain, or whose start is measured, needs a process: see `tools/cli-process.ts`.
 */
import { PassThrough, Writable } from "node:stream";
import { systemClock, type SystemClock } from "../../src/azure/clock.js";
import { main } from "../../src/cli/main.js";
import type { EndSignal, ProcessPort } from "../../src/cli/process-port.js";
import type { CliResult } from "../../tools/cli-process.js";

export type { CliResult };

export interface CliOptions {
  /** All the variables there are; `HOME` is the home directory. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What standard input holds. Without it, it stays open and empty on a terminal, and is at its end elsewhere. */
  readonly stdin?: string;
  /** Whether all three streams are a terminal, and how large it is. */
  readonly tty?: boolean | { readonly columns: number; readonly rows: number };
  readonly clock?: SystemClock;
}

export interface FakeProcess {
  readonly port: ProcessPort;
  /** What was written so far. */
  stdout(): string;
  stderr(): string;
  /** Types, on standard input. */
  type(text: string): void;
  /** Ends the process where nobody listens. */
  signal(name: EndSignal): void;
  /** Fulfilled where the process was ended at once: by itself, or by a signal. */
  readonly ended: Promise<number | string>;
}

export interface RunningCli extends Omit<FakeProcess, "ended"> {
  readonly ended: Promise<CliResult>;
}

export function fakeProcess(args: readonly string[], options: CliOptions = {}): FakeProcess {
  const { env = {}, stdin, tty = false, clock = systemClock } = options;
  const terminal = tty === false ? {} : { isTTY: true, ...(tty === true ? { columns: 80, rows: 24 } : tty) };
  const [stdout, stderr] = [textStream(), textStream()];
  const input = new PassThrough();
  if (stdin !== undefined) input.write(stdin);
  if (tty === false) input.end();
  const listeners = new Map<EndSignal, Set<() => void>>();
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
      homeDirectory: env["HOME"] ?? "/nonexistent",
      nodeVersion: process.versions.node,
      onSignal(name, listener) {
        const its = listeners.get(name) ?? new Set();
        listeners.set(name, its.add(listener));
        return () => void its.delete(listener);
      },
      exit: end,
    },
    stdout: stdout.text,
    stderr: stderr.text,
    type: (text) => void input.write(text),
    signal(name) {
      const its = [...(listeners.get(name) ?? [])];
      if (its.length === 0) end(name);
      for (const listener of its) listener();
    },
    ended,
  };
}

/** Runs it; never rejects for an exit code. */
export function cli(args: readonly string[], options?: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended;
}

/** The same, while it runs: to be watched, typed to and sent signals. */
export function startCli(args: readonly string[], options?: CliOptions): RunningCli {
  const { ended, ...running } = fakeProcess(args, options);
  const result = async (): Promise<CliResult> => {
    const code = await Promise.race([main(running.port), ended]);
    return { code, stdout: running.stdout(), stderr: running.stderr() };
  };
  return { ...running, ended: result() };
}

function textStream() {
  let text = "";
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, text: () => text };
}
