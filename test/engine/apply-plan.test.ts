import { expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import { defineLookup, defineStep } from "../../src/engine/step.js";
import { writesIn } from "./small-cloud.js";
import { network, ofType, workbench } from "./workbench.js";

test("a first run creates everything in order, reads again what may exist by now, and reports it", async () => {
  const bench = workbench();
  const result = await bench.run(await bench.plan(network(bench)));
  expect(bench.requests).toEqual(["GET group", "GET group", "PUT group", "PUT nsg", "PUT vnet"]);
  expect(result).toMatchObject({ ok: true, elapsedMs: 30, criticalPath: ["group", "nsg", "vnet"] });
  expect(result.counts).toEqual({
    created: 3,
    updated: 0,
    kept: 0,
    adopted: 0,
    removed: 0,
    failed: 0,
    interrupted: 0,
    skipped: 0,
    cancelled: 0,
  });
  expect(result.steps[0]).toEqual({
    id: "vnet",
    title: "the vnet",
    act: "create",
    status: "done",
    resourceId: "/things/vnet",
    needs: ["group", "nsg"],
    startedMs: 20,
    endedMs: 30,
    waitedOn: "nsg",
  });
});

test("a second run reads each thing once, writes nothing and takes no time", async () => {
  const bench = workbench();
  await bench.run(await bench.plan(network(bench)));
  bench.requests.length = 0;
  const plan = await bench.plan(network(bench));
  expect(plan.changes).toBe(0);
  const result = await bench.run(plan);
  expect(bench.requests.toSorted()).toEqual(["GET group", "GET nsg", "GET vnet"]);
  expect(result).toMatchObject({ ok: true, elapsedMs: 0, counts: { kept: 3, created: 0 } });
});

test("planning alone writes nothing, whatever there is to do", async () => {
  const bench = workbench();
  bench.things.set("group", { size: 5 }).set("nsg", { size: 1, state: "Updating" });
  await bench.plan(network(bench));
  expect(writesIn(bench.requests)).toEqual([]);
});

test("the events tell the run in order", async () => {
  const bench = workbench();
  const group = bench.thing("group", {});
  const plan = await bench.plan([bench.thing("vnet", { group }), group]);
  bench.events.length = 0;
  await bench.run(plan);
  const times = { elapsedMs: 10, act: "create" };
  expect(bench.events).toEqual([
    { type: "run.started", command: "create infra", subject: "x7k2", infraId: "x7k2", steps: 2 },
    { type: "step.started", step: "group", title: "the group", act: "create", needs: [] },
    { type: "step.done", step: "group", title: "the group", id: "/things/group", ...times },
    { type: "step.started", step: "vnet", title: "the vnet", act: "create", needs: ["group"] },
    { type: "step.done", step: "vnet", title: "the vnet", id: "/things/vnet", ...times },
    {
      type: "run.finished",
      ok: true,
      elapsedMs: 20,
      criticalPath: ["group", "vnet"],
      counts: expect.objectContaining({ created: 2 }) as Record<string, number>,
    },
  ]);
});

test("a failed step skips what needs it, what does not goes on, and the run is not ok", async () => {
  const bench = workbench();
  const { thing } = bench;
  const onPut = (): never => {
    throw new TypeError("undefined is not a function");
  };
  const nsg = thing("nsg", {}, { onPut });
  const steps = [nsg, thing("vnet", { nsg }), thing("zone", {})];
  const result = await bench.run(await bench.plan(steps), {
    toFailure: (error, title) => new Failure("ARO-AZURE-001", `${title} said ${(error as Error).message}`),
  });
  expect(result.ok).toBe(false);
  expect(result.failures).toMatchObject([{ step: "nsg", failure: { message: "the nsg said undefined is not a function" } }]);
  expect(result.skipped).toEqual([{ step: "vnet", title: "the vnet", because: ["nsg"] }]);
  expect(result.steps.map(({ id, status }) => [id, status])).toEqual([
    ["nsg", "failed"],
    ["zone", "done"],
  ]);
  expect(ofType(bench.events, "step.failed")).toMatchObject([{ step: "nsg", elapsedMs: 0 }]);
  expect(ofType(bench.events, "step.skipped")).toMatchObject([{ step: "vnet", because: ["nsg"] }]);
});

test("a plan with refusals or failures is not run", async () => {
  const bench = workbench();
  bench.things.set("theirs", { size: 1, foreign: true });
  const plan = await bench.plan([bench.thing("theirs", {}), bench.thing("other", {})]);
  await expect(bench.run(plan)).rejects.toThrow("cannot apply a plan with refusals or failures");
  expect(writesIn(bench.requests)).toEqual([]);
});

test("steps are handed the real outputs of those they need, not the predicted ones", async () => {
  const bench = workbench();
  const vnet = bench.thing("vnet", {}, { size: 4 });
  const seen: unknown[] = [];
  const link = defineStep({
    id: "link",
    title: "the link",
    needs: { target: vnet },
    read: async (): Promise<number | undefined> => undefined,
    decide: () => ({ act: "create", why: "not there" }),
    apply: async (_live, up) => seen.push(up.target),
    output: (live) => live,
  });
  await bench.run(await bench.plan([vnet, link]));
  expect(seen).toEqual([{ id: "vnet", size: 4 }]);
});

test("a kept step whose needs turned out otherwise than predicted is decided again", async () => {
  const bench = workbench();
  const vnet = bench.thing("vnet", {}, { size: 4 });
  const link = defineStep({
    id: "link",
    title: "the link",
    needs: { vnet },
    read: async (): Promise<{ size: number | undefined } | undefined> => ({ size: undefined }),
    decide: (live, up) => (live?.size === up.vnet.size ? { act: "keep" } : { act: "update", why: "of another vnet", changes: [] }),
    apply: async (_live, up) => ({ size: up.vnet.size }),
    output: (live) => live,
  });
  const plan = await bench.plan([vnet, link]);
  expect(plan.steps[1]?.decision.act).toBe("keep");
  expect((await bench.run(plan)).steps[1]?.act).toBe("update");
});

test("every successful step is reported once, kept and adopted ones too, one at a time in the order they ended", async () => {
  const bench = workbench();
  const { thing, things, time } = bench;
  things.set("kept", { size: 1 }).set("existing", { size: 9 });
  const steps = [
    thing("made", {}),
    thing("kept", {}),
    thing("existing", {}, { adopted: true }),
    thing("bad", {}, { onPut: () => Promise.reject(new Error("no")) }),
  ];
  const reported: unknown[] = [];
  const result = await bench.run(await bench.plan(steps), {
    onDone: async ({ id }, output) => {
      reported.push(`writing ${id}`);
      await time.sleep(20);
      reported.push(output);
    },
  });
  expect(reported).toEqual([
    "writing kept",
    { id: "kept", size: 1 },
    "writing existing",
    { id: "existing", size: 9 },
    "writing made",
    { id: "made", size: 1 },
  ]);
  expect(result.elapsedMs).toBe(60);
});

test("a step whose result cannot be stored has failed, and the next is still reported", async () => {
  const bench = workbench();
  const { thing } = bench;
  const group = thing("group", {});
  const reported: string[] = [];
  const result = await bench.run(await bench.plan([group, thing("vnet", { group }), thing("zone", {})]), {
    onDone: ({ id }) => {
      if (id === "group") throw new Failure("ARO-BUG-001", "disk full");
      reported.push(id);
    },
  });
  expect(result.failures).toMatchObject([{ step: "group", failure: { message: "disk full" } }]);
  expect(result.skipped.map(({ step }) => step)).toEqual(["vnet"]);
  expect(reported).toEqual(["zone"]);
});

test("an abort starts nothing more, lets a write end and reports it, and skips the rest", async () => {
  const bench = workbench();
  const { thing, things, time } = bench;
  const stop = new AbortController();
  const reported: string[] = [];
  const group = thing("group", {});
  things.set("moving", { size: 1, state: "Updating" });
  const plan = await bench.plan([group, thing("vnet", { group }), thing("moving", {})]);
  void time.sleep(5).then(() => stop.abort());
  const result = await bench.run(plan, { signal: stop.signal, onDone: ({ id }) => void reported.push(id) });
  expect(result).toMatchObject({ ok: false, failures: [], skipped: [], cancelled: ["vnet"], interrupted: ["moving"] });
  expect(result.steps.find(({ id }) => id === "group")).toMatchObject({ status: "done", endedMs: 10 });
  expect(result.steps.find(({ id }) => id === "moving")).toMatchObject({ status: "interrupted", act: "wait", endedMs: 5 });
  expect(reported).toEqual(["group"]);
  expect(writesIn(bench.requests)).toEqual(["PUT group"]);
  expect(ofType(bench.events, "run.finished")[0]?.counts).toMatchObject({ created: 1, interrupted: 1, cancelled: 1, failed: 0 });
});

test("an abort while a step reads keeps it from writing", async () => {
  const bench = workbench();
  const { thing, things, requests } = bench;
  const stop = new AbortController();
  things.set("moving", { size: 1, state: "Updating" });
  const plan = await bench.plan([thing("moving", {}, { size: 2, onGet: () => (requests.length > 1 ? stop.abort() : undefined) })]);
  things.set("moving", { size: 1 });
  const result = await bench.run(plan, { signal: stop.signal });
  expect(result).toMatchObject({ ok: false, interrupted: ["moving"], cancelled: [] });
  expect(writesIn(requests)).toEqual([]);
});

test("a run that was aborted before it began is not ok, and has begun nothing", async () => {
  const bench = workbench();
  const plan = await bench.plan([bench.thing("vnet", {})]);
  const result = await bench.run(plan, { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ ok: false, steps: [], cancelled: ["vnet"], interrupted: [], criticalPath: [] });
  expect(writesIn(bench.requests)).toEqual([]);
});

test("times are counted from the start of the run, whatever the clock shows", async () => {
  const bench = workbench();
  await bench.time.run(bench.time.sleep(5000));
  const plan = await bench.plan([bench.thing("vnet", {})]);
  expect(plan.steps[0]).toMatchObject({ startedMs: 0, endedMs: 0 });
  const result = await bench.run(plan);
  expect(result).toMatchObject({ elapsedMs: 10, steps: [{ startedMs: 0, endedMs: 10 }] });
  expect(ofType(bench.events, "step.done")[0]?.elapsedMs).toBe(10);
});

test("the critical path follows, from what ended last, the need that ended last", async () => {
  const bench = workbench();
  const { thing, time } = bench;
  const lasting = (ms: number) => ({ onPut: () => time.sleep(ms) });
  const a = thing("a", {}, lasting(5));
  const b = thing("b", {}, lasting(50));
  const c = thing("c", { a }, lasting(100));
  const d = thing("d", { a, b, c }, lasting(5));
  const result = await bench.run(await bench.plan([d, c, b, a]), { concurrency: 1 });
  expect(result.steps.map(({ id, waitedOn }) => [id, waitedOn])).toEqual([
    ["d", "b"],
    ["c", "a"],
    ["b", undefined],
    ["a", undefined],
  ]);
  expect(result).toMatchObject({ criticalPath: ["b", "d"], elapsedMs: 200 });
});

test("a step that only looks is adopted at no cost", async () => {
  const bench = workbench();
  const lookup = defineLookup({
    id: "dns-zone",
    title: "the zone of hcp.example.com",
    needs: {},
    read: async (): Promise<{ id: string } | undefined> => ({ id: "/zones/1" }),
    decide: () => ({ act: "adopt" }),
    output: (live) => live.id,
  });
  const reported: unknown[] = [];
  await bench.run(await bench.plan([lookup]), { onDone: (_step, output) => void reported.push(output) });
  expect(reported).toEqual(["/zones/1"]);
});
