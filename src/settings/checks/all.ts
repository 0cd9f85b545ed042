/** Every check of settings, in the order their problems are told. */
import { checkAddressRanges, checkExistingIds, checkSingleGroup } from "./networks.js";
import type { Check } from "./check.js";
import { checkExistingNetwork, checkCluster, checkIdentityFiles, checkOutputs } from "./combinations.js";
import { checkConcurrency } from "./combinations.js";
import { checkGraph } from "./combinations.js";
import { checkIdentityOutputs, checkIdentitySet } from "./identities.js";
import { checkIssuerNames } from "./identities.js";
import { checkHostedCluster, checkManifests } from "./identities.js";
import { checkGivenNames, checkMadeNames } from "./names.js";
import { checkTags } from "./names.js";
import { checkVerifiedIdentities, checkVerifiedInfra } from "./combinations.js";

export const allChecks: readonly Check[] = [
  checkCluster,
  checkGivenNames,
  checkMadeNames,
  checkIssuerNames,
  checkAddressRanges,
  checkExistingNetwork,
  checkExistingIds,
  checkSingleGroup,
  checkTags,
  checkIdentityFiles,
  checkIdentitySet,
  checkIdentityOutputs,
  checkHostedCluster,
  checkManifests,
  checkOutputs,
  checkVerifiedIdentities,
  checkVerifiedInfra,
  checkGraph,
  checkConcurrency,
];
