/** The checks of the settings of the doctor. */
import type { Check } from "../settings/option-check.js";

const checkClusters: Check = ({ values: { clusters }, problem }) => {
  if (clusters !== undefined && clusters < 1) problem("clusters", `${clusters} is not at least 1`);
};

export const checks: readonly Check[] = [checkClusters];
