/** The connected cluster that a command is about. */
import type { Azure } from "../../azure/azure.js";
import { readConnectedCluster } from "../../azure/connected-clusters.js";
import type { ConnectedCluster } from "../../domain/arc/connected-cluster.js";
import { advise, aroHcp } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { arcGroup } from "./arc-spec.js";

export interface ConnectedClusterChoice {
  readonly name: string;
  readonly resourceGroupName: string | undefined;
}

/** @throws ARO-USAGE-001 if it does not exist */
export async function requireConnectedCluster(azure: Azure, choice: ConnectedClusterChoice): Promise<ConnectedCluster> {
  const { name } = choice;
  const group = arcGroup(choice);
  const live = await readConnectedCluster(azure, group, name);
  if (live) return live;
  const { subscriptionId } = azure.connection;
  throw new Failure(
    "ARO-USAGE-001",
    `no connected cluster ${name} was found in resource group "${group}" of subscription ${subscriptionId}`,
    {
      next: [advise`connect it: ${aroHcp("create arc", { name })}`, "or check --name, --resource-group-name and --subscription"],
    },
  );
}
