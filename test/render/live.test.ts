import { describe, expect, it, vi } from "vitest";
import type { EngineEvent } from "../../src/engine/events.js";
import { painted } from "../../src/render/painted.js";
import { createLiveView } from "../../src/render/live.js";
import { fakeTicker, fakeScreen, visibleLines, type FakeScreenOptions } from "./fakes.js";
import { runEvents } from "./run-events.js";

function liveView(options: FakeScreenOptions = {}) {
  const { screen, text } = fakeScreen({ terminal: true, columns: 80, rows: 24, ...options });
  const ticker = fakeTicker();
  const view = createLiveView(screen, ticker);
  const play = (events: readonly (EngineEvent | number)[]): void => {
    for (const event of events) {
      if (typeof event === "number") ticker.advance(event);
      else view.emit(event);
    }
  };
  return { view, ticker, play, text, shown: () => visibleLines(text()).join("\n") };
}

function started(step: string, title = step): EngineEvent {
  return { type: "step.started", step, title, act: "create", needs: [] };
}

describe("the live view", () => {
  it("has a line for each running step and a footer, below the finished steps", () => {
    const { play, shown } = liveView();
    play(runEvents.slice(0, 12));
    expect(shown()).toMatchInlineSnapshot(`
      "✓ created    1.2s  resource group demo
      ● updating    35s  virtual network demo-x7k2
                         waiting for Azure: Updating
      ● creating    35s  load balancer demo-x7k2
      2/6 steps, 37s, 2 running
      "
    `);
  });

  it("has a line for each finished section, the steps of a section that run, and the time left", () => {
    const { view, play, shown } = liveView();
    const keys = ["a", "b", "c", "d"].map((id) => ({ id, needs: [], section: "keys", usualMs: 6000 }));
    const secrets = ["x", "y"].map((id) => ({ id, needs: ["a"], section: "secrets", usualMs: 1000 }));
    view.expect({ steps: [...keys, ...secrets, { id: "zone", needs: [], section: "DNS", usualMs: 500 }], inFull: false });
    const done = (step: string): EngineEvent => ({ type: "step.done", step, title: step, act: "create", elapsedMs: 2000, id: undefined });
    play([
      { type: "run.started", command: "create all", subject: "demo", infraId: "demo", steps: 7 },
      ...["zone", "a", "b", "c", "d"].map((id) => started(id, `the ${id}`)),
      2000,
      done("zone"),
      done("a"),
      200,
    ]);
    expect(shown()).toMatchInlineSnapshot(`
      "✓ created    2.0s  zone
      ● creating     2s  keys 1/4, 3 running, usually 6s
      waiting            secrets 0/2
      ██████░░░░░░░░░░ 2/7 steps, 2s, about 4s left
      "
    `);
    play([...["b", "c", "d"].map(done), started("x", "the x"), 200]);
    expect(shown()).toMatchInlineSnapshot(`
      "✓ created    2.0s  zone
      ✓ created    2.2s  keys (4)
      ● creating     0s  the x
      waiting            secrets 0/2
      ███████████░░░░░ 5/7 steps, 2s, about 1s left
      "
    `);
    play([done("x"), { type: "run.finished", ok: false, elapsedMs: 2400, counts: {}, criticalPath: [] }]);
    view.stop();
    expect(shown()).toContain("\n✓ created    0.2s  secrets (1 of 2)\n");
  });

  it("leaves only the finished steps on the screen", () => {
    const { view, play, shown, ticker } = liveView();
    play(runEvents);
    view.stop();
    view.stop();
    expect(shown()).toMatchInlineSnapshot(`
      "✓ created    1.2s  resource group demo
      ✗ failed      36s  load balancer demo-x7k2: the load balancer was not created:
                         Azure refused it [ARO-AZURE-001]
      ✓ updated     40s  virtual network demo-x7k2
      - skipped          outbound rule demo-x7k2, because of load balancer demo-x7k2

      "
    `);
    expect(ticker.timers()).toBe(0);
  });

  it("redraws at most ten times a second, for any number of events", () => {
    const { play, text } = liveView({ rows: 200 });
    play(Array.from({ length: 100 }, (_, index) => [started(`s${index}`), 10]).flat());
    expect(text().match(/\[\?2026h/gu)).toHaveLength(10);
  });

  it("wraps lines at the current width of the window, so that nothing is cut off", () => {
    const { play, shown } = liveView({ columns: 40 });
    play([
      started("vnet", "virtual network with a very long name"),
      { type: "step.note", step: "vnet", text: "waiting", reason: "waiting", elapsedMs: 1 },
      200,
    ]);
    expect(shown()).toMatchInlineSnapshot(`
      "● creating     0s  virtual network with
                         a very long name
                         waiting
      reading Azure, 0 read, 0s
      "
    `);
  });

  it("shows as many running steps as fit in the window, and the number of the others", () => {
    const { play, shown } = liveView({ rows: 6 });
    play([
      { type: "run.started", command: "create infra", subject: "demo", infraId: "demo", steps: 9 },
      ...["a", "b", "c", "d", "e"].map((id) => started(id)),
      200,
    ]);
    expect(shown()).toMatchInlineSnapshot(`
      "● creating     0s  a
      ● creating     0s  b
      ● creating     0s  c
      0/9 steps, 0s, 5 running, 2 not shown
      "
    `);
  });

  it("writes only ASCII in a locale without UTF-8", () => {
    const { view, play, text } = liveView({ environment: { LC_ALL: "C", LANG: "C.UTF-8" } });
    play(runEvents);
    view.stop();
    expect(text()).toMatch(/^[\u0000-\u007f]*$/u);
  });

  it("with NO_COLOR, has no color but is still live", () => {
    const { play, text } = liveView({ colour: "auto", environment: { LANG: "C.UTF-8", NO_COLOR: "1", TERM: "xterm" } });
    play(runEvents);
    expect(text()).not.toMatch(/\u001b\[\d+m/u);
    expect(text()).toContain("\u001b[?2026h");
  });

  it("never hides the cursor, so that the cursor is visible after any end of the process", () => {
    // The library would hide it on the process's own stderr, on whichever stream it writes.
    const stderrWrite = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const wasTerminal = process.stderr.isTTY;
    process.stderr.isTTY = true;
    try {
      const { play, text } = liveView();
      play(runEvents);
      expect(text()).not.toContain("\u001b[?25l");
      expect(stderrWrite).not.toHaveBeenCalled();
    } finally {
      process.stderr.isTTY = wasTerminal;
      stderrWrite.mockRestore();
    }
  });

  it("prints messages above its lines", () => {
    const { view, play, shown } = liveView();
    play([started("a"), 200]);
    view.say(painted("stopping: nothing new is started"));
    play([200]);
    expect(shown().split("\n").slice(0, 2)).toEqual(["stopping: nothing new is started", "● creating     0s  a"]);
  });

  it("disappears for a prompt, and returns with the next event", () => {
    const { view, play, text, shown } = liveView();
    play([{ type: "step.planned", step: "a", title: "a", act: "create", why: "", changes: [] }, 200]);
    view.pause();
    expect(shown().trim()).toBe("");
    const before = text();
    play([60_000]);
    expect(text()).toBe(before);
    play([started("a"), 200]);
    expect(shown().trimStart()).toBe("● creating     0s  a\nreading Azure, 1 read, 0s\n");
  });

  it("sends no terminal sequence that a name or message from Azure contains", () => {
    const { view, play, text } = liveView();
    play([
      started("a", "evil\u001b[2J\u001b]0;title\u0007\r\u202ename"),
      { type: "step.note", step: "a", text: "\u009b31mnote\u0000", reason: "\u009b31mnote\u0000", elapsedMs: 1 },
      200,
    ]);
    view.stop();
    expect(() => visibleLines(text())).not.toThrow();
    expect(text()).toMatch(/evil name\n *note/);
  });

  it("shows that it reads Azure before the run starts", () => {
    const { play, shown } = liveView();
    play([{ type: "step.planned", step: "a", title: "a", act: "keep", why: undefined, changes: [] }, 2100]);
    expect(shown()).toBe("reading Azure, 1 read, 2s\n");
  });
});
