/** The AKS cluster as it is before anything is written: the region must offer only what the cluster does not have yet. */
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";

/** Read once for all lookups; undefined if it does not exist. */
export type LiveCluster = () => Promise<ManagedCluster | undefined>;

/** The first read of a step takes what the lookups have read; every later read asks Azure again. */
export function thenAgain<Live>(first: () => Promise<Live | undefined>, again: () => Promise<Live | undefined>) {
  let isFirst = true;
  return async (): Promise<Live | undefined> => {
    const shared = isFirst ? await first() : undefined;
    isFirst = false;
    return shared ?? again();
  };
}

export function readCluster(azure: Azure, groupName: string, name: string): LiveCluster {
  let read: Promise<ManagedCluster | undefined> | undefined;
  return () => {
    read ??= azure.clusters().then(({ managedClusters }) => found(managedClusters.get(groupName, name)));
    return read;
  };
}
