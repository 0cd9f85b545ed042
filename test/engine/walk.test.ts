import { describe, expect, test } from "vitest";
import { Failure } from "../../src/errors/failure.js";
import { walk, type Outcome, type WalkNode, type WalkOptions } from "../../src/engine/walk.js";
import { simulatedTime, type SimulatedTime } from "./simulated-time.js";

const node = (id: string, ...needs: string[]): WalkNode => ({ id, title: `the ${id}`, needs });
const diamond = [node("root"), node("left", "root"), node("right", "root"), node("top", "left", "right")];

/** Walks the nodes and returns the log: `+a` for a start, `-a` for an end. */
async function observe(
  nodes: readonly WalkNode[],
  visit: (id: string, time: SimulatedTime) => Promise<unknown>,
  options: Partial<WalkOptions<WalkNode, unknown>> = {},
): Promise<{ outcomes: ReadonlyMap<string, Outcome<unknown>>; trace: string[]; statuses: Record<string, string> }> {
  const time = simulatedTime();
  const trace: string[] = [];
  const visited = async ({ id }: WalkNode): Promise<unknown> => {
    trace.push(`+${id}`);
    return visit(id, time);
  };
  const onEnd = ({ id }: WalkNode, { status }: Outcome<unknown>): void => void trace.push(status === "done" ? `-${id}` : `${status} ${id}`);
  const defaults = { concurrency: 8, signal: new AbortController().signal, elapsedMs: time.now, onEnd };
  const outcomes = await time.run(walk(nodes, visited, { ...defaults, ...options }));
  return { outcomes, trace, statuses: Object.fromEntries([...outcomes].map(([id, { status }]) => [id, status])) };
}

test("the sides of a diamond run in parallel, and its top runs when both are done", async () => {
  const lasts: Record<string, number> = { root: 1, left: 5, right: 2, top: 1 };
  const { trace, outcomes } = await observe(diamond, (id, { sleep }) => sleep(lasts[id] ?? 0));
  expect(trace).toEqual(["+root", "-root", "+left", "+right", "-right", "-left", "+top", "-top"]);
  expect(outcomes.get("top")).toEqual({ status: "done", value: undefined, startedMs: 6, endedMs: 7 });
});

test("a visit receives the results of the needed nodes", async () => {
  const sum = async ({ needs }: WalkNode, results: ReadonlyMap<string, number>): Promise<number> =>
    1 + needs.reduce((total, need) => total + (results.get(need) ?? NaN), 0);
  const outcomes = await walk(diamond, sum, { concurrency: 2, signal: new AbortController().signal, elapsedMs: () => 0 });
  expect(outcomes.get("top")).toMatchObject({ value: 5 });
});

test("a walk without nodes ends immediately", async () => {
  expect((await observe([], async () => 0)).outcomes.size).toBe(0);
});

test.each([
  ["an Error", () => Promise.reject(new Error("boom")), "the left: boom"],
  ["undefined", () => Promise.reject(undefined as unknown as Error), "the left: threw a value of type undefined"],
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- any value can be thrown
  ["null", () => Promise.reject(null), "the left: threw a value of type object"],
  ["an object without a prototype", () => Promise.reject(Object.create(null) as Error), "the left: threw a value of type object"],
  [
    "an Error before it returns a promise",
    () => {
      throw new Error("synchronous");
    },
    "the left: synchronous",
  ],
])("a visit that throws %s is a failed node, and the walk continues", async (_what, fail: () => Promise<unknown>, message) => {
  const outcomes = await walk(diamond, ({ id }) => (id === "left" ? fail() : Promise.resolve(0)), {
    concurrency: 2,
    signal: new AbortController().signal,
    elapsedMs: () => 0,
  });
  const left = outcomes.get("left");
  expect(left).toMatchObject({ status: "failed", failure: { code: "ARO-BUG-001", message } });
  expect(outcomes.get("right")?.status).toBe("done");
  expect(outcomes.get("top")).toEqual({ status: "skipped", because: ["left"] });
});

test("a thrown value that is not an Error is the cause but is not printed, because it could contain a secret", async () => {
  // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- any value can be thrown
  const { outcomes } = await observe([node("a")], () => Promise.reject({ password: "hunter2" }));
  const outcome = outcomes.get("a");
  expect(outcome?.status === "failed" && outcome.failure.message).toBe("the a: threw a value of type object");
  expect(outcome?.status === "failed" && outcome.failure.cause).toEqual({ password: "hunter2" });
});

