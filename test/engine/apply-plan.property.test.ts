import fc from "fast-check";
import { expect, test } from "vitest";
import type { Step } from "../../src/engine/step.js";
import { ancestors, randomGraph, type RandomNode } from "./random-graph.js";
import { writesIn, type FakeResource, type FakeOutput } from "./fake-cloud.js";
import { testEngine, type TestEngine } from "./test-engine.js";

/** Steps for a random graph: each one within its first need, `hidden` ones with an unpredictable output, failing while `broken` returns true. */
function stepsOf(
  { fakeStep, time }: TestEngine,
  nodes: readonly RandomNode[],
  hidden: ReadonlySet<string>,
  broken: () => boolean,
): Step<FakeOutput>[] {
  const made = new Map<string, Step<FakeOutput>>();
  const make = (node: RandomNode): Step<FakeOutput> => {
    const found = made.get(node.id);
    if (found !== undefined) return found;
    const needed = nodes.filter(({ id }) => node.needs.includes(id)).map(make);
    const needs = Object.fromEntries(needed.map((need) => [need.id, need]));
    const onPut = async (): Promise<void> => {
      await time.sleep(node.lastsMs);
      if (node.fails && broken()) throw new Error(`${node.id} failed`);
    };
    const [within] = node.needs;
    const step = fakeStep(node.id, needs, { predictable: !hidden.has(node.id), onPut, ...(within === undefined ? {} : { within }) });
    made.set(node.id, step);
    return step;
  };
  return nodes.map(make);
}

/** The initial state: a missing container has no content. */
function populate({ resources }: TestEngine, nodes: readonly RandomNode[], picked: readonly (FakeResource | undefined)[]): void {
  for (const [index, { id }] of nodes.toSorted((a, b) => ancestors(nodes, a.id).size - ancestors(nodes, b.id).size).entries()) {
    const resource = picked[index];
    const within = nodes.find((node) => node.id === id)?.needs[0];
    if (resource !== undefined && (within === undefined || resources.has(within))) resources.set(id, resource);
  }
}

const initial = fc.constantFrom<FakeResource | undefined>(undefined, { size: 1 }, { size: 2 });
const before = fc.array(initial, { minLength: 14, maxLength: 14 });
const hiddenOf = (nodes: readonly RandomNode[], picks: readonly boolean[]): Set<string> =>
  new Set(nodes.filter((_node, index) => picks[index]).map(({ id }) => id));
const hides = fc.array(fc.boolean(), { minLength: 14, maxLength: 14 });
const limit = fc.integer({ min: 1, max: 5 });

test("property: after any initial state and any failures, a rerun creates everything, and the run after it has nothing to do", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(), before, hides, limit, async (nodes, picked, hidden, concurrency) => {
      const engine = testEngine();
      populate(engine, nodes, picked);
      let broken = true;
      const steps = stepsOf(engine, nodes, hiddenOf(nodes, hidden), () => broken);
      const first = await engine.run(await engine.plan(steps, { concurrency }), { concurrency });
      broken = false;
      const second = await engine.run(await engine.plan(steps, { concurrency }), { concurrency });
      expect(second.ok).toBe(true);
      expect([...engine.resources.keys()].toSorted()).toEqual(nodes.map(({ id }) => id).toSorted());
      expect([...engine.resources.values()].every(({ size }) => size === 1)).toBe(true);
      // Resources that the first run wrote are not written again.
      const done = first.steps.filter(({ status, act }) => status === "done" && act !== "keep").length;
      expect(second.counts.created + second.counts.updated + done).toBe(
        nodes.filter(({ id }) => writesIn(engine.requests).includes(`PUT ${id}`)).length,
      );

      engine.requests.length = 0;
      const third = await engine.plan(steps);
      expect(third.changes).toBe(0);
      await engine.run(third);
      expect(engine.requests.toSorted()).toEqual(nodes.map(({ id }) => `GET ${id}`).toSorted());
    }),
  );
});

test("property: if every output is predictable and no other writer interferes, a run does exactly what the plan contains", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph({ failing: false }), before, limit, async (nodes, picked, concurrency) => {
      const engine = testEngine();
      populate(engine, nodes, picked);
      const plan = await engine.plan(stepsOf(engine, nodes, new Set(), () => false));
      const read = engine.requests.length;
      const result = await engine.run(plan, { concurrency });
      expect(result.steps.map(({ id, act }) => [id, act])).toEqual(plan.steps.map(({ step, decision }) => [step.id, decision.act]));
      // A resource is read again before its creation, because it may exist by now, unless the run has just created its container.
      const made = new Set(plan.steps.filter(({ decision }) => decision.act === "create").map(({ step }) => step.id));
      const reread = plan.steps.filter(({ step }) => made.has(step.id) && !made.has(step.within ?? ""));
      expect(engine.requests).toHaveLength(read + plan.changes + reread.length);
      expect(result.counts.created + result.counts.updated).toBe(plan.changes);
    }),
  );
});

test("property: without a limit, a run takes exactly as long as its critical path, which is a chain of needs", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph({ failing: false }), before, async (nodes, picked) => {
      const engine = testEngine();
      populate(engine, nodes, picked);
      const result = await engine.run(await engine.plan(stepsOf(engine, nodes, new Set(), () => false)), { concurrency: nodes.length });
      const lasted = new Map(result.steps.map(({ id, startedMs, endedMs }) => [id, (endedMs ?? NaN) - (startedMs ?? NaN)]));
      expect(result.criticalPath.reduce((sum, id) => sum + (lasted.get(id) ?? NaN), 0)).toBe(result.elapsedMs);
      result.criticalPath.slice(1).forEach((id, index) => {
        expect(nodes.find((node) => node.id === id)?.needs).toContain(result.criticalPath[index]);
      });
    }),
  );
});

test("property: after an abort at any time, every step is counted, and a rerun completes the state", async () => {
  await fc.assert(
    fc.asyncProperty(randomGraph(), before, limit, fc.nat(60), async (nodes, picked, concurrency, abortAtMs) => {
      const engine = testEngine();
      populate(engine, nodes, picked);
      let broken = true;
      const steps = stepsOf(engine, nodes, new Set(), () => broken);
      const stop = new AbortController();
      const plan = await engine.plan(steps);
      void engine.time.sleep(abortAtMs).then(() => stop.abort());
      const { counts } = await engine.run(plan, { concurrency, signal: stop.signal });
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(nodes.length);
      broken = false;
      expect((await engine.run(await engine.plan(steps))).ok).toBe(true);
      expect((await engine.plan(steps)).changes).toBe(0);
    }),
  );
});
