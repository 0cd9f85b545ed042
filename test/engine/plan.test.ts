import { expect, test } from "vitest";
import { defineStep } from "../../src/engine/step.js";
import { Failure } from "../../src/errors/failure.js";
import type { Plan } from "../../src/engine/plan.js";
import { ofType, workbench } from "./workbench.js";
import { writesIn } from "./small-cloud.js";

const actsOf = (plan: Plan): Record<string, string> => Object.fromEntries(plan.steps.map(({ step, decision }) => [step.id, decision.act]));
const whyOf = (plan: Plan, id: string): unknown => {
  const decision = plan.steps.find(({ step }) => step.id === id)?.decision;
  return decision !== undefined && "why" in decision ? decision.why : undefined;
};

test("each step is planned from the current state: create, update, keep, adopt, wait", async () => {
  const { thing, things, plan, requests, events } = workbench();
  const steps = [
    thing("new", {}),
    thing("grown", {}, { size: 2 }),
    thing("same", {}),
    thing("existing", {}, { adopted: true }),
    thing("moving", {}),
  ];
  things.set("grown", { size: 1 }).set("same", { size: 1 }).set("existing", { size: 9 }).set("moving", { size: 1, state: "Updating" });
  const planned = await plan(steps);
  expect(actsOf(planned)).toEqual({ new: "create", grown: "update", same: "keep", existing: "adopt", moving: "wait" });
  expect(planned.changes).toBe(3);
  expect(whyOf(planned, "moving")).toBe("an operation is in flight: Updating");
  expect(writesIn(requests)).toEqual([]);
  expect(requests).toHaveLength(5);
  expect(ofType(events, "step.planned").find(({ step }) => step === "grown")).toEqual({
    type: "step.planned",
    step: "grown",
    title: "the grown",
    act: "update",
    why: "of another size",
    changes: [{ path: "size", from: 1, to: 2 }],
  });
});

test("what is held by something that is not there is not read, down the whole chain", async () => {
  const { thing, plan, requests } = workbench();
  const group = thing("group", {});
  const vnet = thing("vnet", { group }, { within: "group" });
  const subnet = thing("subnet", { vnet }, { within: "vnet" });
  const planned = await plan([group, vnet, subnet, thing("zone", { group })]);
  expect(actsOf(planned)).toEqual({ group: "create", vnet: "create", subnet: "create", zone: "create" });
  expect(requests.toSorted()).toEqual(["GET group", "GET zone"]);
});

test("the content of an existing container is read, even if the container needs an update", async () => {
  const { thing, things, plan, requests } = workbench();
  const group = thing("group", {}, { size: 2 });
  things.set("group", { size: 1 });
  await plan([group, thing("vnet", { group }, { within: "group" })]);
  expect(requests).toEqual(["GET group", "GET vnet"]);
});

test("what needs an output nobody can know yet is planned as known later, without a read, and so is what needs that", async () => {
  const { thing, plan, requests } = workbench();
  const identity = thing("identity", {}, { predictable: false });
  const role = thing("role", { identity });
  const planned = await plan([identity, role, thing("report", { role })]);
  expect(actsOf(planned)).toEqual({ identity: "create", role: "create", report: "create" });
  expect(whyOf(planned, "role")).toBe("known after the identity");
  expect(whyOf(planned, "report")).toBe("known after the role");
  expect(requests).toEqual(["GET identity"]);
  expect(planned.steps.map(({ output, isFinal }) => [output, isFinal])).toEqual([
    [undefined, true],
    [undefined, false],
    [undefined, false],
  ]);
});

test("what is handed on is what was read, or else what names predict", async () => {
  const { thing, things, plan } = workbench();
  things.set("there", { size: 7 }).set("moving", { size: 7, state: "Deleting" }).set("moving-2", { size: 7, state: "Updating" });
  const steps = [
    thing("there", {}, { adopted: true }),
    thing("new", {}),
    thing("moving", {}),
    thing("moving-2", {}, { predictable: false }),
  ];
  const planned = await plan(steps);
  expect(planned.steps.map(({ output }) => output?.value)).toEqual([
    { id: "there", size: 7 },
    { id: "new", size: undefined },
    { id: "moving", size: undefined },
    { id: "moving-2", size: 7 },
  ]);
});

test("decide is given the outputs of the needed steps under the names the step uses", async () => {
  const { thing, things, plan } = workbench();
  things.set("vnet", { size: 5 });
  const seen: unknown[] = [];
  const zone = thing("zone", {});
  const vnet = thing("vnet", {}, { size: 5 });
  const link = defineStep({
    id: "link",
    title: "the link",
    needs: { from: zone, to: vnet },
    read: async () => undefined,
    decide: (_live, up) => {
      seen.push(up);
      return { act: "create", why: "not there" };
    },
    apply: async () => 0,
    output: () => 0,
  });
  await plan([link, zone, vnet]);
  expect(seen).toEqual([{ from: { id: "zone", size: undefined }, to: { id: "vnet", size: 5 } }]);
});

