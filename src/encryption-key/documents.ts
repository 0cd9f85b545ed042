/** The documents of encryption keys: loaded where a schema or the reader of a file is needed. */
import { encryptionKeySchema } from "./files/encryption-key-output.js";
import { text, time } from "../files/results/parts.js";
import { readResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/changes.js";
import { z } from "zod";

const keyVersions = z.array(z.object({ id: text, state: z.enum(["active", "backup", "older", "disabled"]), createdOn: time }));

/** Until when a soft-deleted key can be recovered. */
const softDeleted = z.object({ until: time.optional() }).optional();

const ofNamed = { name: text };

export const results = {
  "create encryption-key": applyResult(ofNamed, { encryptionKey: encryptionKeySchema.optional() }),
  "rotate encryption-key": applyResult(ofNamed, { encryptionKey: encryptionKeySchema.optional() }),
  "destroy encryption-key": removalResult(ofNamed),
  // In a Key Vault or in a managed HSM.
  "show encryption-key": readResult({
    ...ofNamed,
    keyVault: text.optional(),
    managedHsm: text.optional(),
    key: text,
    versions: keyVersions,
    softDeleted: softDeleted,
  }),
};

export const files = {
  "encryption-key": encryptionKeySchema,
};
