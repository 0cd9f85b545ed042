/** The schema of one line of `--output-events`: the header, or an event. */
import { z } from "zod";
import { actSchema as act, changeSchema, count, failureSchema as failure, milliseconds, text, texts, time } from "./results/parts.js";
import { checkCounts, checkStates, severities } from "./results/reads.js";

/** The fields of a type of event, besides `at`. */
function event<const Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) {
  return z.object({ type: z.literal(type), at: time, ...fields });
}

const step = { step: text, title: text };

export const eventSchema = z.discriminatedUnion("type", [
  event("stream.started", {
    schemaVersion: z.literal(1),
    eventsVersion: z.literal(1),
    command: text,
    version: text,
    subject: text.optional(),
    startedAt: time,
  }),
  event("step.planned", {
    ...step,
    act,
    why: text.optional(),
    changes: z.array(changeSchema),
  }),
  event("run.started", { command: text, subject: text, infraId: text.optional(), steps: count }),
  event("step.started", { ...step, act, needs: texts }),
  event("step.note", { step: text, text, reason: text, elapsedMs: milliseconds }),
  event("step.done", { ...step, act, elapsedMs: milliseconds, id: text.optional() }),
  event("step.failed", { ...step, elapsedMs: milliseconds, failure }),
  event("step.skipped", { ...step, because: texts }),
  event("run.finished", { ok: z.boolean(), elapsedMs: milliseconds, counts: z.record(text, count), criticalPath: texts }),
  event("check.result", {
    check: text,
    subject: text,
    state: z.enum(checkStates),
    severity: z.enum(severities),
    evidence: text,
    next: text.optional(),
  }),
  event("verification.finished", {
    ok: z.boolean(),
    counts: checkCounts,
  }),
]);
