import { describe, expect, it } from "vitest";
import { createPlainView } from "../../src/render/plain.js";
import { fakeTicker, fakeScreen, type FakeScreenOptions } from "./fakes.js";
import { runEvents } from "./run-events.js";

function outputOf(options: FakeScreenOptions = {}): string {
  const { screen, text } = fakeScreen(options);
  const ticker = fakeTicker();
  const view = createPlainView(screen, ticker);
  for (const event of runEvents) {
    if (typeof event === "number") ticker.advance(event);
    else view.emit(event);
  }
  view.stop();
  expect(ticker.timers()).toBe(0);
  return text();
}

describe("the plain view", () => {
  it("prints one line per event with the time since the start, and repeats the state of long steps", () => {
    expect(outputOf()).toMatchInlineSnapshot(`
      "[    0s] start    create infra demo-x7k2: 6 steps
      [    1s] created  resource group demo (1.2s)
      [    1s] waiting  virtual network demo-x7k2: waiting for Azure: Updating
      [    7s] creating load balancer demo-x7k2
      [   30s] progress 2 of 6 steps
      [   32s] updating virtual network demo-x7k2, 30s so far: waiting for Azure: Updating
      [   37s] creating load balancer demo-x7k2, 35s so far
      [   37s] failed   load balancer demo-x7k2: the load balancer was not created: Azure refused it [ARO-AZURE-001] (36s)
      [   41s] updated  virtual network demo-x7k2 (40s)
      [   41s] skipped  outbound rule demo-x7k2, because of load balancer demo-x7k2
      "
    `);
  });

  it("counts the time of a run from its start, as its summary does", () => {
    const { screen, text } = fakeScreen();
    const ticker = fakeTicker();
    const view = createPlainView(screen, ticker);
    ticker.advance(12_000);
    view.emit({ type: "run.started", command: "create infra", subject: "demo-x7k2", steps: 1 });
    view.stop();
    expect(text()).toBe("[    0s] start    create infra demo-x7k2: 1 step\n");
  });

  it("has no escape sequence without a terminal", () => {
    expect(outputOf({ colour: "auto" })).not.toContain("\u001b");
  });

  it("has the same words with color", () => {
    const colored = outputOf({ colour: "always" });
    expect(colored).toContain("\u001b[31mfailed");
    expect(colored.replace(/\u001b\[\d+m/gu, "")).toBe(outputOf());
  });

  it("shows that it reads Azure while a plan takes long", () => {
    const { screen, text } = fakeScreen();
    const ticker = fakeTicker();
    const view = createPlainView(screen, ticker);
    view.emit({ type: "step.planned", step: "a", title: "a", act: "keep", why: undefined, changes: [] });
    ticker.advance(29_000);
    expect(text()).toBe("");
    ticker.advance(31_000);
    expect(text()).toMatchInlineSnapshot(`
      "[   30s] reading  Azure, 1 read so far
      [ 1m00s] reading  Azure, 1 read so far
      "
    `);
    view.stop();
  });

  it("prints nothing during a prompt", () => {
    const { screen, text } = fakeScreen();
    const ticker = fakeTicker();
    const view = createPlainView(screen, ticker);
    view.pause();
    ticker.advance(90_000);
    expect(text()).toBe("");
    view.emit({ type: "step.planned", step: "a", title: "a", act: "keep", why: undefined, changes: [] });
    ticker.advance(1000);
    expect(text()).toContain("reading");
    view.stop();
  });

  it("prints a repeated note once", () => {
    expect(outputOf().match(/waiting for Azure/gu)).toHaveLength(2);
  });

  it("prints a wait once, then at most every 30 seconds, and another reason at once", () => {
    const { screen, text } = fakeScreen();
    const ticker = fakeTicker();
    const view = createPlainView(screen, ticker);
    const note = (step: string, reason: string, wait: string) => {
      view.emit({ type: "step.note", step, text: `${reason}; ${wait}`, reason, elapsedMs: 0 });
    };
    view.emit({ type: "run.started", command: "create all", subject: "demo", infraId: "demo", steps: 2 });
    for (const step of ["blob", "vault"]) view.emit({ type: "step.started", step, title: step, act: "create", needs: [] });
    for (let second = 0; second < 65; second += 5) {
      note("blob", "the role has not taken effect yet", `retrying in ${String(3 + (second % 4))} s`);
      if (second === 10) note("vault", "Azure is throttling requests", "retrying in 2 s");
      if (second === 15) note("blob", "the connection was lost", "retrying in 1 s");
      ticker.advance(5000);
    }
    expect(text()).toMatchInlineSnapshot(`
      "[    0s] start    create all demo: 2 steps
      [    0s] waiting  blob: the role has not taken effect yet; retrying in 3 s
      [    5s] creating vault
      [   10s] waiting  vault: Azure is throttling requests; retrying in 2 s
      [   15s] waiting  blob: the connection was lost; retrying in 1 s
      [   30s] progress 0 of 2 steps
      [   40s] creating vault, 40s so far: Azure is throttling requests; retrying in 2 s
      [   45s] creating blob, 45s so far: the role has not taken effect yet; retrying in 3 s
      [ 1m00s] progress 0 of 2 steps
      "
    `);
    view.stop();
  });

  it("prints the start of a wait once, with its reason", () => {
    const { screen, text } = fakeScreen();
    const view = createPlainView(screen, fakeTicker());
    view.emit({ type: "step.started", step: "zone", title: "private DNS zone", act: "wait", needs: [] });
    view.emit({
      type: "step.note",
      step: "zone",
      text: "waiting for the operation in flight: Creating",
      reason: "waiting for the operation in flight: Creating",
      elapsedMs: 0,
    });
    expect(text()).toBe("[    0s] waiting  private DNS zone: waiting for the operation in flight: Creating\n");
    view.stop();
  });

  it("says how long a run and its long steps usually take, and what is left", () => {
    const { screen, text } = fakeScreen();
    const ticker = fakeTicker();
    const view = createPlainView(screen, ticker);
    const steps = [
      { id: "vault", needs: [], section: "Key Vault", usualMs: 60_000 },
      { id: "key", needs: ["vault"], section: "keys", usualMs: 1000 },
    ];
    view.expect({ steps, inFull: false });
    view.emit({ type: "run.started", command: "create all", subject: "demo", infraId: "demo", steps: 2 });
    view.emit({ type: "step.started", step: "vault", title: "the vault", act: "create", needs: [] });
    ticker.advance(31_000);
    view.stop();
    expect(text()).toMatchInlineSnapshot(`
      "[    0s] start    create all demo: 2 steps, usually about 1m10s
      [    5s] creating the vault, usually 1m00s
      [   30s] progress 0 of 2 steps, about 35s left
      "
    `);
  });

  it("ignores events after its stop", () => {
    const { screen, text } = fakeScreen();
    const view = createPlainView(screen, fakeTicker());
    view.stop();
    for (const event of runEvents) if (typeof event !== "number") view.emit(event);
    expect(text()).toBe("");
  });
});
