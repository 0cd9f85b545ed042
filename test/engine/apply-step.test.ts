import { expect, test } from "vitest";
import { Recovered } from "../../src/errors/stale.js";
import { currentStep } from "../../src/engine/current-step.js";
import { writesIn } from "./small-cloud.js";
import { network, ofType, workbench } from "./workbench.js";

test("what is in flight is waited for, read again, and only then decided", async () => {
  const bench = workbench();
  const { thing, things, requests, time, events } = bench;
  things.set("group", { size: 1, state: "Deleting" });
  const plan = await bench.plan([thing("group", {})]);
  requests.length = 0;
  void time.sleep(250).then(() => things.delete("group"));
  const result = await bench.run(plan);
  expect(requests).toEqual(["GET group", "GET group", "GET group", "GET group", "PUT group"]);
  expect(result.steps[0]).toMatchObject({ act: "create", startedMs: 0, endedMs: 310 });
  expect(ofType(events, "step.started")).toMatchObject([{ act: "wait" }]);
  expect(ofType(events, "step.note").map(({ text, elapsedMs }) => [text, elapsedMs])).toEqual([
    ["waiting for the operation in flight: Deleting", 0],
    ["waiting for the operation in flight: Deleting", 100],
    ["waiting for the operation in flight: Deleting", 200],
  ]);
});

test("what was waited for and turns out as wanted is kept", async () => {
  const bench = workbench();
  bench.things.set("vnet", { size: 1, state: "Updating" });
  const plan = await bench.plan([bench.thing("vnet", {})]);
  bench.things.set("vnet", { size: 1 });
  expect(await bench.run(plan)).toMatchObject({ ok: true, counts: { kept: 1 } });
  expect(writesIn(bench.requests)).toEqual([]);
});

test("what was read in a container that was being deleted is not trusted: it is made again with the container", async () => {
  const bench = workbench();
  const { things, requests } = bench;
  things.set("group", { size: 1, state: "Deleting" }).set("nsg", { size: 1 }).set("vnet", { size: 1 });
  const plan = await bench.plan(network(bench));
  things.clear();
  requests.length = 0;
  expect(await bench.run(plan)).toMatchObject({ ok: true, counts: { created: 3 } });
  expect(requests).toEqual(["GET group", "PUT group", "PUT nsg", "PUT vnet"]);
});

test("what was read in a container that was being updated is read again, and kept", async () => {
  const bench = workbench();
  const { things, requests } = bench;
  things.set("group", { size: 1, state: "Updating" }).set("nsg", { size: 1 }).set("vnet", { size: 1 });
  const plan = await bench.plan(network(bench));
  things.set("group", { size: 1 });
  requests.length = 0;
  expect(await bench.run(plan)).toMatchObject({ ok: true, counts: { kept: 3 } });
  expect(requests).toEqual(["GET group", "GET nsg", "GET vnet"]);
});

test("what could not be read when planning is read and decided at its turn", async () => {
  const bench = workbench();
  const { thing, things, requests } = bench;
  const identity = thing("identity", {}, { predictable: false });
  const role = thing("role", { identity });
  const rule = thing("rule", { role }, { size: 2 });
  things.set("role", { size: 1 }).set("rule", { size: 1 });
  const result = await bench.run(await bench.plan([identity, role, rule]));
  expect(requests).toEqual(["GET identity", "GET identity", "PUT identity", "GET role", "GET rule", "PUT rule"]);
  expect(result.steps.map(({ id, act }) => [id, act])).toEqual([
    ["identity", "create"],
    ["role", "keep"],
    ["rule", "update"],
  ]);
});

test("what was overtaken is read again and decided again", async () => {
  const bench = workbench();
  const { thing, things, requests, events } = bench;
  things.set("vnet", { size: 1 });
  let others = 1;
  const onPut = (): void => {
    if (others-- > 0) things.set("vnet", { size: 3 });
  };
  const result = await bench.run(await bench.plan([thing("vnet", {}, { size: 2, onPut })]));
  expect(requests).toEqual(["GET vnet", "PUT vnet", "GET vnet", "PUT vnet"]);
  expect(result).toMatchObject({ ok: true, counts: { updated: 1 } });
  expect(things.get("vnet")).toEqual({ size: 2 });
  expect(ofType(events, "step.note").map(({ text }) => text)).toEqual(["changed by another client; reading it again"]);
});

