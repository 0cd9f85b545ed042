/** Checks of the settings of `graph`: its steps, a result, or the identity flow. */
import { encryptionKeyProblem } from "../domain/encryption-key.js";
import type { Check } from "../settings/option-check.js";

const checkGraph: Check = ({ command, values, problem }) => {
  if (command !== "graph") return;
  if (values.flow !== true) {
    if (values.resultFile !== undefined) return;
    for (const key of ["name", "infraId", "baseDomain", "dnsZoneRgName"] as const) {
      if (values[key] === undefined) problem(key, "is required without --flow or --result-file");
    }
    return;
  }
  if (values.resultFile !== undefined) problem("resultFile", "cannot be combined with --flow: a result has steps, and no flow");
  const { inputDir, infraFile, managedIdentitiesFile, workloadIdentitiesFile, name, encryptionKeyId } = values;
  if ((inputDir ?? infraFile ?? managedIdentitiesFile ?? name) === undefined) {
    problem("inputDir", "or --infra-file, --managed-identities-file or --name is required with --flow");
  }
  if (workloadIdentitiesFile !== undefined) {
    problem("workloadIdentitiesFile", "cannot be combined with --flow, which shows only the managed identities of ARO HCP");
  }
  const wrongKey = encryptionKeyId === undefined ? undefined : encryptionKeyProblem(encryptionKeyId);
  if (wrongKey !== undefined) problem("encryptionKeyId", wrongKey);
};

export const checks: readonly Check[] = [checkGraph];
