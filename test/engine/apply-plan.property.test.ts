import fc from "fast-check";
import { expect, test } from "vitest";
import type { Step } from "../../src/engine/step.js";
import { ancestors, randomGraph, type RandomNode } from "./random-graph.js";
import { writesIn, type FakeResource, type ThingOutput } from "./small-cloud.js";
import { workbench, type Workbench } from "./workbench.js";

/** Steps for a random graph: each within its first need, some of outputs nobody can predict, failing while `broken` says so. */
function stepsOf(
  { thing, time }: Workbench,
  nodes: readonly RandomNode[],
  hidden: ReadonlySet<string>,
  broken: () => boolean,
): Step<ThingOutput>[] {
  const made = new Map<string, Step<ThingOutput>>();
  const make = (node: RandomNode): Step<ThingOutput> => {
    const found = made.get(node.id);
    if (found !== undefined) return found;
    const needed = nodes.filter(({ id }) => node.needs.includes(id)).map(make);
    const needs = Object.fromEntries(needed.map((need) => [need.id, need]));
    const onPut = async (): Promise<void> => {
      await time.sleep(node.lastsMs);
      if (node.fails && broken()) throw new Error(`${node.id} broke`);
    };
    const [within] = node.needs;
    const step = thing(node.id, needs, { predictable: !hidden.has(node.id), onPut, ...(within === undefined ? {} : { within }) });
    made.set(node.id, step);
    return step;
  };
  return nodes.map(make);
}

/** The initial state: a missing container has no content. */
function populate({ things }: Workbench, nodes: readonly RandomNode[], picked: readonly (FakeResource | undefined)[]): void {
  for (const [index, { id }] of nodes.toSorted((a, b) => ancestors(nodes, a.id).size - ancestors(nodes, b.id).size).entries()) {
    const thing = picked[index];
    const within = nodes.find((node) => node.id === id)?.needs[0];
    if (thing !== undefined && (within === undefined || things.has(within))) things.set(id, thing);
  }
}

const initial = fc.constantFrom<FakeResource | undefined>(undefined, { size: 1 }, { size: 2 });
const before = fc.array(initial, { minLength: 14, maxLength: 14 });
const hiddenOf = (nodes: readonly RandomNode[], picks: readonly boolean[]): Set<string> =>
  new Set(nodes.filter((_node, index) => picks[index]).map(({ id }) => id));
const hides = fc.array(fc.boolean(), { minLength: 14, maxLength: 14 });
const limit = fc.integer({ min: 1, max: 5 });

test("property: whatever was there and whatever broke, the same command again makes everything, and the next has nothing to do", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(), before, hides, limit, async (nodes, picked, hidden, concurrency) => {
      const bench = workbench();
      populate(bench, nodes, picked);
      let broken = true;
      const steps = stepsOf(bench, nodes, hiddenOf(nodes, hidden), () => broken);
      const first = await bench.run(await bench.plan(steps, { concurrency }), { concurrency });
      broken = false;
      const second = await bench.run(await bench.plan(steps, { concurrency }), { concurrency });
      expect(second.ok).toBe(true);
      expect([...bench.things.keys()].toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
      expect([...bench.things.values()].every(({ size }) => size === 1)).toBe(true);
      // Whatever the first run wrote is not written again.
      const done = first.steps.filter(({ status, act }) => status === "done" && act !== "keep").length;
      expect(second.counts.created + second.counts.updated + done).toBe(
        nodes.filter(({ id }) => writesIn(bench.requests).includes(`PUT ${id}`)).length,
      );

      bench.requests.length = 0;
      const third = await bench.plan(steps);
      expect(third.changes).toBe(0);
      await bench.run(third);
      expect(bench.requests.toSorted()).toEqual(nodes.map(({ id }) => `GET ${id}`).toSorted());
    }),
  );
});

test("property: where every output can be predicted and nobody interferes, a run does exactly what the plan said", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph({ failing: false }), before, limit, async (nodes, picked, concurrency) => {
      const bench = workbench();
      populate(bench, nodes, picked);
      const plan = await bench.plan(stepsOf(bench, nodes, new Set(), () => false));
      const read = bench.requests.length;
      const result = await bench.run(plan, { concurrency });
      expect(result.steps.map(({ id, act }) => [id, act])).toEqual(plan.steps.map(({ step, decision }) => [step.id, decision.act]));
      // A resource is read again before its creation, since it may exist by now; not in a container created a moment ago.
      const made = new Set(plan.steps.filter(({ decision }) => decision.act === "create").map(({ step }) => step.id));
      const lookedAt = plan.steps.filter(({ step }) => made.has(step.id) && !made.has(step.within ?? ""));
      expect(bench.requests).toHaveLength(read + plan.changes + lookedAt.length);
      expect(result.counts.created + result.counts.updated).toBe(plan.changes);
    }),
  );
});

test("property: without a limit a run lasts exactly as long as its critical path, which is a chain of needs", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph({ failing: false }), before, async (nodes, picked) => {
      const bench = workbench();
      populate(bench, nodes, picked);
      const result = await bench.run(await bench.plan(stepsOf(bench, nodes, new Set(), () => false)), { concurrency: nodes.length });
      const lasted = new Map(result.steps.map(({ id, startedMs, endedMs }) => [id, endedMs - startedMs]));
      expect(result.criticalPath.reduce((sum, id) => sum + (lasted.get(id) ?? NaN), 0)).toBe(result.elapsedMs);
      result.criticalPath.slice(1).forEach((id, index) => {
        expect(nodes.find((node) => node.id === id)?.needs).toContain(result.criticalPath[index]);
      });
    }),
  );
});

test("property: an abort at any moment leaves a state that the same command completes, and every step is accounted for", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(), before, limit, fc.nat(60), async (nodes, picked, concurrency, abortAtMs) => {
      const bench = workbench();
      populate(bench, nodes, picked);
      let broken = true;
      const steps = stepsOf(bench, nodes, new Set(), () => broken);
      const stop = new AbortController();
      const plan = await bench.plan(steps);
      void bench.time.sleep(abortAtMs).then(() => stop.abort());
      const { counts } = await bench.run(plan, { concurrency, signal: stop.signal });
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(nodes.length);
      broken = false;
      expect((await bench.run(await bench.plan(steps))).ok).toBe(true);
      expect((await bench.plan(steps)).changes).toBe(0);
    }),
  );
});