test("all refusals and all failed reads are gathered, and only what hangs on them is skipped", async () => {
  const { thing, things, plan, events, requests } = workbench();
  const unread = (): never => {
    throw new Failure("ARO-AZURE-001", "no answer");
  };
  things.set("theirs", { size: 1, foreign: true }).set("theirs-too", { size: 1, foreign: true });
  const broken = thing("broken", {}, { onGet: unread });
  const theirs = thing("theirs", {});
  const planned = await plan([
    broken,
    thing("on-broken", { broken }),
    theirs,
    thing("on-theirs", { theirs }),
    thing("theirs-too", {}),
    thing("fine", {}),
  ]);
  expect(planned.refusals.map(({ step, failure }) => [step, failure.message])).toEqual([
    ["theirs", "theirs is not ours"],
    ["theirs-too", "theirs-too is not ours"],
  ]);
  expect(planned.failures).toMatchObject([{ step: "broken", title: "the broken", failure: { message: "no answer" } }]);
  expect(planned.skipped).toEqual([{ step: "on-broken", title: "the on-broken", because: ["broken"] }]);
  expect(actsOf(planned)).toEqual({ theirs: "refuse", "on-theirs": "create", "theirs-too": "refuse", fine: "create" });
  expect(requests).toContain("GET on-theirs");
  expect(ofType(events, "step.failed").map(({ step }) => step)).toEqual(["broken"]);
  expect(ofType(events, "step.skipped")).toEqual([
    { type: "step.skipped", step: "on-broken", title: "the on-broken", because: ["broken"] },
  ]);
  expect(ofType(events, "step.planned").find(({ step }) => step === "theirs")).toMatchObject({ act: "refuse", why: "theirs is not ours" });
});

test("what needs a refused step whose output nobody can know is skipped, and the refusal is no failure", async () => {
  const { plan, events } = workbench();
  const missing = defineStep({
    id: "missing",
    title: "the vnet that was given",
    needs: {},
    read: async (): Promise<string | undefined> => undefined,
    decide: () => ({ act: "refuse", failure: new Failure("ARO-OWN-001", "it is not there") }),
    apply: async () => "",
    output: (live) => live,
  });
  const { thing } = workbench();
  const planned = await plan([missing, thing("subnet", { missing })]);
  expect(planned.refusals.map(({ step }) => step)).toEqual(["missing"]);
  expect(planned.failures).toEqual([]);
  expect(planned.skipped).toEqual([{ step: "subnet", title: "the subnet", because: ["missing"] }]);
  expect(ofType(events, "step.failed")).toEqual([]);
});

test("what needs a refused step is planned where names alone give what that hands on", async () => {
  const { plan, requests, thing } = workbench();
  const missing = defineStep({
    id: "missing",
    title: "the vnet that was given",
    needs: {},
    read: async (): Promise<string | undefined> => undefined,
    decide: () => ({ act: "refuse", failure: new Failure("ARO-OWN-001", "it is not there") }),
    apply: async () => "",
    predict: () => "/vnets/given",
    output: (live) => live,
  });
  const planned = await plan([missing, thing("zone", { missing }), thing("subnet", { missing }, { within: "missing" })]);
  expect(actsOf(planned)).toEqual({ missing: "refuse", zone: "create", subnet: "create" });
  expect(planned.skipped).toEqual([]);
  expect(requests).toEqual(["GET zone"]);
});

test("a refusal stays one if its output cannot be computed", async () => {
  const { plan } = workbench();
  const odd = defineStep({
    id: "odd",
    title: "the odd one",
    needs: {},
    read: async () => ({ of: "another kind" }),
    decide: () => ({ act: "refuse", failure: new Failure("ARO-OWN-001", "not ours") }),
    apply: async (live) => live ?? { of: "" },
    output: (): string => {
      throw new TypeError("no such property");
    },
  });
  const planned = await plan([odd]);
  expect(planned.refusals.map(({ failure }) => failure.message)).toEqual(["not ours"]);
  expect(planned.failures).toEqual([]);
});

test("a decision to keep nothing is a fault of the step, not a crash later", async () => {
  const { plan } = workbench();
  const careless = defineStep({
    id: "careless",
    title: "the careless one",
    needs: {},
    read: async (): Promise<number | undefined> => undefined,
    decide: () => ({ act: "keep" }),
    apply: async () => 0,
    output: (live) => live,
  });
  expect((await plan([careless])).failures).toMatchObject([
    { failure: { code: "ARO-BUG-001", message: 'the careless one: decided "keep" for a resource that does not exist' } },
  ]);
});

test("reads run in parallel within the limit, and report their notes", async () => {
  const { thing, plan, time, events } = workbench();
  let reading = 0;
  let most = 0;
  const onGet = async (io: { note: (text: string) => void }): Promise<void> => {
    most = Math.max(most, ++reading);
    await time.sleep(5);
    io.note("page 2");
    reading -= 1;
  };
  const planned = await plan(
    ["a", "b", "c", "d", "e"].map((id) => thing(id, {}, { onGet })),
    { concurrency: 2 },
  );
  expect(most).toBe(2);
  expect(time.now()).toBe(15);
  expect(planned.steps.map(({ startedMs, endedMs }) => [startedMs, endedMs])).toEqual([
    [0, 5],
    [0, 5],
    [5, 10],
    [5, 10],
    [10, 15],
  ]);
  expect(ofType(events, "step.note")[0]).toEqual({ type: "step.note", step: "a", text: "page 2", elapsedMs: 5 });
});

test("an abort ends the planning with its reason", async () => {
  const { thing, plan, requests } = workbench();
  const stop = new AbortController();
  const a = thing("a", {}, { onGet: () => stop.abort(new Error("ctrl-c")) });
  await expect(plan([a, thing("b", { a })], { signal: stop.signal })).rejects.toThrow("ctrl-c");
  expect(requests).toEqual(["GET a"]);
});

test("steps that leave out one they need are refused", async () => {
  const { thing, plan } = workbench();
  const group = thing("group", {});
  await expect(plan([thing("vnet", { group })])).rejects.toThrow('"vnet" needs "group", which does not exist');
});
