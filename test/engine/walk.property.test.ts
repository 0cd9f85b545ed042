import fc from "fast-check";
import { expect, test } from "vitest";
import { walk, type Outcome } from "../../src/engine/walk.js";
import { ancestors, randomGraph, type RandomNode } from "./random-graph.js";
import { simulatedTime } from "./simulated-time.js";

interface Observed {
  readonly outcomes: ReadonlyMap<string, Outcome<string>>;
  /** In order: `+id` for a start, `-id` for any end. */
  readonly trace: readonly string[];
  readonly elapsedMs: number;
}

/** The durations make the order of completion random. The simulated clock makes it reproducible, and detects deadlocks. */
async function observe(nodes: readonly RandomNode[], concurrency: number, abortAtMs?: number): Promise<Observed> {
  const time = simulatedTime();
  const stop = new AbortController();
  const trace: string[] = [];
  if (abortAtMs !== undefined) {
    void time.sleep(abortAtMs).then(() => {
      trace.push("abort");
      stop.abort();
    });
  }
  const visit = async ({ id, lastsMs, fails }: RandomNode): Promise<string> => {
    trace.push(`+${id}`);
    await time.sleep(lastsMs);
    if (fails) throw new Error(id);
    return id;
  };
  const onEnd = ({ id }: RandomNode): void => void trace.push(`-${id}`);
  const outcomes = await time.run(walk(nodes, visit, { concurrency, signal: stop.signal, elapsedMs: time.now, onEnd }));
  return { outcomes, trace, elapsedMs: time.now() };
}

const concurrency = fc.integer({ min: 1, max: 5 });
const times = (outcome: Outcome<string> | undefined): { startedMs: number; endedMs: number } | undefined =>
  outcome !== undefined && "startedMs" in outcome ? outcome : undefined;

test("property: every node ends exactly once, none starts before its needs are done, and the limit is not exceeded", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(), concurrency, async (nodes, limit) => {
      const { outcomes, trace } = await observe(nodes, limit);
      expect([...outcomes.keys()].toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
      for (const { id, needs } of nodes) {
        expect(trace.filter((word) => word === `-${id}`)).toHaveLength(1);
        const started = trace.indexOf(`+${id}`);
        expect(started).toBe(trace.lastIndexOf(`+${id}`));
        if (started === -1) continue;
        for (const need of needs) expect(trace.slice(0, started)).toContain(`-${need}`);
      }
      let running = 0;
      for (const word of trace) {
        if (word.startsWith("+")) running += 1;
        else if (trace.includes(`+${word.slice(1)}`)) running -= 1;
        expect(running).toBeLessThanOrEqual(limit);
      }
    }),
  );
});

test("property: failing nodes fail, their dependants are skipped with all causes, and the others are done", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(), concurrency, async (nodes, limit) => {
      const { outcomes } = await observe(nodes, limit);
      for (const { id, fails } of nodes) {
        const above = [...ancestors(nodes, id)].filter((other) => outcomes.get(other)?.status === "failed").toSorted();
        const outcome = outcomes.get(id);
        expect(outcome?.status).toBe(above.length > 0 ? "skipped" : fails ? "failed" : "done");
        if (outcome?.status === "skipped") expect(outcome.because.toSorted()).toEqual(above);
      }
    }),
  );
});

test("property: a ready node waits only while the limit is reached", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph({ failing: false }), concurrency, async (nodes, limit) => {
      const { outcomes } = await observe(nodes, limit);
      for (const { id, needs } of nodes) {
        const startedMs = times(outcomes.get(id))?.startedMs ?? NaN;
        const readyMs = Math.max(0, ...needs.map((need) => times(outcomes.get(need))?.endedMs ?? NaN));
        if (startedMs === readyMs) continue;
        const runningBefore = [...outcomes.values()]
          .map(times)
          .filter((other) => other && other.startedMs < startedMs && other.endedMs >= startedMs);
        expect(runningBefore).toHaveLength(limit);
      }
    }),
  );
});

test("property: without a limit, a walk takes exactly as long as its longest chain", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph({ failing: false }), async (nodes) => {
      const chainMs = (id: string): number => {
        const node = nodes.find((other) => other.id === id);
        return node === undefined ? NaN : node.lastsMs + Math.max(0, ...node.needs.map(chainMs));
      };
      expect((await observe(nodes, nodes.length)).elapsedMs).toBe(Math.max(...nodes.map(({ id }) => chainMs(id))));
    }),
  );
});

test("property: after an abort no node starts, running nodes end, and the others are cancelled or skipped", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(), concurrency, fc.nat(12), async (nodes, limit, abortAtMs) => {
      const { outcomes, trace } = await observe(nodes, limit, abortAtMs);
      const aborted = trace.indexOf("abort");
      fc.pre(aborted !== -1);
      expect(trace.slice(aborted).filter((word) => word.startsWith("+"))).toEqual([]);
      for (const { id, fails } of nodes) {
        const failedAbove = [...ancestors(nodes, id)].some((other) => outcomes.get(other)?.status === "failed");
        const started = trace.includes(`+${id}`);
        expect(outcomes.get(id)?.status).toBe(started ? (fails ? "failed" : "done") : failedAbove ? "skipped" : "cancelled");
      }
    }),
  );
});

test("property: the same durations give the same walk", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(), concurrency, async (nodes, limit) => {
      expect((await observe(nodes, limit)).trace).toEqual((await observe(nodes, limit)).trace);
    }),
    { numRuns: 30 },
  );
});
