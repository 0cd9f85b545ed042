import { expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import type { Removal, StepIo } from "../../src/engine/step.js";
import { Stale } from "../../src/errors/stale.js";
import { ofType, testEngine, type TestEngine } from "./test-engine.js";

function removals({ time }: TestEngine, after: Record<string, string[]>, act: (id: string, io: StepIo) => void = () => undefined) {
  const trace: string[] = [];
  const list = Object.entries(after).map(([id, before]): Removal => ({
    id,
    title: `the ${id}`,
    resourceId: `/resources/${id}`,
    after: before,
    async remove(io) {
      trace.push(`+${id}`);
      act(id, io);
      await time.sleep(10);
      trace.push(`-${id}`);
    },
  }));
  return { list, trace };
}

test("each resource is removed after the removals that it waits for", async () => {
  const engine = testEngine();
  const { list, trace } = removals(engine, { group: ["vnet", "nsg"], nsg: ["vnet"], vnet: ["role"], role: [], other: [] });
  const result = await engine.remove(list, { command: "destroy infra" });
  expect(trace).toEqual(["+role", "+other", "-role", "+vnet", "-other", "-vnet", "+nsg", "-nsg", "+group", "-group"]);
  expect(result).toMatchObject({ ok: true, elapsedMs: 40, criticalPath: ["role", "vnet", "nsg", "group"] });
  expect(result.counts.removed).toBe(5);
  expect(result.steps.every(({ act }) => act === "remove")).toBe(true);
});

test("of the removals that are ready, the one with the longest way to the end starts first", async () => {
  const engine = testEngine();
  const { list, trace } = removals(engine, { role: [], vault: [], purge: ["vault"], balancer: [], address: ["balancer"] });
  const seconds: Readonly<Record<string, number>> = { balancer: 5, address: 12 };
  await engine.remove(
    list.map((removal) => ({ ...removal, seconds: seconds[removal.id] ?? 1 })),
    { concurrency: 1 },
  );
  expect(trace.filter((each) => each.startsWith("+"))).toEqual(["+balancer", "+address", "+vault", "+role", "+purge"]);
});

test("a failed removal skips the removals that wait for it, and the others continue", async () => {
  const engine = testEngine();
  const { list, trace } = removals(engine, { role: [], vnet: ["role"], group: ["vnet"], zone: [] }, (id) => {
    if (id === "role") throw new Failure("ARO-AZURE-001", "locked");
  });
  const result = await engine.remove(list);
  expect(trace).toEqual(["+role", "+zone", "-zone"]);
  expect(result.ok).toBe(false);
  expect(result.failures).toMatchObject([{ step: "role", title: "the role", failure: { message: "locked" } }]);
  expect(result.skipped.map(({ step, because }) => [step, because])).toEqual([
    ["vnet", ["role"]],
    ["group", ["role"]],
  ]);
});

test("a removal is retried if another writer changed the resource, at most five times", async () => {
  const engine = testEngine();
  let tries = 0;
  const { list } = removals(engine, { once: [], always: [] }, (id) => {
    if (id === "always" || tries++ === 0) throw new Stale("superseded");
  });
  const result = await engine.remove(list);
  expect(result.failures).toMatchObject([{ step: "always", failure: { code: "ARO-OWN-005", because: "superseded" } }]);
  expect(result.counts).toMatchObject({ removed: 1, failed: 1 });
});

test("a removal is not retried after an abort", async () => {
  const engine = testEngine();
  const stop = new AbortController();
  const { list, trace } = removals(engine, { role: [] }, () => {
    stop.abort(new Error("ctrl-c"));
    throw new Stale("superseded");
  });
  expect(await engine.remove(list, { signal: stop.signal })).toMatchObject({ ok: false, interrupted: ["role"], failures: [] });
  expect(trace).toEqual(["+role"]);
});

test("the events describe the whole removal in order", async () => {
  const engine = testEngine();
  const { list } = removals(engine, { vnet: ["role"], role: [] }, (id, io) => io.note(`deleting ${id}`));
  await engine.remove(list, { command: "destroy infra" });
  expect(engine.events.map((event) => ("step" in event ? `${event.type} ${event.step}` : event.type))).toEqual([
    "run.started",
    "step.started role",
    "step.note role",
    "step.done role",
    "step.started vnet",
    "step.note vnet",
    "step.done vnet",
    "run.finished",
  ]);
  expect(engine.events[0]).toEqual({ type: "run.started", command: "destroy infra", subject: "x7k2", infraId: "x7k2", steps: 2 });
  expect(ofType(engine.events, "step.done")[0]).toEqual({
    type: "step.done",
    step: "role",
    title: "the role",
    act: "remove",
    elapsedMs: 10,
    id: "/resources/role",
  });
  expect(ofType(engine.events, "step.note")[1]).toEqual({
    type: "step.note",
    step: "vnet",
    text: "deleting vnet",
    reason: "deleting vnet",
    elapsedMs: 0,
  });
  expect(ofType(engine.events, "run.finished")).toMatchObject([{ ok: true, elapsedMs: 20, criticalPath: ["role", "vnet"] }]);
});

test("a run without removals is ok", async () => {
  const engine = testEngine();
  expect(await engine.remove([])).toMatchObject({ ok: true, steps: [], elapsedMs: 0, criticalPath: [] });
});
