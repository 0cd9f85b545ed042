/**
 * Fault rules as data: what a door is to do wrong, read from the JSON array that `ARO_HCP_LOCAL_FAULTS` names.
 *
 * A rule says which requests it is about, which of them it strikes, and what happens then:
 *
 *     [{ "method": "PUT", "path": "/virtualNetworks/[^/]+$", "nth": 2, "answer": { "status": 429, "headers": { "retry-after": "1" },
 *        "body": { "error": { "code": "RetryableError", "message": "..." } } } },
 *      { "request": 17, "when": "after", "kill": true }]
 *
 * - `method`, `host`, `path` match the request; what is absent matches all. `path` is a regular expression on the decoded path
 *   (`/subscriptions/...`, no double slashes), whatever the case.
 * - `nth` strikes from the n-th match on, counted by this door from 1 (the default); `request` instead strikes the n-th of all the requests
 *   of the door, tokens included, provided that it matches. `times` says how many in a row are struck (1).
 * - `when`: "before" the service took effect (the default), which then does not happen; "after": it did, and was committed.
 * - One effect: `answer` in place of the service's, `reset` of the connection, `kill` of the door's process (SIGKILL, before any byte of
 *   the answer); or none but `delay`, in seconds as of Azure's clock, which may also come with one of them.
 */
import { z } from "zod";

const rule = z
  .strictObject({
    method: z.enum(["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"]).optional(),
    host: z.string().optional(),
    path: z.string().refine(isPattern, "is not a regular expression").optional(),
    nth: z.int().min(1).optional(),
    request: z.int().min(1).optional(),
    times: z.int().min(1).default(1),
    when: z.enum(["before", "after"]).default("before"),
    delay: z.number().min(0).optional(),
    answer: z
      .strictObject({
        status: z.int().min(200).max(599),
        headers: z.record(z.string(), z.string()).default({}),
        body: z.unknown().optional(),
      })
      .optional(),
    reset: z.literal(true).optional(),
    kill: z.literal(true).optional(),
  })
  .refine((it) => it.nth === undefined || it.request === undefined, "has both nth and request: one of them")
  .refine(
    (it) => [it.answer, it.reset, it.kill].filter((effect) => effect !== undefined).length <= 1,
    "has more than one of answer, reset, kill",
  )
  .refine(
    (it) => [it.answer, it.reset, it.kill, it.delay].some((effect) => effect !== undefined),
    "has no effect: answer, reset, kill or delay",
  );

export type FaultRule = z.infer<typeof rule>;

/** @throws Error that says which rule and key is wrong, and why. */
export function parseFaultRules(text: string): FaultRule[] {
  const parsed = z.array(rule).safeParse(JSON.parse(text));
  if (parsed.success) return parsed.data;
  throw new Error(z.prettifyError(parsed.error).replaceAll("\n", " "));
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
