import { describe, expect, it } from "vitest";
import { createPlainView } from "../../src/render/plain.js";
import { fakeClock, fakeScreen, type FakeScreenOptions } from "./fakes.js";
import { story } from "./story.js";

function told(options: FakeScreenOptions = {}): string {
  const { screen, text } = fakeScreen(options);
  const ticker = fakeClock();
  const view = createPlainView(screen, ticker);
  for (const event of story) {
    if (typeof event === "number") ticker.move(event);
    else view.emit(event);
  }
  view.stop();
  expect(ticker.timers()).toBe(0);
  return text();
}

describe("progress in a pipe", () => {
  it("is a line an event with the seconds since the start, and a heartbeat of every step that runs long", () => {
    expect(told()).toMatchInlineSnapshot(`
      "[    0s] start    create infra demo-x7k2: 6 steps
      [    0s] creating resource group demo
      [    1s] created  resource group demo (1.2s)
      [    1s] updating virtual network demo-x7k2
      [    1s] creating load balancer demo-x7k2
      [    1s] waiting  virtual network demo-x7k2: waiting for Azure: Updating
      [   32s] updating virtual network demo-x7k2, 30s so far: waiting for Azure: Updating
      [   32s] creating load balancer demo-x7k2, 30s so far
      [   37s] failed   load balancer demo-x7k2: the load balancer was not made [ARO-AZURE-001] (36s)
      [   37s] skipped  outbound rule demo-x7k2, because of load balancer demo-x7k2
      [   41s] updated  virtual network demo-x7k2 (40s)
      "
    `);
  });

  it("has no escape sequence where the stream is no terminal", () => {
    expect(told({ colour: "auto" })).not.toContain("\u001b");
  });

  it("can be coloured on demand without a word changing", () => {
    const coloured = told({ colour: "always" });
    expect(coloured).toContain("\u001b[31mfailed");
    expect(coloured.replace(/\u001b\[\d+m/gu, "")).toBe(told());
  });

  it("says that Azure is being read while a plan takes long", () => {
    const { screen, text } = fakeScreen();
    const ticker = fakeClock();
    const view = createPlainView(screen, ticker);
    view.emit({ type: "step.planned", step: "a", title: "a", act: "keep", why: undefined, changes: [] });
    ticker.move(29_000);
    expect(text()).toBe("");
    ticker.move(31_000);
    expect(text()).toMatchInlineSnapshot(`
      "[   30s] reading  Azure, 1 read so far
      [ 1m00s] reading  Azure, 1 read so far
      "
    `);
    view.stop();
  });

  it("is silent while a question is open", () => {
    const { screen, text } = fakeScreen();
    const ticker = fakeClock();
    const view = createPlainView(screen, ticker);
    view.pause();
    ticker.move(90_000);
    expect(text()).toBe("");
    view.emit({ type: "step.planned", step: "a", title: "a", act: "keep", why: undefined, changes: [] });
    ticker.move(1000);
    expect(text()).toContain("reading");
    view.stop();
  });

  it("tells a note once, however often it comes", () => {
    expect(told().match(/waiting for Azure/gu)).toHaveLength(2);
  });

  it("ignores events after it was stopped", () => {
    const { screen, text } = fakeScreen();
    const view = createPlainView(screen, fakeClock());
    view.stop();
    for (const event of story) if (typeof event !== "number") view.emit(event);
    expect(text()).toBe("");
  });
});
