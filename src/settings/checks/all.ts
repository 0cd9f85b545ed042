/** Every check of settings, in the order their problems are told. */
import { checkAddressRanges } from "./address-ranges.js";
import { checkBroughtIds, checkSingleGroup } from "./brought-ids.js";
import type { Check } from "./check.js";
import { checkBroughtNetwork, checkCluster, checkIdentityFiles, checkOutputs } from "./combinations.js";
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
  checkBroughtNetwork,
  checkBroughtIds,
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
