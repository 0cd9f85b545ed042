/** What the result documents of several commands contain. */
import { z } from "zod";

export const text = z.string();
export const texts = z.array(text);
export const count = z.int().nonnegative();
/** Whole milliseconds. */
export const milliseconds = z.int().nonnegative();
/** RFC 3339. */
export const time = z.iso.datetime();

export const failureSchema = z
  .object({
    code: text.regex(/^ARO-[A-Z]+-\d{3}$/).describe("an entry of docs/errors.md; it keeps its meaning"),
    title: text,
    message: text,
    exit: z.int().describe("the exit code of a command that fails only for this"),
    because: text.optional(),
    problems: z.array(z.object({ origin: text, message: text })).optional(),
    next: texts,
    done: text.optional().describe("how far the run got"),
    azure: z
      .object({
        status: z.int().optional(),
        code: text.optional(),
        message: text.optional(),
        requestId: text.optional(),
        at: text.optional(),
      })
      .optional(),
  })
  .meta({ id: "failure", description: "an error, with its reason and what to do next" });

export const changeSchema = z
  .object({ path: text, from: z.unknown().optional(), to: z.unknown().optional() })
  .meta({ id: "change", description: "a difference in a resource; from and to are absent where there is no value" });

export const actSchema = z.enum(["create", "update", "replace", "keep", "use", "wait", "refuse", "remove"]);

/** What the command works on, and as whom. */
export const targetSchema = z
  .object({
    cloud: text,
    subscriptionId: text,
    subscriptionFrom: z.enum(["az"]).optional(),
    subscriptionName: text.optional(),
    tenantId: text.optional(),
    signedInAs: z
      .object({
        objectId: text,
        principalType: z.enum(["ServicePrincipal", "User"]),
        clientId: text.optional(),
        name: text.optional(),
      })
      .optional(),
    location: text.optional(),
    cluster: text.optional(),
    infraId: text.optional(),
    identitySet: text.optional(),
    managementCluster: text.optional(),
    serviceCluster: text.optional(),
    connectedCluster: text.optional(),
    dnsZone: text.optional(),
    subscriptions: texts.optional().describe("names and IDs of several"),
  })
  .meta({ id: "target", description: "what the command works on, and as whom" });

/** Every document has these members. Readers ignore members that they do not know. */
export const documentHead = {
  schemaVersion: z.literal(1).describe("incremented when a member changes its meaning or is removed"),
  ok: z.boolean(),
  command: text,
};

/** The document of a command that failed before it had a result. */
export const failuresSchema = z.object({
  schemaVersion: documentHead.schemaVersion,
  ok: z.literal(false),
  command: text.optional().describe("absent if the command line has no command"),
  failures: z.array(failureSchema).min(1),
});
