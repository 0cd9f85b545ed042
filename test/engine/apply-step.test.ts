import { expect, test } from "vitest";
import { Recovered, Uncertain } from "../../src/errors/stale.js";
import { currentStep } from "../../src/engine/current-step.js";
import { writesIn } from "./fake-cloud.js";
import { network, ofType, testEngine } from "./test-engine.js";

test("an operation in flight is waited for; then the resource is read again and decided", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests, time, events } = engine;
  resources.set("group", { size: 1, state: "Deleting" });
  const plan = await engine.plan([fakeStep("group", {})]);
  requests.length = 0;
  void time.sleep(250).then(() => resources.delete("group"));
  const result = await engine.run(plan);
  expect(requests).toEqual(["GET group", "GET group", "GET group", "GET group", "PUT group"]);
  expect(result.steps[0]).toMatchObject({ act: "create", startedMs: 0, endedMs: 310 });
  expect(ofType(events, "step.started")).toMatchObject([{ act: "wait" }]);
  expect(ofType(events, "step.note").map(({ text, elapsedMs }) => [text, elapsedMs])).toEqual([
    ["waiting for the operation in flight: Deleting", 0],
    ["waiting for the operation in flight: Deleting", 100],
    ["waiting for the operation in flight: Deleting", 200],
  ]);
});

test("a resource is kept if it is as wanted after the wait", async () => {
  const engine = testEngine();
  engine.resources.set("vnet", { size: 1, state: "Updating" });
  const plan = await engine.plan([engine.fakeStep("vnet", {})]);
  engine.resources.set("vnet", { size: 1 });
  expect(await engine.run(plan)).toMatchObject({ ok: true, counts: { kept: 1 } });
  expect(writesIn(engine.requests)).toEqual([]);
});

test("the contents of a container that was being deleted are created again with the container", async () => {
  const engine = testEngine();
  const { resources, requests } = engine;
  resources.set("group", { size: 1, state: "Deleting" }).set("nsg", { size: 1 }).set("vnet", { size: 1 });
  const plan = await engine.plan(network(engine));
  resources.clear();
  requests.length = 0;
  expect(await engine.run(plan)).toMatchObject({ ok: true, counts: { created: 3 } });
  expect(requests).toEqual(["GET group", "PUT group", "PUT nsg", "PUT vnet"]);
});

test("the contents of a container that was being updated are read again, and kept", async () => {
  const engine = testEngine();
  const { resources, requests } = engine;
  resources.set("group", { size: 1, state: "Updating" }).set("nsg", { size: 1 }).set("vnet", { size: 1 });
  const plan = await engine.plan(network(engine));
  resources.set("group", { size: 1 });
  requests.length = 0;
  expect(await engine.run(plan)).toMatchObject({ ok: true, counts: { kept: 3 } });
  expect(requests).toEqual(["GET group", "GET nsg", "GET vnet"]);
});

test("a resource that cannot be read for the plan is read and decided when its step starts", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests } = engine;
  const identity = fakeStep("identity", {}, { predictable: false });
  const role = fakeStep("role", { identity });
  const rule = fakeStep("rule", { role }, { size: 2 });
  resources.set("role", { size: 1 }).set("rule", { size: 1 });
  const result = await engine.run(await engine.plan([identity, role, rule]));
  expect(requests).toEqual(["GET identity", "GET identity", "PUT identity", "GET role", "GET rule", "PUT rule"]);
  expect(result.steps.map(({ id, act }) => [id, act])).toEqual([
    ["identity", "create"],
    ["role", "keep"],
    ["rule", "update"],
  ]);
});

test("a resource that another writer changed first is read again and decided again", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests, events } = engine;
  resources.set("vnet", { size: 1 });
  let otherWrites = 1;
  const onPut = (): void => {
    if (otherWrites-- > 0) resources.set("vnet", { size: 3 });
  };
  const result = await engine.run(await engine.plan([fakeStep("vnet", {}, { size: 2, onPut })]));
  expect(requests).toEqual(["GET vnet", "PUT vnet", "GET vnet", "PUT vnet"]);
  expect(result).toMatchObject({ ok: true, counts: { updated: 1 } });
  expect(resources.get("vnet")).toEqual({ size: 2 });
  expect(ofType(events, "step.note").map(({ text }) => text)).toEqual(["vnet was changed; reading it again"]);
});

