/** Every check of settings, in the order in which their problems are reported. */
import { features } from "../features.js";
import type { Check } from "./option-check.js";
import {
  checkCluster,
  checkConcurrency,
  checkDryRunOnly,
  checkExistingNetwork,
  checkIdentityFiles,
  checkOutputs,
  checkVerifiedIdentities,
  checkVerifiedInfra,
} from "./combination-checks.js";
import { checkDerivedNames, checkGivenNames, checkTags, noticeReservedNames } from "./name-checks.js";
import { checkAddressRanges, checkExistingIds, checkSingleGroup } from "./network-checks.js";

/** Checks of one setting at a time: they are right although other settings are unknown. */
export const singleChecks: readonly Check[] = [checkGivenNames, checkTags, checkConcurrency];

const sharedChecks: readonly Check[] = [
  checkCluster,
  checkGivenNames,
  checkDerivedNames,
  checkAddressRanges,
  checkExistingNetwork,
  checkExistingIds,
  checkSingleGroup,
  checkTags,
  noticeReservedNames,
  checkIdentityFiles,
  checkOutputs,
  checkDryRunOnly,
  checkVerifiedIdentities,
  checkVerifiedInfra,
  checkConcurrency,
];

/** Those of the features are loaded here, because help needs none. */
export async function allChecks(): Promise<readonly Check[]> {
  const ofFeatures = await Promise.all(features.flatMap((feature) => ("optionChecks" in feature ? [feature.optionChecks()] : [])));
  return [...sharedChecks, ...ofFeatures.flat()];
}
