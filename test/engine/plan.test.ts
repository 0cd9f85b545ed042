import { expect, test } from "vitest";
import { defineStep } from "../../src/engine/step.js";
import { Failure } from "../../src/errors/failure.js";
import type { Plan } from "../../src/engine/plan.js";
import { ofType, testEngine } from "./test-engine.js";
import { writesIn } from "./fake-cloud.js";

const actsOf = (plan: Plan): Record<string, string> => Object.fromEntries(plan.steps.map(({ step, decision }) => [step.id, decision.act]));
const whyOf = (plan: Plan, id: string): unknown => {
  const decision = plan.steps.find(({ step }) => step.id === id)?.decision;
  return decision !== undefined && "why" in decision ? decision.why : undefined;
};

test("each step is planned from the current state: create, update, keep, adopt, wait", async () => {
  const { fakeStep, resources, plan, requests, events } = testEngine();
  const steps = [
    fakeStep("new", {}),
    fakeStep("grown", {}, { size: 2 }),
    fakeStep("same", {}),
    fakeStep("existing", {}, { adopted: true }),
    fakeStep("moving", {}),
  ];
  resources.set("grown", { size: 1 }).set("same", { size: 1 }).set("existing", { size: 9 }).set("moving", { size: 1, state: "Updating" });
  const planned = await plan(steps);
  expect(actsOf(planned)).toEqual({ new: "create", grown: "update", same: "keep", existing: "use", moving: "wait" });
  expect(planned.changes).toBe(3);
  expect(whyOf(planned, "moving")).toBe("an operation is in flight: Updating");
  expect(writesIn(requests)).toEqual([]);
  expect(requests).toHaveLength(5);
  expect(ofType(events, "step.planned").find(({ step }) => step === "grown")).toEqual({
    type: "step.planned",
    step: "grown",
    title: "the grown",
    act: "update",
    why: "it has a different size",
    changes: [{ path: "size", from: 1, to: 2 }],
  });
});

test("the contents of a missing container are not read, at any depth", async () => {
  const { fakeStep, plan, requests } = testEngine();
  const group = fakeStep("group", {});
  const vnet = fakeStep("vnet", { group }, { within: "group" });
  const subnet = fakeStep("subnet", { vnet }, { within: "vnet" });
  const planned = await plan([group, vnet, subnet, fakeStep("zone", { group })]);
  expect(actsOf(planned)).toEqual({ group: "create", vnet: "create", subnet: "create", zone: "create" });
  expect(requests.toSorted()).toEqual(["GET group", "GET zone"]);
});

test("the content of an existing container is read, even if the container needs an update", async () => {
  const { fakeStep, resources, plan, requests } = testEngine();
  const group = fakeStep("group", {}, { size: 2 });
  resources.set("group", { size: 1 });
  await plan([group, fakeStep("vnet", { group }, { within: "group" })]);
  expect(requests).toEqual(["GET group", "GET vnet"]);
});

