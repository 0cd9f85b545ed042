/** The documents of fleets: loaded where a schema or the reader of a file is needed. */
import { z } from "zod";
import { applyResult } from "../files/results/changes.js";
import { count, documentHead, failureSchema, text } from "../files/results/parts.js";
import { verificationResult } from "../files/results/reads.js";
import { configOptionSchemas } from "../settings/config-schema.js";
import { readFleet } from "./fleet-file.js";
import { isFleetKey, kinds } from "./member-facts.js";
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

/** JSON Schema (2020-12) of a fleet file, from the table of options. */
function fleetJsonSchema(): object {
  const values = Object.fromEntries(Object.entries(configOptionSchemas()).filter(([key]) => !isFleetKey(key)));
  const ofKeys = (known: ReadonlySet<string>) =>
    Object.fromEntries(Object.keys(values).flatMap((key) => (known.has(key) ? [[key, { $ref: `#/$defs/${key}` }]] : [])));
  const members = memberKinds.map((kind): [string, object] => [
    kind,
    {
      type: "array",
      items: {
        type: "object",
        properties: { ...ofKeys(kinds[kind].keys()), name: { type: "string" } },
        required: ["name"],
        additionalProperties: false,
      },
    },
  ]);
  const all = new Set(memberKinds.flatMap((kind) => [...kinds[kind].keys()]));
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Fleet file of aro-hcp",
    type: "object",
    properties: {
      $schema: { type: "string", description: "this schema, for editors" },
      common: {
        type: "object",
        description: "values of every member that has the setting",
        properties: ofKeys(all),
        additionalProperties: false,
      },
      ...(Object.fromEntries(members) as Readonly<Record<string, object>>),
    },
    additionalProperties: false,
    $defs: Object.fromEntries(Object.entries(values).filter(([key]) => all.has(key))),
  };
}
