/** How long a command that was stopped still waits for Azure. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { systemClock } from "../../src/azure/clock.js";
import { abortedLater } from "../../src/azure/aborted-later.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

test("the wait ends a minute after the command is stopped, and not before", () => {
  const command = new AbortController();
  const { signal } = abortedLater(systemClock, command.signal, 60_000);
  vi.advanceTimersByTime(3_600_000);
  expect(signal.aborted).toBe(false);
  command.abort();
  vi.advanceTimersByTime(59_999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(signal.aborted).toBe(true);
  const late = abortedLater(systemClock, command.signal, 60_000);
  late.end();
  vi.advanceTimersByTime(60_000);
  expect(late.signal.aborted).toBe(false);
  expect(vi.getTimerCount()).toBe(0);
});