test("a step that needs an unpredictable output is planned without a read, and so are its dependants", async () => {
  const { fakeStep, plan, requests } = testEngine();
  const identity = fakeStep("identity", {}, { predictable: false });
  const role = fakeStep("role", { identity });
  const planned = await plan([identity, role, fakeStep("report", { role })]);
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

test("the output for the plan is the output of the read resource, or otherwise the prediction", async () => {
  const { fakeStep, resources, plan } = testEngine();
  resources.set("there", { size: 7 }).set("moving", { size: 7, state: "Deleting" }).set("moving-2", { size: 7, state: "Updating" });
  const steps = [
    fakeStep("there", {}, { adopted: true }),
    fakeStep("new", {}),
    fakeStep("moving", {}),
    fakeStep("moving-2", {}, { predictable: false }),
  ];
  const planned = await plan(steps);
  expect(planned.steps.map(({ output }) => output?.value)).toEqual([
    { id: "there", size: 7 },
    { id: "new", size: undefined },
    { id: "moving", size: undefined },
    // The state of an operation in flight may lack what the output needs.
    undefined,
  ]);
});

test("decide receives the outputs of the needs under the names that the step declares", async () => {
  const { fakeStep, resources, plan } = testEngine();
  resources.set("vnet", { size: 5 });
  const seen: unknown[] = [];
  const zone = fakeStep("zone", {});
  const vnet = fakeStep("vnet", {}, { size: 5 });
  const link = defineStep({
    id: "link",
    title: "the link",
    needs: { from: zone, to: vnet },
    read: async () => undefined,
    decide: (_live, outputs) => {
      seen.push(outputs);
      return { act: "create", why: "it does not exist" };
    },
    apply: async () => 0,
    output: () => 0,
  });
  await plan([link, zone, vnet]);
  expect(seen).toEqual([{ from: { id: "zone", size: undefined }, to: { id: "vnet", size: 5 } }]);
});

test("all refusals and failed reads are collected, and only the dependants of failed reads are skipped", async () => {
  const { fakeStep, resources, plan, events, requests } = testEngine();
  const unread = (): never => {
    throw new Failure("ARO-AZURE-001", "no answer");
  };
  resources.set("theirs", { size: 1, foreign: true }).set("theirs-too", { size: 1, foreign: true });
  const broken = fakeStep("broken", {}, { onGet: unread });
  const theirs = fakeStep("theirs", {});
  const planned = await plan([
    broken,
    fakeStep("after-broken", { broken }),
    theirs,
    fakeStep("after-theirs", { theirs }),
    fakeStep("theirs-too", {}),
    fakeStep("fine", {}),
  ]);
  expect(planned.refusals.map(({ step, failure }) => [step, failure.message])).toEqual([
    ["theirs", "theirs is not ours"],
    ["theirs-too", "theirs-too is not ours"],
  ]);
  expect(planned.failures).toMatchObject([{ step: "broken", title: "the broken", failure: { message: "no answer" } }]);
  expect(planned.skipped).toEqual([{ step: "after-broken", title: "the after-broken", because: ["broken"] }]);
  expect(actsOf(planned)).toEqual({ theirs: "refuse", "after-theirs": "create", "theirs-too": "refuse", fine: "create" });
  expect(requests).toContain("GET after-theirs");
  expect(ofType(events, "step.failed").map(({ step }) => step)).toEqual(["broken"]);
  expect(ofType(events, "step.skipped")).toEqual([
    { type: "step.skipped", step: "after-broken", title: "the after-broken", because: ["broken"] },
  ]);
  expect(ofType(events, "step.planned").find(({ step }) => step === "theirs")).toMatchObject({ act: "refuse", why: "theirs is not ours" });
});

test("a step that needs a refused step without a prediction is skipped, and the refusal is not a failure", async () => {
  const { plan, events } = testEngine();
  const missing = defineStep({
    id: "missing",
    title: "the existing vnet",
    needs: {},
    read: async (): Promise<string | undefined> => undefined,
    decide: () => ({ act: "refuse", failure: new Failure("ARO-OWN-001", "it does not exist") }),
    apply: async () => "",
    output: (live) => live,
  });
  const { fakeStep } = testEngine();
  const planned = await plan([missing, fakeStep("subnet", { missing })]);
  expect(planned.refusals.map(({ step }) => step)).toEqual(["missing"]);
  expect(planned.failures).toEqual([]);
  expect(planned.skipped).toEqual([{ step: "subnet", title: "the subnet", because: ["missing"] }]);
  expect(ofType(events, "step.failed")).toEqual([]);
});

test("a step that needs a refused step is planned if the output is predictable", async () => {
  const { plan, requests, fakeStep } = testEngine();
  const missing = defineStep({
    id: "missing",
    title: "the existing vnet",
    needs: {},
    read: async (): Promise<string | undefined> => undefined,
    decide: () => ({ act: "refuse", failure: new Failure("ARO-OWN-001", "it does not exist") }),
    apply: async () => "",
    predict: () => "/vnets/existing",
    output: (live) => live,
  });
  const planned = await plan([missing, fakeStep("zone", { missing }), fakeStep("subnet", { missing }, { within: "missing" })]);
  expect(actsOf(planned)).toEqual({ missing: "refuse", zone: "create", subnet: "create" });
  expect(planned.skipped).toEqual([]);
  expect(requests).toEqual(["GET zone"]);
});

test("a refusal stays one if its output cannot be computed", async () => {
  const { plan } = testEngine();
  const odd = defineStep({
    id: "odd",
    title: "the odd one",
    needs: {},
    read: async () => ({ kind: "other" }),
    decide: () => ({ act: "refuse", failure: new Failure("ARO-OWN-001", "not ours") }),
    apply: async (live) => live ?? { kind: "" },
    output: (): string => {
      throw new TypeError("no such property");
    },
  });
  const planned = await plan([odd]);
  expect(planned.refusals.map(({ failure }) => failure.message)).toEqual(["not ours"]);
  expect(planned.failures).toEqual([]);
});

test("a decision to keep a missing resource is reported as a bug of the step", async () => {
  const { plan } = testEngine();
  const faulty = defineStep({
    id: "faulty",
    title: "the faulty one",
    needs: {},
    read: async (): Promise<number | undefined> => undefined,
    decide: () => ({ act: "keep" }),
    apply: async () => 0,
    output: (live) => live,
  });
  expect((await plan([faulty])).failures).toMatchObject([
    { failure: { code: "ARO-BUG-001", message: 'the faulty one: decided "keep" for a resource that does not exist' } },
  ]);
});

test("reads run in parallel within the limit, and report their notes", async () => {
  const { fakeStep, plan, time, events } = testEngine();
  let reading = 0;
  let most = 0;
  const onGet = async (io: { note: (text: string) => void }): Promise<void> => {
    most = Math.max(most, ++reading);
    await time.sleep(5);
    io.note("page 2");
    reading -= 1;
  };
  const planned = await plan(
    ["a", "b", "c", "d", "e"].map((id) => fakeStep(id, {}, { onGet })),
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
  expect(ofType(events, "step.note")[0]).toEqual({ type: "step.note", step: "a", text: "page 2", reason: "page 2", elapsedMs: 5 });
});

test("an abort ends the plan with its reason", async () => {
  const { fakeStep, plan, requests } = testEngine();
  const stop = new AbortController();
  const a = fakeStep("a", {}, { onGet: () => stop.abort(new Error("ctrl-c")) });
  await expect(plan([a, fakeStep("b", { a })], { signal: stop.signal })).rejects.toThrow("ctrl-c");
  expect(requests).toEqual(["GET a"]);
});

test("steps without one of their needs are refused", async () => {
  const { fakeStep, plan } = testEngine();
  const group = fakeStep("group", {});
  await expect(plan([fakeStep("vnet", { group })])).rejects.toThrow('"vnet" needs "group", which does not exist');
});