test("what a write of ours recovered counts as written, whatever is found of it then, and nobody else is blamed", async () => {
  const bench = workbench();
  const { thing, things, events } = bench;
  const recovering = (id: string, size: number) => {
    let deleted = true;
    const onPut = (): void => {
      if (!deleted) return;
      deleted = false;
      things.set(id, { size });
      throw new Recovered("it was recovered");
    };
    return thing(id, {}, { onPut });
  };
  const result = await bench.run(await bench.plan([recovering("whole", 1), recovering("outdated", 3)]));
  expect(result).toMatchObject({ ok: true, counts: { created: 2 } });
  expect(things.get("outdated")).toEqual({ size: 1 });
  expect(ofType(events, "step.note").map(({ text }) => text)).toEqual(Array(2).fill("recovered; reading it again"));
});

test("what was overtaken by someone who did the same is kept, and by a foreigner refused", async () => {
  const bench = workbench();
  const { thing, things } = bench;
  const same = thing("same", {}, { onPut: () => void things.set("same", { size: 1 }) });
  const taken = thing("taken", {}, { onPut: () => void things.set("taken", { size: 1, foreign: true }) });
  const result = await bench.run(await bench.plan([same, taken]));
  expect(result.steps).toMatchObject([
    { id: "same", act: "keep" },
    { id: "taken", status: "failed" },
  ]);
  expect(result.failures).toMatchObject([{ step: "taken", failure: { code: "ARO-OWN-001" } }]);
  expect(things.get("taken")).toEqual({ size: 1, foreign: true });
});

test("what is in flight after it was overtaken is waited for before it is written again", async () => {
  const bench = workbench();
  const { thing, things, requests, time } = bench;
  let others = 1;
  const onPut = (): void => {
    if (others-- <= 0) return;
    things.set("vnet", { size: 3, state: "Updating" });
    void time.sleep(50).then(() => things.set("vnet", { size: 3 }));
  };
  await bench.run(await bench.plan([thing("vnet", {}, { onPut })]));
  expect(requests).toEqual(["GET vnet", "GET vnet", "PUT vnet", "GET vnet", "GET vnet", "PUT vnet"]);
});

test("what appeared after the plan is not written over", async () => {
  const bench = workbench();
  const { thing, things, requests } = bench;
  const plan = await bench.plan([thing("mine", {}), thing("theirs", {})]);
  things.set("mine", { size: 1 }).set("theirs", { size: 9, foreign: true });
  const result = await bench.run(plan);
  expect(writesIn(requests)).toEqual([]);
  expect(result.steps).toMatchObject([
    { id: "mine", act: "keep" },
    { id: "theirs", status: "failed" },
  ]);
});

test("what does no harm where it has appeared meanwhile is not looked for a second time", async () => {
  const bench = workbench();
  const result = await bench.run(await bench.plan([bench.thing("application", {}, { upserts: true })]));
  expect(bench.requests).toEqual(["GET application", "PUT application"]);
  expect(result.steps).toMatchObject([{ act: "create", status: "done" }]);
});

test("what is overtaken every time is given up after five writes", async () => {
  const bench = workbench();
  const { thing, things, requests } = bench;
  let size = 10;
  const result = await bench.run(await bench.plan([thing("vnet", {}, { onPut: () => void things.set("vnet", { size: ++size }) })]));
  expect(writesIn(requests)).toHaveLength(5);
  expect(result.failures).toMatchObject([{ step: "vnet", failure: { code: "ARO-OWN-005" } }]);
  expect(result.failures[0]?.failure.message).toBe("the vnet: another client changed it before each of 5 write attempts");
});

test("whoever works on a step's behalf finds that step, also while others run beside it", async () => {
  const bench = workbench();
  const { thing, things, time, events } = bench;
  const noting = (text: string, ms: number) => async () => {
    await time.sleep(ms);
    currentStep()?.note(text);
  };
  things.set("same", { size: 1 });
  const steps = [
    thing("made", {}, { onGet: noting("read made", 5), onPut: noting("made", 5) }),
    thing("grown", {}, { onPut: noting("grown", 3) }),
    thing("same", {}, { onGet: noting("read same", 3) }),
  ];
  await bench.run(await bench.plan(steps));
  const role = { id: "role", title: "the role", resourceId: undefined, after: [], remove: noting("removed", 1) };
  await bench.remove([role]);
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
