/** Every check of settings, in the order their problems are told. */
import { checkAddressRanges } from "./address-ranges.js";
import { checkExistingIds, checkSingleGroup } from "./existing-ids.js";
import type { Check } from "./check.js";
import { checkExistingNetwork, checkCluster, checkIdentityFiles, checkOutputs } from "./combinations.js";
import { checkConcurrency } from "./concurrency.js";
import { checkGraph } from "./graph.js";
import { checkIdentityOutputs, checkIdentitySet } from "./identities.js";
import { checkIssuerNames } from "./issuer.js";
import { checkHostedCluster, checkManifests } from "./manifests.js";
import { checkGivenNames, checkMadeNames } from "./names.js";
import { checkTags } from "./tags.js";
import { checkVerifiedIdentities, checkVerifiedInfra } from "./verify.js";

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
