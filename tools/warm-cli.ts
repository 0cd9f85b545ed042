/**
 * Runs the program in processes that stay: a new process spends most of its CPU time on loading modules, and on code that is not yet compiled. Each
 * process runs one command at a time.
 */
import { fork, type ChildProcess } from "node:child_process";
import path from "node:path";
import type { CliResult } from "./cli-process.js";

/** A command for a process of `cli-child.ts`. */
export interface CommandMessage {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

export interface WarmCli {
  /** The code is SIGKILL if the run takes longer than `limitMs`, and that of the process if the process ended. */
  run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<CliResult>;
  close(): void;
}

/** No run takes longer, also on a busy machine: it hangs. */
const limitMs = 300_000;

export function warmCli(): WarmCli {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  return {
    async run(args, env) {
      const child = idle.pop() ?? start(env);
      all.add(child);
      const result = await resultOf(child, { args, env });
      if (child.connected) idle.push(child);
      else all.delete(child);
      return result;
    },
    close() {
      for (const child of all) child.kill();
    },
  };
}

/** Node's own variables, which the runs of a test share, count from the start of a process. */
function start(env: NodeJS.ProcessEnv): ChildProcess {
  return fork(path.join("tools", "run.mjs"), ["cli-child"], { env });
}

function resultOf(child: ChildProcess, message: CommandMessage): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => child.kill("SIGKILL"), limitMs);
    const onMessage = (result: CliResult): void => end(() => resolve(result));
    const onExit = (code: number | null, signal: string | null): void =>
      end(() => resolve({ code: signal ?? code ?? 1, stdout: "", stderr: "the process of the run ended" }));
    const end = (how: () => void): void => {
      clearTimeout(limit);
      child.off("message", onMessage).off("exit", onExit).off("error", reject);
      how();
    };
    child.on("message", onMessage).on("exit", onExit).on("error", reject);
    child.send(message);
  });
}
