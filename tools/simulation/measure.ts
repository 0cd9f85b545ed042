/** Measures the runs of a life in virtual time: how long they take, and their requests. */
import { existsSync, readFileSync } from "node:fs";
import { operationsFrom } from "../../src/emulator/state/operation-log.js";
import { criticalPath, serialTime, type GraphStep } from "../bench-critical-path.js";
import { countRequests, stepsOfRequests, type RequestCounts } from "../bench-requests.js";
import { lastLines } from "../cli-process.js";
import { command } from "./commands.js";
import { runsOf, type MeasuredLife, type RunKind } from "./measured-lives.js";
import { Place } from "./place.js";
import { prepare } from "./storm.js";

export interface MeasuredRun extends RequestCounts {
  readonly title: string;
  readonly kind: RunKind;
  /** Seconds from its start to its end. */
  readonly wall: number;
  /** Seconds: see `criticalPath`. */
  readonly path: number;
  /** Seconds: see `serialTime`. */
  readonly serial: number;
  /** Number of steps or removals. */
  readonly steps: number;
  /** What changed in Azure: a request that changes nothing may be a POST. */
  readonly changes: number;
  readonly isShort: boolean;
}

/** After that, each role is effective. */
const longestPropagationMs = 10 * 60_000;

/** `seed` determines how long Azure takes. @throws Error with the output of a run that fails */
export async function measureLife(life: MeasuredLife, seed: number): Promise<MeasuredRun[]> {
  const place = new Place({ seed: String(seed), latency: "recorded", isRecorded: true });
  try {
    await place.seed({ seed });
    await prepare(place, life);
    const measured: MeasuredRun[] = [];
    for (const { title, name, kind } of runsOf(life)) {
      // A create does not wait for the role on the encryption key, which nothing needs before the cluster.
      if (kind === "verify") await place.schedule.until(place.schedule.clockOf("pause").sleep(longestPropagationMs));
      measured.push({ title, kind, isShort: life.isShort === true, ...(await measureRun(place, title, command(name))) });
    }
    return measured;
  } finally {
    place.close();
  }
}

async function measureRun(
  place: Place,
  title: string,
  run: ReturnType<typeof command>,
): Promise<Omit<MeasuredRun, "title" | "kind" | "isShort">> {
  const requests = (): string[] => (existsSync(place.record) ? readFileSync(place.record, "utf8").trimEnd().split("\n") : []);
  const state = () => place.emulator.state();
  const [beganMs, requestsBefore, logBefore] = [place.schedule.nowMs, requests().length, state().operationCount];
  // The debug output names the step and the ID of each request. The operation log has the same IDs.
  const { code, stdout, stderr } = await place.run(title, (directory) => [...run(directory), "--output", "json", "--debug"]);
  if (code !== 0) throw new Error(`${title} exited with ${String(code)}\n${lastLines(stderr)}`);
  const { steps = [] } = JSON.parse(stdout) as { readonly steps?: readonly GraphStep[] };
  const work = operationsFrom(state(), logBefore);
  return {
    wall: (place.schedule.nowMs - beganMs) / 1000,
    path: criticalPath(steps, work, stepsOfRequests(stderr)),
    serial: serialTime(work),
    steps: steps.length,
    changes: work.length,
    ...countRequests(requests().slice(requestsBefore)),
  };
}
