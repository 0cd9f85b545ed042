import { expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import { defineLookup, defineStep } from "../../src/engine/step.js";
import { writesIn } from "./fake-cloud.js";
import { network, ofType, testEngine } from "./test-engine.js";

test("a first run creates everything in order, reads the first container again, and reports the result", async () => {
  const engine = testEngine();
  const result = await engine.run(await engine.plan(network(engine)));
  expect(engine.requests).toEqual(["GET group", "GET group", "PUT group", "PUT nsg", "PUT vnet"]);
  expect(result).toMatchObject({ ok: true, elapsedMs: 30, criticalPath: ["group", "nsg", "vnet"] });
  expect(result.counts).toEqual({
    created: 3,
    updated: 0,
    replaced: 0,
    kept: 0,
    used: 0,
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
    resourceId: "/resources/vnet",
    needs: ["group", "nsg"],
    startedMs: 20,
    endedMs: 30,
    waitedOn: "nsg",
  });
});

test("a second run reads each resource once, writes nothing and takes no time", async () => {
  const engine = testEngine();
  await engine.run(await engine.plan(network(engine)));
  engine.requests.length = 0;
  const plan = await engine.plan(network(engine));
  expect(plan.changes).toBe(0);
  const result = await engine.run(plan);
  expect(engine.requests.toSorted()).toEqual(["GET group", "GET nsg", "GET vnet"]);
  expect(result).toMatchObject({ ok: true, elapsedMs: 0, counts: { kept: 3, created: 0 } });
});

test("a plan without a run writes nothing", async () => {
  const engine = testEngine();
  engine.resources.set("group", { size: 5 }).set("nsg", { size: 1, state: "Updating" });
  await engine.plan(network(engine));
  expect(writesIn(engine.requests)).toEqual([]);
});

test("the events describe the run in order", async () => {
  const engine = testEngine();
  const group = engine.fakeStep("group", {});
  const plan = await engine.plan([engine.fakeStep("vnet", { group }), group]);
  engine.events.length = 0;
  await engine.run(plan);
  const times = { elapsedMs: 10, act: "create" };
  expect(engine.events).toEqual([
    { type: "run.started", command: "create infra", subject: "x7k2", infraId: "x7k2", steps: 2 },
    { type: "step.started", step: "group", title: "the group", act: "create", needs: [] },
    { type: "step.done", step: "group", title: "the group", id: "/resources/group", ...times },
    { type: "step.started", step: "vnet", title: "the vnet", act: "create", needs: ["group"] },
    { type: "step.done", step: "vnet", title: "the vnet", id: "/resources/vnet", ...times },
    {
      type: "run.finished",
      ok: true,
      elapsedMs: 20,
      criticalPath: ["group", "vnet"],
      counts: expect.objectContaining({ created: 2 }) as Record<string, number>,
    },
  ]);
});

test("a failed step skips its dependants, the other steps continue, and the run is not ok", async () => {
  const engine = testEngine();
  const { fakeStep } = engine;
  const onPut = (): never => {
    throw new TypeError("undefined is not a function");
  };
  const nsg = fakeStep("nsg", {}, { onPut });
  const steps = [nsg, fakeStep("vnet", { nsg }), fakeStep("zone", {})];
  const result = await engine.run(await engine.plan(steps), {
    toFailure: (error, title) => new Failure("ARO-AZURE-001", `${title}: ${(error as Error).message}`),
  });
  expect(result.ok).toBe(false);
  expect(result.failures).toMatchObject([{ step: "nsg", failure: { message: "the nsg: undefined is not a function" } }]);
  expect(result.skipped).toEqual([{ step: "vnet", title: "the vnet", because: ["nsg"] }]);
  expect(result.steps.map(({ id, status }) => [id, status])).toEqual([
    ["nsg", "failed"],
    ["vnet", "skipped"],
    ["zone", "done"],
  ]);
  expect(ofType(engine.events, "step.failed")).toMatchObject([{ step: "nsg", elapsedMs: 0 }]);
  expect(ofType(engine.events, "step.skipped")).toMatchObject([{ step: "vnet", because: ["nsg"] }]);
});

test("a plan with refusals or failures is not run", async () => {
  const engine = testEngine();
  engine.resources.set("theirs", { size: 1, foreign: true });
  const plan = await engine.plan([engine.fakeStep("theirs", {}), engine.fakeStep("other", {})]);
  await expect(engine.run(plan)).rejects.toThrow("cannot apply a plan with refusals or failures");
  expect(writesIn(engine.requests)).toEqual([]);
});

test("a step receives the real outputs of its needs, not the predicted ones", async () => {
  const engine = testEngine();
  const vnet = engine.fakeStep("vnet", {}, { size: 4 });
  const seen: unknown[] = [];
  const link = defineStep({
    id: "link",
    title: "the link",
    needs: { target: vnet },
    read: async (): Promise<number | undefined> => undefined,
    decide: () => ({ act: "create", why: "it does not exist" }),
    apply: async (_live, outputs) => seen.push(outputs.target),
    output: (live) => live,
  });
  await engine.run(await engine.plan([vnet, link]));
  expect(seen).toEqual([{ id: "vnet", size: 4 }]);
});

test("a kept step is decided again if the outputs of its needs differ from the prediction", async () => {
  const engine = testEngine();
  const vnet = engine.fakeStep("vnet", {}, { size: 4 });
  const link = defineStep({
    id: "link",
    title: "the link",
    needs: { vnet },
    read: async (): Promise<{ size: number | undefined } | undefined> => ({ size: undefined }),
    decide: (live, outputs) =>
      live?.size === outputs.vnet.size ? { act: "keep" } : { act: "update", why: "it has a different vnet", changes: [] },
    apply: async (_live, outputs) => ({ size: outputs.vnet.size }),
    output: (live) => live,
  });
  const plan = await engine.plan([vnet, link]);
  expect(plan.steps[1]?.decision.act).toBe("keep");
  expect((await engine.run(plan)).steps[1]?.act).toBe("update");
});

test("every successful step is reported once, including kept and adopted ones, one at a time in the order of their ends", async () => {
  const engine = testEngine();
  const { fakeStep, resources, time } = engine;
  resources.set("kept", { size: 1 }).set("existing", { size: 9 });
  const steps = [
    fakeStep("made", {}),
    fakeStep("kept", {}),
    fakeStep("existing", {}, { adopted: true }),
    fakeStep("bad", {}, { onPut: () => Promise.reject(new Error("no")) }),
  ];
  const reported: unknown[] = [];
  const result = await engine.run(await engine.plan(steps), {
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

test("a step fails if its result cannot be stored, and the next step is still reported", async () => {
  const engine = testEngine();
  const { fakeStep } = engine;
  const group = fakeStep("group", {});
  const reported: string[] = [];
  const result = await engine.run(await engine.plan([group, fakeStep("vnet", { group }), fakeStep("zone", {})]), {
    onDone: ({ id }) => {
      if (id === "group") throw new Failure("ARO-BUG-001", "disk full");
      reported.push(id);
    },
  });
  expect(result.failures).toMatchObject([{ step: "group", failure: { message: "disk full" } }]);
  expect(result.skipped.map(({ step }) => step)).toEqual(["vnet"]);
  expect(reported).toEqual(["zone"]);
});

test("after an abort no step starts, a write in progress ends and is reported, and the other steps are cancelled", async () => {
  const engine = testEngine();
  const { fakeStep, resources, time } = engine;
  const stop = new AbortController();
  const reported: string[] = [];
  const group = fakeStep("group", {});
  resources.set("moving", { size: 1, state: "Updating" });
  const plan = await engine.plan([group, fakeStep("vnet", { group }), fakeStep("moving", {})]);
  void time.sleep(5).then(() => stop.abort());
  const result = await engine.run(plan, { signal: stop.signal, onDone: ({ id }) => void reported.push(id) });
  expect(result).toMatchObject({ ok: false, failures: [], skipped: [], cancelled: ["vnet"], interrupted: ["moving"] });
  expect(result.steps.find(({ id }) => id === "group")).toMatchObject({ status: "done", endedMs: 10 });
  expect(result.steps.find(({ id }) => id === "moving")).toMatchObject({ status: "interrupted", act: "wait", endedMs: 5 });
  expect(reported).toEqual(["group"]);
  expect(writesIn(engine.requests)).toEqual(["PUT group"]);
  expect(ofType(engine.events, "run.finished")[0]?.counts).toMatchObject({ created: 1, interrupted: 1, cancelled: 1, failed: 0 });
});

test("an abort while a step reads prevents its write", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests } = engine;
  const stop = new AbortController();
  resources.set("moving", { size: 1, state: "Updating" });
  const plan = await engine.plan([fakeStep("moving", {}, { size: 2, onGet: () => (requests.length > 1 ? stop.abort() : undefined) })]);
  resources.set("moving", { size: 1 });
  const result = await engine.run(plan, { signal: stop.signal });
  expect(result).toMatchObject({ ok: false, interrupted: ["moving"], cancelled: [] });
  expect(writesIn(requests)).toEqual([]);
});

test("a run that is aborted before its start is not ok, and starts nothing", async () => {
  const engine = testEngine();
  const plan = await engine.plan([engine.fakeStep("vnet", {})]);
  const result = await engine.run(plan, { signal: AbortSignal.abort() });
  expect(result).toMatchObject({ ok: false, cancelled: ["vnet"], interrupted: [], criticalPath: [] });
  expect(result.steps).toMatchObject([{ id: "vnet", status: "cancelled", startedMs: undefined }]);
  expect(writesIn(engine.requests)).toEqual([]);
});

test("times are relative to the start of the run", async () => {
  const engine = testEngine();
  await engine.time.run(engine.time.sleep(5000));
  const plan = await engine.plan([engine.fakeStep("vnet", {})]);
  expect(plan.steps[0]).toMatchObject({ startedMs: 0, endedMs: 0 });
  const result = await engine.run(plan);
  expect(result).toMatchObject({ elapsedMs: 10, steps: [{ startedMs: 0, endedMs: 10 }] });
  expect(ofType(engine.events, "step.done")[0]?.elapsedMs).toBe(10);
});

test("the critical path goes back from the step that ended last, each time to the need that ended last", async () => {
  const engine = testEngine();
  const { fakeStep, time } = engine;
  const lasting = (ms: number) => ({ onPut: () => time.sleep(ms) });
  const a = fakeStep("a", {}, lasting(5));
  const b = fakeStep("b", {}, lasting(50));
  const c = fakeStep("c", { a }, lasting(100));
  const d = fakeStep("d", { a, b, c }, lasting(5));
  const result = await engine.run(await engine.plan([d, c, b, a]), { concurrency: 1 });
  expect(result.steps.map(({ id, waitedOn }) => [id, waitedOn])).toEqual([
    ["d", "b"],
    ["c", "a"],
    ["b", undefined],
    ["a", undefined],
  ]);
  expect(result).toMatchObject({ criticalPath: ["b", "d"], elapsedMs: 200 });
});

test("a lookup is adopted without a write", async () => {
  const engine = testEngine();
  const lookup = defineLookup({
    id: "dns-zone",
    title: "the zone of hcp.example.com",
    needs: {},
    read: async (): Promise<{ id: string } | undefined> => ({ id: "/zones/1" }),
    decide: () => ({ act: "use" }),
    output: (live) => live.id,
  });
  const reported: unknown[] = [];
  await engine.run(await engine.plan([lookup]), { onDone: (_step, output) => void reported.push(output) });
  expect(reported).toEqual(["/zones/1"]);
});
