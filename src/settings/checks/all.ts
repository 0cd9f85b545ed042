/** Every check of settings, in the order in which their problems are reported. */
import { checkIngress, checkIngressCertificate, checkIngressNames, checkIngressOutput } from "../../aks/settings/checks/aks-ingress.js";
import {
  checkAksAddresses,
  checkAksCluster,
  checkAksFeatures,
  checkAksIds,
  checkAksIngress,
  checkAksNames,
} from "../../aks/settings/checks/aks.js";
import { checkAksNetworkIds, checkAksRanges } from "../../aks/settings/checks/aks-network.js";
import { checkExtension, checkExtensionSettings } from "../../arc/settings/checks/arc-extension.js";
import { checkArcManifests, checkArcSecrets } from "../../arc/settings/checks/arc-secrets.js";
import { checkArcAccess, checkArcAgents, checkArcIds } from "../../arc/settings/checks/arc.js";
import type { Check } from "./check.js";
import {
  checkCluster,
  checkConcurrency,
  checkExistingNetwork,
  checkDryRunOnly,
  checkGraph,
  checkIdentityFiles,
  checkOutputs,
  checkPorts,
  checkVerifiedIdentities,
  checkVerifiedInfra,
} from "./combinations.js";
import { checkDnsZone } from "../../dns-zone/option-checks.js";
import { checkEgress } from "../../infra/settings/egress.js";
import {
  checkHostedClusterCombinations,
  checkHostedClusterValues,
  checkHostedRanges,
} from "../../hosted-cluster/settings/hosted-cluster-checks.js";
import {
  checkHostedCluster,
  checkIdentitySet,
  checkIssuerNames,
  checkManifests,
  checkWorkloadIdentities,
} from "../../identities/option-checks.js";
import { checkInstall } from "../../hosted-cluster/settings/install-checks.js";
import { checkGivenNames, checkDerivedNames, checkTags } from "./names.js";
import { checkAddressRanges, checkExistingIds, checkSingleGroup } from "./networks.js";

/** Checks of one setting at a time: they are right although other settings are unknown. */
export const singleChecks: readonly Check[] = [checkGivenNames, checkTags, checkConcurrency];

export const allChecks: readonly Check[] = [
  checkCluster,
  checkGivenNames,
  checkDerivedNames,
  checkIssuerNames,
  checkAddressRanges,
  checkExistingNetwork,
  checkEgress,
  checkExistingIds,
  checkSingleGroup,
  checkTags,
  checkIngress,
  checkIngressNames,
  checkIngressCertificate,
  checkIngressOutput,
  checkIdentityFiles,
  checkIdentitySet,
  checkWorkloadIdentities,
  checkHostedCluster,
  checkManifests,
  checkHostedClusterValues,
  checkHostedClusterCombinations,
  checkHostedRanges,
  checkInstall,
  checkOutputs,
  checkDryRunOnly,
  checkVerifiedIdentities,
  checkVerifiedInfra,
  checkGraph,
  checkAksCluster,
  checkAksNames,
  checkAksFeatures,
  checkAksAddresses,
  checkAksRanges,
  checkAksNetworkIds,
  checkAksIds,
  checkAksIngress,
  checkExtension,
  checkExtensionSettings,
  checkArcSecrets,
  checkArcManifests,
  checkArcIds,
  checkArcAccess,
  checkArcAgents,
  checkDnsZone,
  checkConcurrency,
  checkPorts,
];