test("any error is translated, a Failure too: the translation may add to it", async () => {
  const own = new Failure("ARO-OWN-001", "not ours");
  const translated = new Failure("ARO-AZURE-001", "translated");
  const { outcomes } = await observe([node("a"), node("b")], (id) => Promise.reject(id === "a" ? own : new Error("raw")), {
    toFailure: (error) => (error === own ? own.withAzure({ status: 409 }) : translated),
  });
  expect(outcomes.get("a")).toMatchObject({ failure: { code: "ARO-OWN-001", message: "not ours", azure: { status: 409 } } });
  expect(outcomes.get("b")).toMatchObject({ failure: translated });
});

test("a translation that throws leaves the failure untranslated", async () => {
  const toFailure = (): never => {
    throw new Error("not translatable");
  };
  const own = new Failure("ARO-OWN-001", "not ours");
  const { outcomes } = await observe([node("a"), node("b")], (id) => Promise.reject(id === "a" ? new Error("raw") : own), { toFailure });
  expect(outcomes.get("a")).toMatchObject({ status: "failed", failure: { message: "the a: raw" } });
  expect(outcomes.get("b")).toMatchObject({ status: "failed", failure: own });
});

test("a skipped node lists exactly the failed nodes that it needs, directly or indirectly", async () => {
  const nodes = [node("a"), node("b"), node("c"), node("ab", "a", "b"), node("far", "ab"), node("all", "far", "c"), node("apart", "c")];
  const { outcomes } = await observe(nodes, async (id, { sleep }) => {
    await sleep(id === "b" ? 9 : 1);
    if (id === "a" || id === "b") throw new Error(id);
  });
  expect(outcomes.get("ab")).toEqual({ status: "skipped", because: ["a", "b"] });
  expect(outcomes.get("far")).toEqual({ status: "skipped", because: ["a", "b"] });
  expect(outcomes.get("all")).toEqual({ status: "skipped", because: ["a", "b"] });
  expect(outcomes.get("apart")?.status).toBe("done");
});

test("a skipped node is reported when its causes are known, not at the end", async () => {
  const nodes = [node("bad"), node("after-bad", "bad"), node("slow")];
  const { trace } = await observe(nodes, async (id, { sleep }) => {
    await sleep(id === "slow" ? 9 : 1);
    if (id === "bad") throw new Error(id);
  });
  expect(trace).toEqual(["+bad", "+slow", "failed bad", "skipped after-bad", "-slow"]);
});

test("as many nodes as the limit run in parallel", async () => {
  const nodes = Array.from({ length: 10 }, (_, index) => node(`n${index}`));
  let running = 0;
  const seen = new Set<number>();
  await observe(
    nodes,
    async (_id, { sleep }) => {
      seen.add(++running);
      await sleep(3);
      running -= 1;
    },
    { concurrency: 3 },
  );
  expect([...seen]).toEqual([1, 2, 3]);
});

test.each([0, -1, NaN])("a concurrency of %s is refused", async (concurrency) => {
  await expect(observe([node("a")], async () => 0, { concurrency })).rejects.toThrow(`at least 1, not ${concurrency}`);
});

test("of the ready nodes, the one with the longest chain of dependants starts first, then the first of the input", async () => {
  const nodes = [
    node("lone"),
    node("other"),
    node("short"),
    node("after-short", "short"),
    node("long"),
    node("mid", "long"),
    node("end", "mid"),
  ];
  const { trace } = await observe(nodes, async (_id, { sleep }) => sleep(1), { concurrency: 1 });
  expect(trace.filter((word) => word.startsWith("+"))).toEqual(["+long", "+short", "+mid", "+lone", "+other", "+after-short", "+end"]);
});

test("after an abort no node starts, running nodes end, and the others are cancelled", async () => {
  const stop = new AbortController();
  const nodes = [node("runs"), node("stops"), node("queued"), node("after", "runs"), node("later", "stops")];
  const { trace, statuses, outcomes } = await observe(
    nodes,
    async (id, { sleep }) => {
      if (id === "stops") {
        await sleep(2);
        stop.abort();
      } else await sleep(7);
    },
    { concurrency: 2, signal: stop.signal },
  );
  expect(statuses).toEqual({ runs: "done", stops: "done", queued: "cancelled", after: "cancelled", later: "cancelled" });
  expect(outcomes.get("runs")).toMatchObject({ startedMs: 0, endedMs: 7 });
  expect(trace.filter((word) => word.startsWith("+"))).toEqual(["+runs", "+stops"]);
});

