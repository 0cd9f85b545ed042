/** The connected cluster that a command is about. */
import type { Azure } from "../../azure/azure.js";
import { readConnectedCluster } from "../connected-clusters.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { type ConnectedClusterPlace } from "../domain/names.js";
import { arcNames } from "../../domain/arc-names.js";
import { noSuchConnectedCluster } from "../removal/not-found.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";

interface Choice {
  readonly name: string;
  readonly resourceGroupName: string | undefined;
}

export function arcPlace({ name, resourceGroupName }: Choice, { connection: { subscriptionId } }: Azure): ConnectedClusterPlace {
  return { subscriptionId, groupName: resourceGroupName ?? arcNames(name).group, name };
}

/** @throws ARO-USAGE-001 if it does not exist */
export async function requireConnectedCluster(azure: Azure, place: ConnectedClusterPlace, apiVersion?: string): Promise<ConnectedCluster> {
  const live = await readConnectedCluster(azure, place, apiVersion);
  if (live) return live;
  const { subscriptionId, groupName, name } = place;
  throw new Failure(
    "ARO-USAGE-001",
    `no connected cluster ${name} was found in resource group "${groupName}" of subscription ${subscriptionId}`,
    {
      because: await noSuchConnectedCluster(azure, place),
      next: ["check --name, --resource-group-name and --subscription", advise`or connect it: ${aroHcp("create arc", { name })}`],
    },
  );
}
