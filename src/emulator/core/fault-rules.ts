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
 * - At most one of these: `answer` replaces the service's answer; `reset` drops the connection; `hang` never answers, and the connection
 *   stays open; `kill` ends the server's process (SIGKILL, before any byte of the answer). `delay`, in seconds of Azure's clock, may stand
 *   alone or with one of them.
 * - `answer.body` is sent as it is if it is a string (`"<html>"`, `"{}"`), as JSON if it is anything else, and not at all if it is absent.
 *   `answer.base64` is a body of any bytes. `answer.headers` may name its `content-type`.
 * - `cut`, `endless`, `gzip` and `chunked` change the answer on its way: that of the rule, or else that of the service, which then takes effect.
 *   They may stand alone or together. `cut` ends the connection in the middle of the body, by "reset" or in order by "fin". `endless` repeats
 *   the body for as long as the client reads. `gzip` compresses the body, and `chunked` omits its length.
 */
import { z } from "zod";
import { schemaProblems } from "../common/schema-problems.js";

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
        base64: z.base64().optional(),
      })
      .refine((it) => it.body === undefined || it.base64 === undefined, "has both body and base64: one of them")
      .transform(({ base64, ...it }) => (base64 === undefined ? it : { ...it, body: Buffer.from(base64, "base64") }))
      .optional(),
    reset: z.literal(true).optional(),
    hang: z.literal(true).optional(),
    kill: z.literal(true).optional(),
    cut: z.enum(["reset", "fin"]).optional(),
    endless: z.literal(true).optional(),
    gzip: z.literal(true).optional(),
    chunked: z.literal(true).optional(),
  })
  .refine((it) => it.nth === undefined || it.request === undefined, "has both nth and request: one of them")
  .refine((it) => count([it.answer, it.reset, it.hang, it.kill]) <= 1, "has more than one of answer, reset, hang, kill")
  .refine((it) => count([it.cut, it.endless]) <= 1, "has both cut and endless: one of them")
  .refine(
    (it) => count([it.reset, it.hang, it.kill]) === 0 || count([it.cut, it.endless, it.gzip, it.chunked]) === 0,
    "has no answer that cut, endless, gzip or chunked could change",
  )
  .refine(
    (it) => count([it.answer, it.reset, it.hang, it.kill, it.delay, it.cut, it.endless, it.gzip, it.chunked]) > 0,
    "has no effect: answer, reset, hang, kill, cut, endless, gzip, chunked or delay",
  );

export type FaultRule = z.infer<typeof rule>;

/** @throws Error that names the rule and the key, and the reason. */
export function parseFaultRules(text: string): FaultRule[] {
  return checkedFaultRules(JSON.parse(text));
}

/** @throws Error as `parseFaultRules` */
export function checkedFaultRules(rules: unknown): FaultRule[] {
  const parsed = z.array(rule).safeParse(rules);
  if (parsed.success) return parsed.data;
  throw new Error(schemaProblems(parsed.error));
}

function count(values: readonly unknown[]): number {
  return values.filter((value) => value !== undefined).length;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
