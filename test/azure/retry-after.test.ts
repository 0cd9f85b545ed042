/** Every form in which Azure asks the client to wait. */
import { expect, test } from "vitest";
import { retryAfterMs } from "../../src/azure/retry-after.js";
import { answer, notedClock } from "./answers.js";

const noon = new Date("2026-11-20T12:00:00Z");
const words = (message: string) => ({ code: "SubscriptionRequestsThrottled", message });

test.each([
  ["seconds", answer(503, { headers: { "retry-after": "17" } }), 17_000],
  ["a date", answer(429, { headers: { "retry-after": "Fri, 20 Nov 2026 12:01:30 GMT" } }), 90_000],
  ["a date in the past", answer(429, { headers: { "retry-after": "Fri, 20 Nov 2026 11:00:00 GMT" } }), 0],
  [
    "a date, beside Azure's own time, which this machine's clock does not share",
    answer(429, { headers: { date: "Fri, 20 Nov 2026 11:50:00 GMT", "retry-after": "Fri, 20 Nov 2026 11:50:05 GMT" } }),
    5_000,
  ],
  ["milliseconds", answer(429, { headers: { "retry-after-ms": "40", "retry-after": "1" } }), 40],
  ["milliseconds in the other header", answer(429, { headers: { "x-ms-retry-after-ms": "40" } }), 40],
  ["a quoted number in a message", answer(429, words("Please try again after '11' seconds.")), 11_000],
  ["the message of a lock", answer(429, words("The call can be retried in 12 seconds.")), 12_000],
  ["more than a number can be", answer(429, { headers: { "retry-after": "1e400" } }), undefined],
  ["nothing", answer(429, { headers: { "retry-after": "" } }), undefined],
  ["nothing in milliseconds, but seconds", answer(429, { headers: { "retry-after-ms": "", "retry-after": "3" } }), 3_000],
  ["a negative number", answer(429, { headers: { "retry-after": "-5" } }), 0],
  ["nonsense", answer(429, { headers: { "retry-after": "soon" } }), undefined],
  ["the message of another error", answer(500, words("it failed after 30 seconds")), undefined],
  ["nothing", answer(429), undefined],
])("%s", (_form, given, ms) => {
  expect(retryAfterMs(given, { ...notedClock(), now: () => noon })).toBe(ms);
});

test("a header uses the local clock, a message uses Azure's clock", () => {
  const clock = notedClock(100);
  expect(retryAfterMs(answer(429, { headers: { "retry-after-ms": "40" } }), clock)).toBe(4000);
  expect(retryAfterMs(answer(429, words("try again after '4' seconds")), clock)).toBe(4000);
});
