/** Catalogue entries for connecting clusters to Azure Arc. */
import { advise, aroHcp, rerun, shell } from "./advice.js";

export const arcFailures = {
  "ARO-ARC-001": {
    title: "the onboarding key is not the one of the connected cluster",
    exit: 5,
    next: [advise`restore the file of the key; or onboard again: ${aroHcp("destroy arc")}, then ${aroHcp("create arc")}`],
  },
  "ARO-ARC-002": {
    title: "the cluster is connected to Azure Arc elsewhere",
    exit: 5,
    next: ["disconnect it there first, or pass the name, resource group and subscription that it is connected with"],
  },
  "ARO-ARC-003": {
    title: "the agents could not reach Azure from inside the cluster",
    exit: 5,
    next: [advise`open the addresses above in the firewall or the proxy of the cluster, then ${rerun}`],
  },
  "ARO-ARC-004": {
    title: "helm could not install or remove the agents",
    exit: 1,
    next: [advise`fix what helm reports, then ${rerun}`],
  },
  "ARO-ARC-005": {
    title: "the agents of the cluster are not connected",
    exit: 1,
    next: ["check the pods in the namespace azure-arc of the cluster, and whether the cluster can reach Azure"],
  },
  "ARO-ARC-006": {
    title: "the region does not offer agents of Azure Arc",
    exit: 5,
    next: ["choose another location"],
  },
  "ARO-EXT-001": {
    title: "an extension of a connected cluster could not be installed",
    exit: 1,
    next: [advise`the log of the agent has details: ${shell`oc logs -n azure-arc deployment/extension-manager --all-containers`}`],
    azureCodes: ["ExtensionCreationFailed", "ExtensionOperationFailed", "ExtensionDeletionFailed"],
  },
  "ARO-EXT-002": {
    title: "the agents of the connected cluster are not connected, so no extension can be installed or deleted",
    exit: 5,
    next: [advise`check the agents with ${shell`oc get pods -n azure-arc`}, then ${rerun}`],
  },
  "ARO-EXT-003": {
    title: "something on the cluster conflicts with the extension",
    exit: 5,
    next: ["remove it, then rerun the command"],
  },
} as const;
