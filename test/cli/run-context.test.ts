/** The two streams of a command on one terminal: what the live view redraws, and what must stay. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openRunContext } from "../../src/cli/run/run-context.js";
import { shownBy } from "../render/fakes.js";

const terminal = { isTTY: true, columns: 80, rows: 24 };
const pipe = { isTTY: process.stderr.isTTY, columns: process.stderr.columns, rows: process.stderr.rows };
let written = "";

beforeEach(() => {
  written = "";
  vi.useFakeTimers();
  Object.assign(process.stderr, terminal);
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((text) => ((written += String(text)), true));
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  Object.assign(process.stderr, pipe);
});

test("the live view takes no line of the result with it, though both are on one terminal", () => {
  const context = openRunContext({ color: "never", timeout: 60_000 }, { LANG: "C.UTF-8", TERM: "xterm" });
  context.emit({ type: "step.planned", step: "a", title: "a", act: "keep", why: undefined, changes: [] });
  vi.advanceTimersByTime(300);
  expect(shownBy(written).join("\n")).toContain("reading Azure, 1 read");
  context.result.print("RESOURCE  STATE\nfirst     exists\nlast      absent");
  // As where a command goes on for a moment after its result.
  vi.advanceTimersByTime(300);
  context.close();
  expect(shownBy(written).join("\n").trim()).toBe("RESOURCE  STATE\nfirst     exists\nlast      absent");
});
