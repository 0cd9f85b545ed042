/** The check of the settings of workload identities. */
import { clusterLabel } from "../domain/cluster-label.js";
import { controlPlaneComponents } from "../domain/components.js";
import { nameProblem } from "../domain/name-rules.js";
import { workloadIdentityName } from "../domain/workload-names.js";
import type { Check } from "../settings/option-check.js";

/** A name and an infra ID of valid lengths can still combine to names that are too long. */
const checkWorkloadIdentities: Check = ({ command, values: { name, infraId }, problem }) => {
  if (!command.endsWith(" iam") || name === undefined || infraId === undefined) return;
  if (!clusterLabel.test(name) || !clusterLabel.test(infraId)) return;
  const problems = controlPlaneComponents.flatMap(
    (component) => nameProblem("managedIdentity", workloadIdentityName({ name, infraId }, component)) ?? [],
  );
  if (problems[0] !== undefined) problem("name", problems[0]);
};

export const checks: readonly Check[] = [checkWorkloadIdentities];
