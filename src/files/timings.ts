/** When each step of a run started and ended, and what it waited for: the file of `--output-timings`. */
import { z } from "zod";
import { documentOwner, type OutputFile } from "./output-file.js";
import { milliseconds, text, texts, time } from "./results/parts.js";
import { stepRun } from "./results/changes.js";

const wait = z
  .object({ reason: text, startedMs: milliseconds, endedMs: milliseconds })
  .meta({ id: "wait", description: "what a running step waited for, with times since the start of the run" });

const timedStep = stepRun
  .extend({
    usualMs: milliseconds.optional().describe("how long the step usually takes, from recordings of Azure"),
    waits: z.array(wait),
  })
  .meta({ id: "timedStep", description: "a step of the run with its waits" });

export const timingsSchema = z.object({
  schemaVersion: z.literal(1).describe("incremented when a member changes its meaning or is removed"),
  type: z.literal("timings"),
  ok: z.boolean(),
  command: text,
  version: text.describe("of aro-hcp"),
  startedAt: time.describe("when the command started"),
  elapsedMs: milliseconds.describe("of the whole command: reading, prompt and run"),
  runStartedMs: milliseconds.optional().describe("since the start of the command; absent if the command ran no steps"),
  criticalPath: texts.describe("the chain of steps that took longest, first to last"),
  steps: z.array(timedStep).describe("every step of the plan, in its order"),
});

export type Timings = z.infer<typeof timingsSchema>;

const earlierTimings = timingsSchema.pick({ schemaVersion: true, type: true, command: true, startedAt: true });

/** The file at the path. It is about the last run, whatever that did: it replaces the timings of any run. */
export function timingsFile(path: string): OutputFile {
  return { path, otherOwner: documentOwner(earlierTimings, () => undefined) };
}
