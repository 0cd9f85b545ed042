/** Measures one run of the program. The emulator runs in another process, so that only the client is measured. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { stateSnapshot } from "../src/emulator/index.js";
import { readUsage, reportingUsage, type Usage } from "./bench-usage.js";
import { criticalPath, serialTime, type GraphStep } from "./bench-critical-path.js";
import { countRequests, stepsOfRequests, type RequestCounts } from "./bench-requests.js";
import { plainEnvironment, program, runOrThrow } from "./cli-process.js";

export interface Measured extends RequestCounts, Usage {
  /** From start to end of the process. */
  readonly wallMs: number;
  /** From the first step to the last, as the command reports it. */
  readonly stepsMs: number;
  /** See `criticalPath`. */
  readonly criticalSeconds: number;
  /** See `serialTime`. */
  readonly serialSeconds: number;
  /** Number of steps or removals. */
  readonly steps: number;
}

/** A run that only reads: it has no steps, so it has no critical path. */
export interface Counted extends RequestCounts {
  readonly wallMs: number;
}

export interface ServedState {
  measure(args: readonly string[]): Promise<Measured>;
  count(args: readonly string[]): Promise<Counted>;
  close(): Promise<void>;
}

/** The part of the result document that is measured. */
interface ResultDocument {
  readonly elapsedMs: number;
  readonly steps: readonly GraphStep[];
}

/** Serves `state` with recorded latencies, `scale` times faster. */
export async function serveState(directory: string, state: string, scale: number): Promise<ServedState> {
  const record = path.join(directory, "traffic.ndjson");
  const usageFile = path.join(directory, "usage.json");
  const client = { ...plainEnvironment(directory), ARO_HCP_LOCAL_DIR: state };
  const server = spawn(process.execPath, [program, "local", "serve"], {
    env: {
      ...client,
      ARO_HCP_LOCAL_LATENCY: "recorded",
      ARO_HCP_LOCAL_TIME_SCALE: String(scale),
      ARO_HCP_LOCAL_RECORD: record,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "close").then(() => Promise.reject(new Error("local serve exited before it was ready")));
  await Promise.race([once(createInterface(server.stdout), "line"), ended]);

  const requests = (): string[] => (existsSync(record) ? readFileSync(record, "utf8").trimEnd().split("\n") : []);
  const operationLog = async () => (await stateSnapshot(state, { operationLog: true })).operationLog ?? [];
  return {
    async measure(args) {
      const [requestsBefore, logBefore] = [requests().length, (await operationLog()).length];
      // The debug output names the step and the ID of each request. The operation log has the same IDs.
      const run = await runOrThrow([...args, "--output", "json", "--debug"], reportingUsage(client, usageFile));
      const { elapsedMs, steps } = JSON.parse(run.stdout) as ResultDocument;
      const work = (await operationLog()).slice(logBefore);
      return {
        wallMs: run.wallMs,
        stepsMs: elapsedMs,
        criticalSeconds: criticalPath(steps, work, stepsOfRequests(run.stderr)),
        serialSeconds: serialTime(work),
        ...countRequests(requests().slice(requestsBefore)),
        steps: steps.length,
        ...readUsage(usageFile),
      };
    },
    async count(args) {
      const before = requests().length;
      const { wallMs } = await runOrThrow(args, client);
      return { wallMs, ...countRequests(requests().slice(before)) };
    },
    async close() {
      server.kill("SIGTERM");
      await once(server, "close");
    },
  };
}
