/** The results of commands that only read: the resources that `show` found, and the checks of a verification. */
import { z } from "zod";
import { changeSchema, count, documentHead, failureSchema, text } from "./parts.js";
import type { Members } from "./changes.js";

const shownResource = z
  .object({
    step: text,
    title: text,
    resourceId: text.optional(),
    state: z.enum(["absent", "exists", "in-flight"]).describe("in-flight: an operation of Azure has not ended"),
    drift: z
      .enum(["none", "different", "refused", "unknown"])
      .describe("different: see changes; refused: the create refuses the resource, see failure; unknown: in flight, see why"),
    bringYourOwn: z.boolean().describe("an existing resource that was passed, or that is only looked up: never changed or removed"),
    why: text.optional(),
    changes: z.array(changeSchema),
    failure: failureSchema.optional(),
  })
  .meta({ id: "shownResource", description: "a resource of the create, as Azure has it" });

/** `members` are those that only this command has. */
export function resourcesResult(members: Members) {
  return z.object({ ...documentHead, ok: z.literal(true), ...members, resources: z.array(shownResource) });
}

/** The document of any other command that reads. */
export function readResult(members: Members) {
  return z.object({ ...documentHead, ok: z.literal(true), ...members });
}

export const checkStates = ["passed", "warning", "failed", "skipped"] as const;
export const severities = ["error", "warning"] as const;
export const checkCounts = z.object({ passed: count, warning: count, failed: count, skipped: count });

export const verificationResult = z.object({
  ...documentHead,
  counts: checkCounts,
  results: z.array(
    z.object({
      check: text.describe("the ID of the check, which keeps its meaning"),
      subject: text,
      sentence: text.describe("what the check expects"),
      severity: z.enum(severities),
      state: z.enum(checkStates),
      evidence: text.describe("what was found, or why the check was skipped"),
      next: text.optional(),
    }),
  ),
});

export const shownSettings = readResult({
  of: text.describe("the command whose settings are shown"),
  record: z
    .enum(["none", "absent", "read", "unread"])
    .describe("none: the command keeps no record; absent: Azure has none; unread: Azure could not be asked"),
  settings: z.array(
    z.object({
      key: text.describe("in a configuration file"),
      flag: text,
      variable: text,
      value: z.unknown().optional().describe("as in a configuration file; absent if it is not set"),
      source: z.enum(["flag", "variable", "config-file", "record", "default", "implied", "missing", "none"]),
      origin: text.optional().describe("the flag, the variable, or file:line"),
    }),
  ),
});

const entries = z.record(text, z.unknown());

/** The document of `local status`: the state of the emulator. The keys of each part are IDs or names. */
export const emulatorState = z.object({
  resources: entries,
  roleAssignments: entries,
  applications: entries,
  deletedApplications: entries.optional(),
  vaults: entries.optional(),
  managedHsms: entries.optional(),
  answeredVersions: z
    .array(z.object({ type: text, version: text, answeredAs: text, requests: count }))
    .optional()
    .describe("requests with an api-version that the emulator does not know"),
  operations: z.array(z.object({ resource: text, kind: text, name: text })),
});

export const versions = readResult({
  version: text.describe("of aro-hcp"),
  node: text.describe("of Node.js"),
  eventsVersion: count.describe("of the file of --output-events"),
  packages: z.record(text, text).describe("the packages of the Azure SDK, by name"),
});