test("a recovered resource counts as written, whether or not it needs an update, and no other writer is reported", async () => {
  const engine = testEngine();
  const { fakeStep, resources, events } = engine;
  const recovering = (id: string, size: number) => {
    let deleted = true;
    const onPut = (): void => {
      if (!deleted) return;
      deleted = false;
      resources.set(id, { size });
      throw new Recovered("it was recovered");
    };
    return fakeStep(id, {}, { onPut });
  };
  const result = await engine.run(await engine.plan([recovering("whole", 1), recovering("outdated", 3)]));
  expect(result).toMatchObject({ ok: true, counts: { created: 2 } });
  expect(resources.get("outdated")).toEqual({ size: 1 });
  expect(ofType(events, "step.note").map(({ text }) => text)).toEqual(Array(2).fill("it was recovered; reading it again"));
});

test("after a write of uncertain outcome the resource is read: if it is there, it counts as written; the number of tries has no limit here", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests, events } = engine;
  const lostAnswers = (id: string, count: number, takesEffect: boolean) => {
    let left = count;
    const onPut = (): void => {
      if (left-- <= 0) return;
      if (takesEffect) resources.set(id, { size: 1 });
      throw new Uncertain("the connection was lost");
    };
    return fakeStep(id, {}, { onPut });
  };
  const result = await engine.run(await engine.plan([lostAnswers("written", 1, true), lostAnswers("unwritten", 7, false)]));
  expect(result).toMatchObject({ ok: true, counts: { created: 2 } });
  expect(writesIn(requests).filter((request) => request === "PUT written")).toHaveLength(1);
  expect(writesIn(requests).filter((request) => request === "PUT unwritten")).toHaveLength(8);
  expect(new Set(ofType(events, "step.note").map(({ text }) => text))).toEqual(
    new Set(["the write may have taken effect; reading it again"]),
  );
});

test("a global name is read when planning without its container, and not again in a container created a moment ago", async () => {
  const engine = testEngine();
  const { fakeStep, requests } = engine;
  const group = fakeStep("group", {});
  const plan = await engine.plan([group, fakeStep("account", { group }, { within: "group", hasGlobalName: true })]);
  expect(requests).toEqual(["GET group", "GET account"]);
  requests.length = 0;
  expect(await engine.run(plan)).toMatchObject({ ok: true, counts: { created: 2 } });
  expect(requests).toEqual(["GET group", "PUT group", "PUT account"]);
});

test("a global name is read again if its container was being deleted when planning: it may be taken by then", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests } = engine;
  resources.set("group", { size: 1, state: "Deleting" });
  const group = fakeStep("group", {});
  const plan = await engine.plan([group, fakeStep("account", { group }, { within: "group", hasGlobalName: true })]);
  resources.clear();
  resources.set("account", { size: 1, foreign: true });
  requests.length = 0;
  expect(await engine.run(plan)).toMatchObject({ ok: false, failures: [{ step: "account", failure: { code: "ARO-OWN-001" } }] });
  expect(requests).toEqual(["GET group", "PUT group", "GET account"]);
});

test("what gets a version with each write is read immediately before, also in a container that this run created, unless it is kept", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests } = engine;
  resources.set("kept", { size: 1 }).set("changed", { size: 2 });
  const vault = fakeStep("vault", {}, { onPut: () => void resources.set("secret", { size: 1 }) });
  const secret = fakeStep("secret", { vault }, { within: "vault", addsVersion: true });
  const plan = await engine.plan([vault, secret, ...["kept", "changed"].map((id) => fakeStep(id, {}, { addsVersion: true }))]);
  resources.set("changed", { size: 1 });
  requests.length = 0;
  expect(await engine.run(plan)).toMatchObject({ ok: true, counts: { created: 1, kept: 3 } });
  expect(requests.toSorted()).toEqual(["GET changed", "GET secret", "GET vault", "PUT vault"]);
});

