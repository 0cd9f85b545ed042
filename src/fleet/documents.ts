/** The documents of fleets: loaded where a schema or the reader of a file is needed. */
import { z } from "zod";
import { applyResult } from "../files/results/changes.js";
import { count, documentHead, failureSchema, text } from "../files/results/parts.js";
import { verificationResult } from "../files/results/reads.js";
import { readFleet } from "./fleet-file.js";
import { fleetJsonSchema } from "./fleet-json-schema.js";
import { memberKinds } from "./domain/member-kinds.js";
import { readPrincipals } from "./files/principals-file.js";
import { memberResultSchema } from "./files/member-result.js";

const kind = z.enum(memberKinds);
const about = { run: text.describe("the run ID"), shard: text.optional() };
const ended = {
  name: text,
  kind,
  exitCode: z.int().optional().describe("absent if it never started"),
  failures: z.array(failureSchema).optional(),
};

const planned = z.object({
  ...documentHead,
  ...about,
  dryRun: z.literal(true),
  changes: count,
  members: z.array(z.object({ ...ended, changes: count.optional() })),
});

const changed = z.union([planned, applyResult(about, { members: z.array(z.object(ended)) })]);
const { schemaVersion: _version, type: _type, checks: _checks, ...shown } = memberResultSchema.shape;

export const results = {
  "create fleet": changed,
  "destroy fleet": changed,
  "verify fleet": verificationResult,
  "show fleet": z.object({
    ...documentHead,
    exitCode: z.int().describe("the worst of the members; 8 if one was not run, and none is worse"),
    members: z.array(
      z.union([z.object({ ...shown, state: z.enum(["done", "failed"]) }), z.object({ name: text, kind, state: z.literal("not-run") })]),
    ),
  }),
};

export const files = { "fleet-member": memberResultSchema };

export const readers = { fleetFile: readFleet, principalsFile: readPrincipals };

export const jsonSchemas = { fleet: fleetJsonSchema };
