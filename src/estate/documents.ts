/** What the commands about an estate print as documents. */
import { z } from "zod";
import { count, documentHead, failureSchema, text, texts, time } from "../files/results/parts.js";
import { kinds, origins } from "./finding.js";

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
    credentialsEnd: time.optional().describe("of an identity set: when the first certificate of its applications ends"),
    missing: texts.describe("what a finished create has, and this has not; empty if it is whole"),
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

export const results = {
  budget: z.object({
    ...documentHead,
    unread: estateParts.unread,
    budgets: z.array(
      z.object({
        subscriptionID: text,
        subscriptionName: text,
        location: text.optional().describe("absent for a subscription without clusters"),
        withSharedSet: fits,
        withOwnSet: fits,
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
  list: z.object({ ...documentHead, ...estateParts, findings: z.array(shownFinding) }),
};
