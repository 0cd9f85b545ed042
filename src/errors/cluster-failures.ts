/** Catalogue entries for AKS clusters. */
import { advise, blank, rerun, shell, withFlag } from "./advice.js";

export const clusterFailures = {
  "ARO-AKS-001": {
    title: "AKS does not offer the Kubernetes version in the region",
    exit: 5,
    next: [
      advise`choose a version that it offers${withFlag("--kubernetes-version", " as --kubernetes-version")}: ${shell`az aks get-versions --location ${blank("location")}`}`,
    ],
    azureCodes: ["K8sVersionNotSupported", "AgentPoolK8sVersionNotSupported"],
  },
  "ARO-AKS-002": {
    title: "a VM size is not available in the region or in one of the zones",
    exit: 5,
    next: ["pass another size or other zones in the option of the agent pool, or choose another location"],
    azureCodes: ["SkuNotAvailable", "VMSizeNotSupported", "AvailabilityZoneNotSupported", "ErrCode_InsufficientCapacity"],
  },
  "ARO-AKS-003": {
    title: "a vCPU quota has no room for the nodes of the cluster",
    exit: 5,
    next: ["pass fewer nodes or another size in the options of the agent pools, or request a higher limit in Quotas of the portal"],
    azureCodes: ["ErrCode_InsufficientVCPUQuota", "InsufficientVCPUQuota"],
  },
  "ARO-AKS-004": {
    title: "the state of the AKS cluster does not allow the change",
    exit: 5,
    next: [advise`start it, or wait until its operation ends, then ${rerun}`],
  },
  "ARO-AKS-005": {
    title: "the identity of the AKS cluster lacks a role that AKS requires",
    exit: 1,
    next: [advise`a new role assignment takes some minutes to take effect: ${rerun}`],
    azureCodes: [
      "CustomKubeletIdentityMissingPermissionError",
      "ResourceMissingPermissionError",
      "AzureKeyVaultKmsValidateIdentityPermissionCustomerError",
    ],
  },
} as const;
