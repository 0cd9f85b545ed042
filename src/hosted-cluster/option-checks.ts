/** The checks of the settings of hosted clusters and of the installation of HyperShift. */
import type { Check } from "../settings/option-check.js";
import {
  checkHostedClusterFiles,
  checkHostedClusterValues,
  checkHostedClusterCombinations,
  checkHostedRanges,
} from "./option-checks/hosted-cluster.js";
import { checkInstall } from "./option-checks/install.js";

export const checks: readonly Check[] = [
  checkHostedClusterFiles,
  checkHostedClusterValues,
  checkHostedClusterCombinations,
  checkHostedRanges,
  checkInstall,
];
