import { expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import type { Removal, StepIo } from "../../src/engine/step.js";
import { Stale } from "../../src/errors/stale.js";
import { ofType, workbench, type Workbench } from "./workbench.js";

function removals({ time }: Workbench, after: Record<string, string[]>, act: (id: string, io: StepIo) => void = () => undefined) {
  const trace: string[] = [];
  const list = Object.entries(after).map(([id, before]): Removal => ({
    id,
    title: `the ${id}`,
    resourceId: `/things/${id}`,
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

test("nothing is removed before what must be gone before it", async () => {
  const bench = workbench();
  const { list, trace } = removals(bench, { group: ["vnet", "nsg"], nsg: ["vnet"], vnet: ["role"], role: [], other: [] });
  const result = await bench.remove(list, { command: "destroy infra" });
  expect(trace).toEqual(["+role", "+other", "-role", "+vnet", "-other", "-vnet", "+nsg", "-nsg", "+group", "-group"]);
  expect(result).toMatchObject({ ok: true, elapsedMs: 40, criticalPath: ["role", "vnet", "nsg", "group"] });
  expect(result.counts.removed).toBe(5);
  expect(result.steps.every(({ act }) => act === "remove")).toBe(true);
});

test("a failed removal skips what had to come after it, all else is removed", async () => {
  const bench = workbench();
  const { list, trace } = removals(bench, { role: [], vnet: ["role"], group: ["vnet"], zone: [] }, (id) => {
    if (id === "role") throw new Failure("ARO-AZURE-001", "locked");
  });
  const result = await bench.remove(list);
  expect(trace).toEqual(["+role", "+zone", "-zone"]);
  expect(result.ok).toBe(false);
  expect(result.failures).toMatchObject([{ step: "role", title: "the role", failure: { message: "locked" } }]);
  expect(result.skipped.map(({ step, because }) => [step, because])).toEqual([
    ["vnet", ["role"]],
    ["group", ["role"]],
  ]);
});

test("a removal that was overtaken is tried again, and five times at most", async () => {
  const bench = workbench();
  let tries = 0;
  const { list } = removals(bench, { once: [], always: [] }, (id) => {
    if (id === "always" || tries++ === 0) throw new Stale("superseded");
  });
  const result = await bench.remove(list);
  expect(result.failures).toMatchObject([{ step: "always", failure: { code: "ARO-OWN-005" } }]);
  expect(result.counts).toMatchObject({ removed: 1, failed: 1 });
});

test("a removal that is overtaken after an abort is not tried again", async () => {
  const bench = workbench();
  const stop = new AbortController();
  const { list, trace } = removals(bench, { role: [] }, () => {
    stop.abort(new Error("ctrl-c"));
    throw new Stale("superseded");
  });
  expect(await bench.remove(list, { signal: stop.signal })).toMatchObject({ ok: false, interrupted: ["role"], failures: [] });
  expect(trace).toEqual(["+role"]);
});

test("the events tell the whole removal, in order", async () => {
  const bench = workbench();
  const { list } = removals(bench, { vnet: ["role"], role: [] }, (id, io) => io.note(`deleting ${id}`));
  await bench.remove(list, { command: "destroy infra" });
  expect(bench.events.map((event) => ("step" in event ? `${event.type} ${event.step}` : event.type))).toEqual([
    "run.started",
    "step.started role",
    "step.note role",
    "step.done role",
    "step.started vnet",
    "step.note vnet",
    "step.done vnet",
    "run.finished",
  ]);
  expect(bench.events[0]).toEqual({ type: "run.started", command: "destroy infra", subject: "x7k2", infraId: "x7k2", steps: 2 });
  expect(ofType(bench.events, "step.done")[0]).toEqual({
    type: "step.done",
    step: "role",
    title: "the role",
    act: "remove",
    elapsedMs: 10,
    id: "/things/role",
  });
  expect(ofType(bench.events, "step.note")[1]).toEqual({ type: "step.note", step: "vnet", text: "deleting vnet", elapsedMs: 0 });
  expect(ofType(bench.events, "run.finished")).toMatchObject([{ ok: true, elapsedMs: 20, criticalPath: ["role", "vnet"] }]);
});

test("nothing to remove is a run that went well", async () => {
  const bench = workbench();
  expect(await bench.remove([])).toMatchObject({ ok: true, steps: [], elapsedMs: 0, criticalPath: [] });
});
