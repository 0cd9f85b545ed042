/**
 * Fault rules as data: which faults a server injects, read from the JSON array that `ARO_HCP_LOCAL_FAULTS` names.
 *
 * A rule selects requests, says which of them it applies to, and what happens to those:
 *
 *     [{ "method": "PUT", "path": "/virtualNetworks/[^/]+$", "nth": 2, "answer": { "status": 429, "headers": { "retry-after": "1" },
 *        "body": { "error": { "code": "RetryableError", "message": "..." } } } },
 *      { "request": 17, "when": "after", "kill": true }]
 *
 * - `method`, `host`, `path` select requests; an absent one matches all. `path` is a regular expression on the decoded path
 *   (`/subscriptions/...`, no double slashes), case-insensitive.
 * - `nth` is the first match that the rule applies to, counted by this server from 1 (the default). `request` instead counts all
 *   requests of the server, tokens included; the rule applies only if that request matches. `times` is how many in a row (1).
 * - `when`: "before" (the default) skips the service; "after" lets the service take effect and commit first.
 * - One effect: `answer` replaces the service's answer, `reset` drops the connection, `kill` ends the server's process (SIGKILL, before any
 *   byte of the answer). `delay`, in seconds of Azure's clock, may stand alone or with one of them.
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

/** @throws Error that names the rule and the key, and the reason. */
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
