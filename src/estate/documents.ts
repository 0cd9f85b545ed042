/** What the commands about an estate print as documents. */
import { z } from "zod";
import { count, documentHead, failureSchema, text, texts, time } from "../files/results/parts.js";
import { verificationResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/changes.js";
import { candidateKinds } from "./domain/candidate.js";
import { kinds, origins } from "./domain/finding.js";

const shownFinding = z
  .object({
    kind: z.enum(kinds),
    name: text,
    infraID: text.optional(),
    origin: z.enum(origins),
    version: text.optional().describe("when its tool was of an age to make it so"),
    subscriptionID: text,
    location: text.optional(),
    createdAt: time.optional().describe("the oldest date that Azure knows of its parts; absent if it knows none"),
    identitiesName: text.optional().describe("the identity set whose managed identities have the roles of the cluster"),
    managementCluster: text.optional().describe("the management cluster whose add-on reads the vault of the identity set"),
    credentialsEnd: time.optional().describe("of an identity set: when the first certificate of its applications ends"),
    missing: texts.describe("what a finished create has, and this has not; empty if it is whole"),
    unready: z
      .array(z.object({ resourceID: text, state: text }))
      .describe("resources whose last operation has not succeeded: Failed, Updating, Deleting"),
    resourceIDs: texts.describe("its resource groups and resources"),
    roleAssignments: z.int().nonnegative(),
  })
  .meta({ id: "finding", description: "something that a known tool made" });

const estateParts = {
  subscriptions: z.array(z.object({ id: text, name: text, state: text })),
  unread: z
    .array(z.object({ subscriptionID: text.optional().describe("absent for the directory"), failure: failureSchema }))
    .describe("what could not be read: whatever depends on it is unknown"),
};

const fits = z
  .object({ clusters: count, boundBy: text.describe("the limit that allows no more") })
  .optional()
  .describe("absent if no limit could be read");

const shownCandidate = z
  .object({
    kind: z.enum(candidateKinds),
    id: text.describe("of Resource Manager, or the object ID of an application"),
    title: text,
    verdict: z.enum(["sweep", "audit", "unknown"]).describe("sweep: both proofs and no objection; unknown: what decides could not be read"),
    subscriptionID: text.optional(),
    changedAt: time.optional(),
    madeBy: text.optional().describe("how it is known that a tool made it; absent if nothing proves it"),
    unused: text.optional().describe("how it is known that nobody uses it; absent if nothing proves it"),
    objections: texts.describe("why it stays, whatever is proved"),
    unknown: texts.describe("what could not be read, and would decide"),
    takes: text.optional().describe("the limit that it takes one of"),
    owner: text.optional().describe("the infra ID or the set that it was made for"),
    createdBy: text.optional().describe("of a role assignment: the object ID of who assigned it"),
    remove: text.describe("the command that removes it, or fixes it"),
  })
  .meta({ id: "candidate", description: "something that may be left over" });

export const results = {
  audit: z.object({ ...documentHead, unread: estateParts.unread, candidates: z.array(shownCandidate) }),
  sweep: z.union([removalResult({ name: text.optional() }), applyResult({ journal: text }, { restored: count.optional() })]),
  budget: z.object({
    ...documentHead,
    unread: estateParts.unread,
    unknown: z
      .array(z.object({ what: text, why: text }))
      .describe("what many callers may not read, such as the size of the directory: it does not count"),
    budgets: z.array(
      z.object({
        subscriptionID: text,
        subscriptionName: text,
        location: text.optional().describe("absent for a subscription without clusters"),
        withSharedSet: fits,
        withOwnSet: fits,
        afterSweep: z
          .object({
            frees: z.array(z.object({ name: text.describe("the limit"), count })),
            withSharedSet: fits,
            withOwnSet: fits,
          })
          .optional()
          .describe("what would fit after aro-hcp sweep; absent if something that decides could not be read"),
        limits: z.array(
          z.object({
            name: text,
            location: text.optional().describe("absent for a limit of the subscription"),
            used: count,
            limit: count,
            takes: z.object({ sharedSet: count, ownSet: count }).describe("what one more cluster takes"),
          }),
        ),
      }),
    ),
  }),
  "verify estate": verificationResult,
  list: z.object({ ...documentHead, ...estateParts, findings: z.array(shownFinding) }),
};
