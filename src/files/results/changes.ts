/** The results of commands that change Azure: the plan of a dry run, and the run. */
import { z } from "zod";
import { actSchema, changeSchema, count, documentHead, failureSchema, milliseconds, targetSchema, text, texts } from "./parts.js";

export type Members = Readonly<Record<string, z.ZodType>>;

const statuses = ["done", "failed", "interrupted", "skipped", "cancelled"] as const;

const section = text.optional().describe("what a plan groups it under: network, role assignments");

export const stepRun = z
  .object({
    id: text,
    title: text,
    section,
    act: actSchema,
    status: z.enum(statuses).describe("skipped: a step that it needs failed; cancelled: the run ended before it started"),
    resourceId: text.optional(),
    needs: texts,
    startedMs: milliseconds.optional().describe("since the start of the run; absent if it never started"),
    endedMs: milliseconds.optional(),
    waitedOn: text.optional().describe("the need that ended last"),
  })
  .meta({ id: "stepRun", description: "a step of the run" });

const skippedStep = z.object({ step: text, title: text, because: texts });

const counts = z.object({
  created: count,
  updated: count,
  replaced: count.describe("deleted and created again"),
  kept: count,
  used: count,
  removed: count,
  failed: count,
  interrupted: count,
  skipped: count,
  cancelled: count,
});

/** `members` are those that only this command has. */
function runSchema(members: Members) {
  return z.object({
    ...documentHead,
    target: targetSchema.optional(),
    ...members,
    counts,
    elapsedMs: milliseconds,
    criticalPath: texts.describe("the chain of steps that took longest, first to last"),
    steps: z.array(stepRun).describe("every step of the plan, in its order"),
    skipped: z.array(skippedStep),
    cancelled: texts,
    interrupted: texts,
    failures: z.array(failureSchema),
  });
}

const plannedStep = z
  .object({
    id: text,
    title: text,
    section,
    resourceId: text.optional(),
    needs: texts,
    act: actSchema,
    why: text.optional(),
    changes: z.array(changeSchema).optional(),
    keptDifferences: z.array(changeSchema).optional().describe("differences that a run keeps, because they may be intended"),
  })
  .meta({ id: "plannedStep", description: "a step of a plan" });

const changedOption = z
  .object({ option: text, recorded: z.unknown().optional(), now: z.unknown().optional() })
  .describe("a setting with another value than the cluster was created with");

function planSchema(members: Members) {
  return z.object({
    ...documentHead,
    ok: z.literal(true),
    target: targetSchema.optional(),
    ...members,
    dryRun: z.literal(true),
    changes: count,
    changedOptions: z.array(changedOption).optional(),
    steps: z.array(plannedStep),
  });
}

/** The document of a create, a rotation or an adoption. `about` is its subject; `made` is what only a run has. */
export function applyResult(about: Members, made: Members) {
  return z.union([runSchema({ ...about, ...made }), planSchema(about)]);
}

const kept = z
  .object({ id: text, title: text.optional(), why: text })
  .meta({ id: "kept", description: "a resource that the command keeps, with the reason" });

const removal = z.object({ id: text, title: text, section, why: text.optional(), resourceId: text.optional(), after: texts });

const removedAlong = z
  .object({
    id: text,
    title: text,
    why: text,
    group: text.optional(),
    origin: z.enum(["ours", "kubernetes", "foreign"]).optional(),
  })
  .describe("a resource that is deleted with another one");

export function removalResult(about: Members) {
  const leftovers = texts.describe("IDs of resources that should be deleted");
  const recoverable = z.array(z.object({ title: text, until: text.optional(), how: text })).optional();
  const plan = z.object({
    ...documentHead,
    ok: z.literal(true),
    target: targetSchema,
    ...about,
    dryRun: z.literal(true),
    removed: z.array(removal),
    removedAlong: z.array(removedAlong),
    kept: z.array(kept),
  });
  return z.union([runSchema({ ...about, kept: z.array(kept), leftovers, recoverable }), plan]);
}
