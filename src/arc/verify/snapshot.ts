/** What the checks of a connected cluster start from: what exists of it in Azure, and the way to the cluster itself. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import { listExtensions } from "../arc-extensions.js";
import type { Azure } from "../../azure/azure.js";
import { readConnectedCluster } from "../connected-clusters.js";
import type { ArcAccess } from "../domain/cluster-access.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { type ConnectedClusterPlace } from "../domain/names.js";
import { arcNames } from "../../domain/arc-names.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { aroHcp, type OwnCommand } from "../../errors/advice.js";
import type { Kubernetes } from "../../kubernetes/kubernetes.js";
import { workloadVaults, type WorkloadVault } from "./workload-vaults.js";

/** The cluster behind the connected cluster. */
export interface InCluster {
  readonly access: ArcAccess;
  readonly kubernetes: Kubernetes;
}

export interface ArcSnapshot {
  readonly azure: Azure;
  readonly place: ConnectedClusterPlace;
  /** "connected cluster demo" */
  readonly subject: string;
  readonly cluster: ConnectedCluster | undefined;
  readonly extensions: readonly Extension[];
  readonly vaults: readonly WorkloadVault[];
  /** Undefined without access. */
  readonly inside: InCluster | undefined;
}

export async function arcSnapshot(azure: Azure, place: ConnectedClusterPlace, inside: InCluster | undefined): Promise<ArcSnapshot> {
  const [cluster, extensions, vaults] = await Promise.all([
    readConnectedCluster(azure, place),
    listExtensions(azure, place),
    workloadVaults(azure, place),
  ]);
  return { azure, place, subject: titleOf(resourceTypes.connectedCluster, place.name), cluster, extensions, vaults, inside };
}

/** The settings that name the connected cluster in an advised command. */
export function placeSettings({ place: { name, groupName } }: ArcSnapshot) {
  return { name, ...(groupName !== arcNames(name).group && { resourceGroupName: groupName }) };
}

export function createArc(snapshot: ArcSnapshot): OwnCommand {
  return aroHcp("create arc", placeSettings(snapshot));
}
