/** The documents of identity sets: loaded where a schema or the reader of a file is needed. */
import { z } from "zod";
import { combinedSchema, controlPlaneSchema, dataPlaneSchema, knownIdentities } from "../files/identity-schemas.js";
import { readDocument } from "../files/read.js";
import { text, time } from "../files/results/parts.js";
import { readResult, verificationResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/changes.js";

const credentials = z.array(
  z.object({
    component: text,
    certificateOf: time.describe("when the newest certificate was created"),
    expiresOn: time,
    notRotated: text.optional().describe("why this run created none"),
    oldKeyUntil: time.optional().describe("the end of the last overlap; a run after it removes the old keys"),
  }),
);

/** The result of `show identities` and of `show all`. */
export const shownSet = {
  keyVault: text,
  controlPlane: z.array(
    z.object({
      component: text,
      clientId: text.optional(),
      secretName: text,
      state: z.enum(["absent", "valid", "expires-soon", "expired"]),
      expiresOn: time.optional(),
      daysLeft: z.int().optional().describe("negative after the expiry"),
    }),
  ),
  dataPlane: z.array(z.object({ component: text, name: text, clientId: text.optional() })),
};

const ofNamed = { name: text };

export const results = {
  "create identities": applyResult(ofNamed, { identities: knownIdentities }),
  "destroy identities": removalResult(ofNamed),
  "show identities": readResult({ ...ofNamed, ...shownSet }),
  "verify identities": verificationResult,
  "rotate credentials": applyResult(ofNamed, { credentials: credentials }),
};

export const files = {
  identities: combinedSchema,
  "control-plane-identities": controlPlaneSchema,
  "data-plane-identities": dataPlaneSchema,
};

export const readers = {
  kubeconfig: readDocument,
};
