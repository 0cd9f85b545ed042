/** The real command line as a child process, in an environment that holds nothing but what is said. */
import { spawn, type ChildProcess } from "node:child_process";
import path from "node:path";
import { performance } from "node:perf_hooks";

/** From the root of the repository, where npm runs its scripts. */
export const program = path.join("bin", "aro-hcp.js");

export interface CliResult {
  /** The exit code, or the name of the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TimedResult extends CliResult {
  /** From start to end of the process. */
  readonly wallMs: number;
}

/** While it runs: to be watched and sent signals. */
export interface RunningCli {
  readonly process: ChildProcess;
  /** Rejects only where no process could be started. */
  readonly ended: Promise<TimedResult>;
}

/** `PATH`, and a home of its own: whoever is signed in to a real Azure here stays out of it. */
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

/** The run, if it ended well. @throws Error with what the command said, where it did not. */
export async function runWell(args: readonly string[], env: NodeJS.ProcessEnv): Promise<TimedResult> {
  const run = await runCli(args, env);
  if (run.code !== 0) throw new Error(`aro-hcp ${args.join(" ")} ended with ${String(run.code)}\n${run.stderr}${run.stdout}`);
  return run;
}