test("if another writer creates the resource first, an equal one is kept and one with another owner is refused", async () => {
  const engine = testEngine();
  const { fakeStep, resources } = engine;
  const same = fakeStep("same", {}, { onPut: () => void resources.set("same", { size: 1 }) });
  const taken = fakeStep("taken", {}, { onPut: () => void resources.set("taken", { size: 1, foreign: true }) });
  const result = await engine.run(await engine.plan([same, taken]));
  expect(result.steps).toMatchObject([
    { id: "same", act: "keep" },
    { id: "taken", status: "failed" },
  ]);
  expect(result.failures).toMatchObject([{ step: "taken", failure: { code: "ARO-OWN-001" } }]);
  expect(resources.get("taken")).toEqual({ size: 1, foreign: true });
});

test("if another writer is still changing the resource, the step waits before it writes again", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests, time } = engine;
  let otherWrites = 1;
  const onPut = (): void => {
    if (otherWrites-- <= 0) return;
    resources.set("vnet", { size: 3, state: "Updating" });
    void time.sleep(50).then(() => resources.set("vnet", { size: 3 }));
  };
  await engine.run(await engine.plan([fakeStep("vnet", {}, { onPut })]));
  expect(requests).toEqual(["GET vnet", "GET vnet", "PUT vnet", "GET vnet", "GET vnet", "PUT vnet"]);
});

test("a resource that was created after the plan is not overwritten", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests } = engine;
  const plan = await engine.plan([fakeStep("mine", {}), fakeStep("theirs", {})]);
  resources.set("mine", { size: 1 }).set("theirs", { size: 9, foreign: true });
  const result = await engine.run(plan);
  expect(writesIn(requests)).toEqual([]);
  expect(result.steps).toMatchObject([
    { id: "mine", act: "keep" },
    { id: "theirs", status: "failed" },
  ]);
});

test("a step that upserts is not read a second time", async () => {
  const engine = testEngine();
  const result = await engine.run(await engine.plan([engine.fakeStep("application", {}, { upserts: true })]));
  expect(engine.requests).toEqual(["GET application", "PUT application"]);
  expect(result.steps).toMatchObject([{ act: "create", status: "done" }]);
});

test("a step fails if another writer is first before each of five writes", async () => {
  const engine = testEngine();
  const { fakeStep, resources, requests } = engine;
  let size = 10;
  const result = await engine.run(await engine.plan([fakeStep("vnet", {}, { onPut: () => void resources.set("vnet", { size: ++size }) })]));
  expect(writesIn(requests)).toHaveLength(5);
  expect(result.failures).toMatchObject([{ step: "vnet", failure: { code: "ARO-OWN-005" } }]);
  expect(result.failures[0]?.failure).toMatchObject({ message: "the vnet: none of 5 attempts succeeded", because: "vnet was changed" });
});

test("code that runs for a step can find that step, also while other steps run", async () => {
  const engine = testEngine();
  const { fakeStep, resources, time, events } = engine;
  const noting = (text: string, ms: number) => async () => {
    await time.sleep(ms);
    currentStep()?.note(text);
  };
  resources.set("same", { size: 1 });
  const steps = [
    fakeStep("made", {}, { onGet: noting("read made", 5), onPut: noting("made", 5) }),
    fakeStep("grown", {}, { onPut: noting("grown", 3) }),
    fakeStep("same", {}, { onGet: noting("read same", 3) }),
  ];
  await engine.run(await engine.plan(steps));
  const role = { id: "role", title: "the role", resourceId: undefined, after: [], remove: noting("removed", 1) };
  await engine.remove([role]);
  expect(ofType(events, "step.note").map(({ step, text }) => `${step}: ${text}`)).toEqual([
    "same: read same",
    "made: read made",
    "grown: grown",
    "made: read made",
    "made: made",
    "role: removed",
  ]);
  expect(currentStep()).toBeUndefined();
});
