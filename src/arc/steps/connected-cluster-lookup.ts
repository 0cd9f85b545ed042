/** The connected cluster that something is added to: it must exist, and its agents must be connected. */
import type { Azure } from "../../azure/azure.js";
import { readConnectedCluster } from "../connected-clusters.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { connectedClusterId, type ConnectedClusterPlace } from "../domain/names.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { defineLookup, type Decision, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { refuse } from "../../steps/ownership-decision.js";

export interface ConnectedClusterOutput {
  readonly id: string;
}

const row = resourceTypes.connectedCluster;

/** `mustBeConnected`: only connected agents install extensions. */
export function connectedClusterLookup(
  azure: Azure,
  place: ConnectedClusterPlace,
  { mustBeConnected }: { readonly mustBeConnected: boolean },
): Step<ConnectedClusterOutput> {
  const id = connectedClusterId(place);
  return defineLookup({
    id: row.use.step,
    title: titleOf(row, place.name),
    subject: { kind: "resource", type: row.type, existing: true },
    resourceId: id,
    needs: {},
    read: () => readConnectedCluster(azure, place),
    decide: (live) => decideLookup(live, place, mustBeConnected),
    output: (live) => ({ id: live.id }),
  });
}

function decideLookup(live: ConnectedCluster | undefined, place: ConnectedClusterPlace, mustBeConnected: boolean): Decision {
  const { name } = place;
  const what = quotedTitleOf(row, name);
  if (live === undefined) return { act: "refuse", failure: noConnectedCluster(place) };
  const { connectivityStatus = "unknown", lastConnectivityTime } = live.properties;
  if (!mustBeConnected || connectivityStatus === "Connected") return { act: "use" };
  const since = lastConnectivityTime === undefined ? "they have never reported" : `they last reported at ${lastConnectivityTime}`;
  return refuse("ARO-EXT-002", `the agents of ${what} are ${connectivityStatus}`, {
    because: `${since}; without them, the operation would wait until it times out`,
    next: ["wait for them with wait arc", "if they stay disconnected, rerun create arc with access to the cluster"],
  });
}

export function noConnectedCluster({ name, groupName }: ConnectedClusterPlace): Failure {
  return new Failure("ARO-OWN-003", `${quotedTitleOf(row, name)} does not exist in resource group "${groupName}"`, {
    because: "--name and --resource-group-name refer to it",
    next: ["connect the cluster first with create arc", "or correct --name, --resource-group-name or --subscription"],
  });
}