test("a visit that aborts the walk is the last to start", async () => {
  const stop = new AbortController();
  const { trace } = await observe([node("a"), node("b")], async () => stop.abort(), { signal: stop.signal });
  expect(trace).toEqual(["+a", "-a", "cancelled b"]);
});

test("a walk that is aborted before its start visits nothing", async () => {
  const { statuses } = await observe(diamond, () => Promise.reject(new Error("never")), { signal: AbortSignal.abort() });
  expect(new Set(Object.values(statuses))).toEqual(new Set(["cancelled"]));
});

test.each([
  ["the signal's reason", (signal: AbortSignal) => signal.reason as Error],
  ["an AbortError of a client", () => Object.assign(new Error("The operation was aborted."), { name: "AbortError" })],
  ["a Failure caused by the abort", (signal: AbortSignal) => new Failure("ARO-AZURE-001", "stopped", { cause: signal.reason })],
])("a visit that ends with %s is interrupted, not failed, and its dependants are cancelled", async (_what, errorOf) => {
  const stop = new AbortController();
  const { statuses } = await observe(
    [node("long"), node("after", "long"), node("aborts")],
    async (id, { sleep }) => {
      if (id === "aborts") return void sleep(1).then(() => stop.abort(new Error("ctrl-c")));
      await sleep(9, stop.signal).catch(() => Promise.reject(errorOf(stop.signal)));
    },
    { signal: stop.signal },
  );
  expect(statuses).toEqual({ aborts: "done", long: "interrupted", after: "cancelled" });
});

test("a visit that fails for another reason after an abort is failed, and its dependants are skipped", async () => {
  const stop = new AbortController();
  const cyclic: Error & { cause?: unknown } = new Error("quota");
  cyclic.cause = cyclic;
  const { statuses } = await observe(
    [node("a"), node("b", "a")],
    async () => {
      stop.abort();
      throw cyclic;
    },
    { signal: stop.signal },
  );
  expect(statuses).toEqual({ a: "failed", b: "skipped" });
});

test("an AbortError without an abort is a failure like any other", async () => {
  const { statuses } = await observe([node("a")], () => Promise.reject(new DOMException("aborted", "AbortError")));
  expect(statuses).toEqual({ a: "failed" });
});

test("after an error of the listener no node starts, and the end of each running node is still reported", async () => {
  const ended: string[] = [];
  const onEnd = ({ id }: WalkNode): void => {
    ended.push(id);
    if (id === "fast") throw new Error("disk full");
  };
  const nodes = [node("fast"), node("slow"), node("after", "fast")];
  const walked = observe(nodes, async (id, { sleep }) => sleep(id === "slow" ? 9 : 1), { onEnd });
  await expect(walked).rejects.toThrow("disk full");
  expect(ended).toEqual(["fast", "slow", "after"]);
});

test("an invalid graph is refused before any visit", async () => {
  const visited: string[] = [];
  const walked = observe([node("a"), node("b", "c"), node("c", "b")], async (id) => visited.push(id));
  await expect(walked).rejects.toThrow("b -> c -> b");
  expect(visited).toEqual([]);
});

describe("a last node", () => {
  const last: WalkNode = { ...node("last", "top"), isLast: true };

  test("runs after nodes that failed and those that were skipped because of them", async () => {
    const { trace, statuses } = await observe([last, ...diamond], (id) =>
      id === "left" ? Promise.reject(new Error("no")) : Promise.resolve(),
    );
    expect(trace.at(-1)).toBe("-last");
    expect(statuses).toEqual({ root: "done", left: "failed", right: "done", top: "skipped", last: "done" });
  });

  test("runs after an abort", async () => {
    const stop = new AbortController();
    const { statuses } = await observe([last, ...diamond], (id) => Promise.resolve(id === "root" && stop.abort()), { signal: stop.signal });
    expect(statuses).toEqual({ root: "done", left: "cancelled", right: "cancelled", top: "cancelled", last: "done" });
  });

  test("runs even if the walk is aborted before it begins", async () => {
    const { statuses } = await observe([last, ...diamond], () => Promise.resolve(), { signal: AbortSignal.abort() });
    expect(statuses).toMatchObject({ root: "cancelled", last: "done" });
  });
});
