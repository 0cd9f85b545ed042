/** What a set of identities is made with: names that Azure takes, an issuer that Entra can trust, numbers within reason. */
import { issuerUrlProblem } from "../../domain/issuer-url.js";
import { nameProblem } from "../../domain/name-rules.js";
import type { Check } from "./check.js";
import { realPath } from "./real-path.js";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longestValidityMonths = 120;

export const checkIdentitySet: Check = ({ command, values, problem }) => {
  const { persistentResourceGroupName, keyVaultName, keyVaultReaderObjectId, oidcIssuerUrl, validityMonths, component } = values;
  const tell = (key: Parameters<typeof problem>[0], wrong: string | undefined) => {
    if (wrong !== undefined) problem(key, wrong);
  };
  if (persistentResourceGroupName !== undefined)
    tell("persistentResourceGroupName", nameProblem("resourceGroup", persistentResourceGroupName));
  if (keyVaultName !== undefined) tell("keyVaultName", nameProblem("keyVault", keyVaultName));
  if (oidcIssuerUrl !== undefined) tell("oidcIssuerUrl", issuerUrlProblem(oidcIssuerUrl));
  if (keyVaultReaderObjectId !== undefined && !uuid.test(keyVaultReaderObjectId)) {
    problem("keyVaultReaderObjectId", `"${keyVaultReaderObjectId}" is not a UUID: an object id is wanted, not a name`);
  }
  if (validityMonths !== undefined && (validityMonths < 1 || validityMonths > longestValidityMonths)) {
    problem("validityMonths", `${validityMonths} is not between 1 and ${longestValidityMonths}`);
  }
  // Elsewhere none named means every one.
  if (command === "rotate credentials" && component?.length === 0) problem("component", "is empty");
  if (component !== undefined && component.length > 1 && component.includes("all")) {
    problem("component", `"all" stands for every component: give it alone`);
  }
};

/** Each document is written whole, so two in one file would take turns. */
export const checkIdentityOutputs: Check = ({ values, problem }) => {
  const taken = new Map<string, string>();
  for (const key of ["events", "outputFile", "managedIdentitiesOutputFile", "dataPlaneIdentitiesOutputFile"] as const) {
    const path = values[key];
    if (path === undefined) continue;
    const real = realPath(path);
    const other = taken.get(real);
    if (other !== undefined && key !== "outputFile") problem(key, `"${path}" is also ${other}: one of them would be overwritten`);
    taken.set(real, key);
  }
};
