/** Catalogue entries for the extensions of connected clusters. */
import { advise, rerun, shell } from "../errors/advice.js";

export const arcExtensionFailures = {
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
