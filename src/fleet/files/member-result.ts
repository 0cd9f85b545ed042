/** How a member of a fleet ended: the file in its directory. */
import { z } from "zod";
import { Failure } from "../../errors/failure.js";
import { documentOwner } from "../../files/output-file.js";
import { readDocument } from "../../files/read.js";
import { failureSchema, text, time } from "../../files/results/parts.js";
import { verificationResult } from "../../files/results/reads.js";
import { validate } from "../../files/validate.js";
import { writeDocument } from "../../files/write.js";
import { memberKinds, verbs } from "../domain/member-kinds.js";

export const memberResultSchema = z.object({
  schemaVersion: z.literal(1),
  type: z.literal("fleet-member"),
  name: text,
  kind: z.enum(memberKinds),
  command: z.enum(verbs.map((verb) => `${verb} fleet` as const)),
  run: text.describe("the --run-id, the same in all shards of a run"),
  shard: text.optional().describe("3/10, counted from 1"),
  try: z.int().positive().describe("counts the runs of this member with the same run ID in the same directory"),
  exitCode: z.int(),
  startedAt: time,
  endedAt: time,
  failures: z.array(failureSchema),
  checks: verificationResult.shape.results.describe("of verify fleet"),
});

export type WrittenResult = z.output<typeof memberResultSchema>;

/** The results of a verification may have thousands of checks. */
const maxBytes = 16 * 1024 * 1024;

/** Undefined if the member has none. @throws ARO-FILE-001 to 003 */
export async function readMemberResult(path: string): Promise<WrittenResult | undefined> {
  try {
    return validate(await readDocument(path, maxBytes), memberResultSchema, "a result of a fleet");
  } catch (error) {
    if (error instanceof Failure && error.code === "ARO-FILE-001") return undefined;
    throw error;
  }
}

export function writeMemberResult(path: string, result: { readonly name: string; readonly try: number }): Promise<void> {
  const otherOwner = documentOwner(memberResultSchema, ({ name }) => (name === result.name ? undefined : `the result of ${name}`));
  return writeDocument({ path, otherOwner }, { schemaVersion: 1, type: "fleet-member", ...result });
}
