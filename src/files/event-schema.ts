/** The schema of one line of `--events`: the header, or an event. */
import { z } from "zod";

const text = z.string();
const milliseconds = z.number().nonnegative();
const count = z.int().nonnegative();
const act = z.enum(["create", "update", "keep", "adopt", "wait", "refuse", "remove"]);

const failure = z.object({
  code: text,
  title: text,
  message: text,
  exit: z.int(),
  because: text.optional(),
  problems: z.array(z.object({ origin: text, message: text })).optional(),
  next: z.array(text),
  done: text.optional(),
  azure: z
    .object({
      status: z.int().optional(),
      code: text.optional(),
      message: text.optional(),
      requestId: text.optional(),
      at: text.optional(),
    })
    .optional(),
});

/** The fields of a type of event, besides `at`. */
function event<const Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) {
  return z.object({ type: z.literal(type), at: z.iso.datetime(), ...fields });
}

const step = { step: text, title: text };

export const eventSchema = z.discriminatedUnion("type", [
  event("stream.started", {
    schemaVersion: z.literal(1),
    eventsVersion: z.literal(1),
    command: text,
    version: text,
    subject: text.optional(),
    startedAt: z.iso.datetime(),
  }),
  event("step.planned", {
    ...step,
    act,
    why: text.optional(),
    changes: z.array(z.object({ path: text, from: z.unknown().optional(), to: z.unknown().optional() })),
  }),
  event("run.started", { command: text, subject: text, infraId: text.optional(), steps: count }),
  event("step.started", { ...step, act, needs: z.array(text) }),
  event("step.note", { step: text, text, reason: text, elapsedMs: milliseconds }),
  event("step.done", { ...step, act, elapsedMs: milliseconds, id: text.optional() }),
  event("step.failed", { ...step, elapsedMs: milliseconds, failure }),
  event("step.skipped", { ...step, because: z.array(text) }),
  event("run.finished", { ok: z.boolean(), elapsedMs: milliseconds, counts: z.record(text, count), criticalPath: z.array(text) }),
  event("check.result", {
    check: text,
    subject: text,
    state: z.enum(["passed", "warning", "failed", "skipped"]),
    severity: z.enum(["error", "warning"]),
    evidence: text,
    next: text.optional(),
  }),
  event("verification.finished", {
    ok: z.boolean(),
    counts: z.object({ passed: count, warning: count, failed: count, skipped: count }),
  }),
]);
