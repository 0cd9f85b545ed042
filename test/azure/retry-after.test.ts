/** Every form in which Azure says how long to wait. */
import { expect, test } from "vitest";
import { retryAfterMs } from "../../src/azure/retry-after.js";
import { answer, notedClock } from "./answers.js";

const noon = new Date("2026-11-20T12:00:00Z");
const words = (message: string) => ({ code: "SubscriptionRequestsThrottled", message });

test.each([
  ["seconds", answer(503, { headers: { "retry-after": "17" } }), 17_000],
  ["a date", answer(429, { headers: { "retry-after": "Fri, 20 Nov 2026 12:01:30 GMT" } }), 90_000],
  ["a date that is past", answer(429, { headers: { "retry-after": "Fri, 20 Nov 2026 11:00:00 GMT" } }), 0],
  ["milliseconds", answer(429, { headers: { "retry-after-ms": "40", "retry-after": "1" } }), 40],
  ["milliseconds of the other name", answer(429, { headers: { "x-ms-retry-after-ms": "40" } }), 40],
  ["quoted words", answer(429, words("Please try again after '11' seconds.")), 11_000],
  ["words of a lock", answer(429, words("The call can be retried in 12 seconds.")), 12_000],
  ["nonsense", answer(429, { headers: { "retry-after": "soon" } }), undefined],
  ["words of another refusal", answer(500, words("it failed after 30 seconds")), undefined],
  ["nothing", answer(429), undefined],
])("%s", (_form, given, ms) => {
  expect(retryAfterMs(given, { ...notedClock(), now: () => noon })).toBe(ms);
});

test("a header is of the clock we wait by, words are of Azure's own", () => {
  const clock = notedClock(100);
  expect(retryAfterMs(answer(429, { headers: { "retry-after-ms": "40" } }), clock)).toBe(4000);
  expect(retryAfterMs(answer(429, words("try again after '4' seconds")), clock)).toBe(4000);
});
