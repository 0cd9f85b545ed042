/** The checks of the settings of Azure Arc, in the order in which their problems are reported. */
import type { Check } from "../settings/checks/check.js";
import { checkExtension, checkExtensionSettings } from "./option-checks/extension.js";
import { checkArcSecrets, checkArcManifests } from "./option-checks/secrets.js";
import { checkArcIds, checkArcAccess, checkArcAgents } from "./option-checks/cluster.js";

export const checks: readonly Check[] = [
  checkExtension,
  checkExtensionSettings,
  checkArcSecrets,
  checkArcManifests,
  checkArcIds,
  checkArcAccess,
  checkArcAgents,
];
