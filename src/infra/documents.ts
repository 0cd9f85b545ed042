/** The documents of the infrastructure: loaded where a schema or the reader of a file is needed. */
import { optionalFields } from "../domain/components.js";
import { readManagedIdentities, readDataPlaneIdentities, readWorkloadIdentities } from "../files/identity-files.js";
import { infraOutputSchema } from "../files/infra-output.js";
import { readDocument } from "../files/read.js";
import { text, texts } from "../files/results/parts.js";
import { resourcesResult, verificationResult } from "../files/results/reads.js";
import { applyResult, removalResult } from "../files/results/changes.js";

/** Accepts what any command accepts. */
const reading = { disabledCapabilities: optionalFields.map(({ capability }) => capability) };
const ofCluster = { infraId: text };

export const results = {
  "create infra": applyResult(ofCluster, { infra: infraOutputSchema }),
  "adopt infra": applyResult(ofCluster, { adopted: texts, notAdopted: texts }),
  "destroy infra": removalResult(ofCluster),
  "show infra": resourcesResult(ofCluster),
  "verify infra": verificationResult,
};

export const files = {
  "infra-output": infraOutputSchema,
};

export const readers = {
  infraFile: readDocument,
  managedIdentitiesFile: (path: string) => readManagedIdentities(path, reading),
  dataPlaneIdentitiesFile: readDataPlaneIdentities,
  workloadIdentitiesFile: (path: string) => readWorkloadIdentities(path, reading),
};
