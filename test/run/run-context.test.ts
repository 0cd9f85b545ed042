/** The two streams of a command on one terminal: the lines that the live view redraws, and the lines that stay. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onBehalf, openRunContext } from "../../src/run/run-context.js";
import { fakeProcess } from "../harness/cli.js";
import { visibleLines } from "../render/fakes.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("the live view removes no line of the result on the same terminal", async () => {
  const { port, stderr: written } = fakeProcess([], { env: { LANG: "C.UTF-8", TERM: "xterm" }, tty: true });
  const context = await openRunContext({ command: "create infra", color: "never", timeout: 60_000 }, { ...port, stdout: port.stderr });
  context.emit({ type: "step.planned", step: "a", title: "a", act: "keep", why: undefined, changes: [] });
  vi.advanceTimersByTime(300);
  expect(visibleLines(written()).join("\n")).toContain("reading Azure, 1 read");
  context.result.print("RESOURCE  STATE\nfirst     exists\nlast      absent");
  // The command continues for a moment after its result.
  vi.advanceTimersByTime(300);
  context.close();
  expect(visibleLines(written()).join("\n").trim()).toBe("RESOURCE  STATE\nfirst     exists\nlast      absent");
});

test("a command without steps says once in 30 seconds that a wait goes on, and another reason at once", async () => {
  const { port, stderr: written } = fakeProcess([], {});
  let now = 0;
  const clock = { ...port.clock, elapsedMs: () => now };
  const context = await openRunContext({ command: "show infra", color: "never", timeout: 60_000 }, { ...port, clock });
  const sender = onBehalf(context)();
  for (; now < 60_000; now += 5000) {
    sender?.note(`Azure is throttling requests; retrying in ${String(2 + (now % 3))} s`, "Azure is throttling requests");
    if (now === 10_000) sender?.note("the connection was lost; retrying in 1 s", "the connection was lost");
  }
  context.close();
  expect(written().match(/throttling/g)).toHaveLength(2);
  expect(written().match(/connection was lost/g)).toHaveLength(1);
});
