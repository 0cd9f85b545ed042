/** The checks of the settings of AKS clusters, in the order in which their problems are reported. */
import type { Check } from "../settings/option-check.js";
import { checkIngress, checkIngressNames, checkIngressCertificate, checkIngressOutput } from "./option-checks/ingress.js";
import {
  checkAksCluster,
  checkAksNames,
  checkAksFeatures,
  checkAksAddresses,
  checkAksIds,
  checkAksIngress,
} from "./option-checks/cluster.js";
import { checkAksRanges, checkAksNetworkIds } from "./option-checks/network.js";

export const checks: readonly Check[] = [
  checkIngress,
  checkIngressNames,
  checkIngressCertificate,
  checkIngressOutput,
  checkAksCluster,
  checkAksNames,
  checkAksFeatures,
  checkAksAddresses,
  checkAksRanges,
  checkAksNetworkIds,
  checkAksIds,
  checkAksIngress,
];
