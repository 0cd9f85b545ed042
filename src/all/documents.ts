/** The documents of clusters as a whole: loaded where a schema or the reader of a file is needed. */
import { shownSet } from "../identities/index.js";
import { encryptionKeySchema } from "../encryption-key/index.js";
import { knownIdentities } from "../files/identity-schemas.js";
import { infraOutputSchema } from "../files/infra-output.js";
import { text } from "../files/results/parts.js";
import { resourcesResult, verificationResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/changes.js";

const ofNamedCluster = { infraId: text, name: text };

export const results = {
  "create all": applyResult(ofNamedCluster, {
    issuerURL: text,
    infra: infraOutputSchema,
    identities: knownIdentities,
    encryptionKey: encryptionKeySchema.optional(),
  }),
  "destroy all": removalResult(ofNamedCluster),
  "show all": resourcesResult({ ...ofNamedCluster, ...shownSet }),
  "verify all": verificationResult,
};
