/** What is drawn must be told: the cluster whose steps, or the files or the name of the identities. */
import { encryptionKeyProblem } from "../../domain/encryption-key.js";
import type { Check } from "./check.js";

export const checkGraph: Check = ({ command, values, problem }) => {
  if (command !== "graph") return;
  if (values.flow !== true) {
    for (const key of ["name", "infraId", "baseDomain"] as const) {
      if (values[key] === undefined) problem(key, "is required where --flow is not given");
    }
    return;
  }
  const { inputDir, infraJson, managedIdentitiesFile, workloadIdentitiesFile, name, encryptionKeyId } = values;
  if ((inputDir ?? infraJson ?? managedIdentitiesFile ?? name) === undefined) {
    problem("inputDir", "or one of --infra-json, --managed-identities-file and --name is required with --flow");
  }
  if (workloadIdentitiesFile !== undefined) {
    problem("workloadIdentitiesFile", "is of a self-managed control plane: --flow draws the managed identities of ARO HCP");
  }
  const wrongKey = encryptionKeyId === undefined ? undefined : encryptionKeyProblem(encryptionKeyId);
  if (wrongKey !== undefined) problem("encryptionKeyId", wrongKey);
};
