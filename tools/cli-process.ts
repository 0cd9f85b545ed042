/** Runs the built program as a child process that inherits no environment variables. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** Relative to the root of the repository, where npm runs its scripts. */
export const program = path.join("bin", "aro-hcp.js");

export interface CliResult {
  /** The exit code, or the name of the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Exit codes that are always wrong: an unsettled await, and a defect of this program. */
export const wrongCodes: readonly CliResult["code"][] = [13, 70];

export function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-20).join("\n");
}

export interface TimedResult extends CliResult {
  /** Wall time of the process. */
  readonly wallMs: number;
}

/** A running process, to watch it and send it signals. */
export interface RunningCli {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** Rejects only if the process cannot be started. */
  readonly ended: Promise<TimedResult>;
}

/** `PATH` and a separate home directory, so that no sign-in to a real Azure on this machine is used. */
export function plainEnvironment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8" };
}

export function runCli(args: readonly string[], env: NodeJS.ProcessEnv): Promise<TimedResult> {
  return startNode([program, ...args], env).ended;
}

export function startNode(args: readonly string[], env: NodeJS.ProcessEnv): RunningCli {
  const began = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = new Promise<TimedResult>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code: signal ?? code ?? 1, stdout, stderr, wallMs: performance.now() - began }));
  });
  return { process: child, ended };
}

/** The first line of its output: a server that prints it is ready. @throws Error if it ends without one */
export async function firstLine({ process, ended }: RunningCli): Promise<string> {
  const early = ended.then(({ code, stderr }) => Promise.reject(new Error(`a server ended with ${String(code)}\n${stderr}`)));
  const [line] = (await Promise.race([once(createInterface(process.stdout), "line"), early])) as [string];
  early.catch(() => undefined);
  return line;
}

/** Serves an emulator until `work` ends. */
export async function besideServer<T>(environment: NodeJS.ProcessEnv, work: () => Promise<T>): Promise<T> {
  const server = startNode([program, "local", "serve"], environment);
  await firstLine(server);
  try {
    return await work();
  } finally {
    server.process.kill("SIGTERM");
    await server.ended;
  }
}

/** @throws Error with the output of the command if it exits with an error. */
export async function runOrThrow(args: readonly string[], env: NodeJS.ProcessEnv): Promise<TimedResult> {
  const run = await runCli(args, env);
  if (run.code !== 0) throw new Error(`aro-hcp ${args.join(" ")} exited with ${String(run.code)}\n${run.stderr}${run.stdout}`);
  return run;
}
