/** The documents of workload identities: loaded where a schema or the reader of a file is needed. */
import { controlPlaneFields } from "../domain/components.js";
import { z } from "zod";
import { uuid } from "../files/fields.js";
import { workloadIdentity, controlPlaneShape, workloadSchema } from "../files/identity-schemas.js";
import { text, texts } from "../files/results/parts.js";
import { resourcesResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/changes.js";

/** After a run that failed, only those that are known. */
const knownWorkloadIdentities = z.object({
  ...controlPlaneShape(workloadIdentity, controlPlaneFields),
  kmsClientID: uuid.optional(),
});

const ofNamedCluster = { infraId: text, name: text };

export const results = {
  "create iam": applyResult(ofNamedCluster, { workloadIdentities: knownWorkloadIdentities }),
  "adopt iam": applyResult(ofNamedCluster, { adopted: texts }),
  "destroy iam": removalResult(ofNamedCluster),
  "show iam": resourcesResult(ofNamedCluster),
};

export const files = {
  "workload-identities": workloadSchema,
};
