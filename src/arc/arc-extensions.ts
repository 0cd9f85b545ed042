/** Reads and deletes the extensions of connected clusters. */
import { resourceTypes } from "../domain/resource-types.js";
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import type { ConnectedClusterPlace } from "./domain/names.js";
import type { Azure } from "../azure/azure.js";
import { expectedDuration } from "../azure/expected-durations.js";
import { finish, found, type BeginOptions } from "../azure/long-running.js";
import { all } from "../azure/pages.js";

/** The path of a connected cluster in the requests of its extensions. */
export const clusterPath = ["Microsoft.Kubernetes", "connectedClusters"] as const;

/** Undefined if it does not exist. */
export async function readExtension(azure: Azure, { groupName, name }: ConnectedClusterPlace, extension: string) {
  const { extensions } = await azure.arcExtensions();
  return found(extensions.get(groupName, ...clusterPath, name, extension));
}

/** Empty if the cluster does not exist. */
export async function listExtensions(azure: Azure, { groupName, name }: ConnectedClusterPlace): Promise<readonly Extension[]> {
  const { extensions } = await azure.arcExtensions();
  return (await found(all(extensions.list(groupName, ...clusterPath, name)))) ?? [];
}

/** `force`: Azure forgets it at once, whether or not the agents have removed it. */
export async function deleteExtension(
  azure: Azure,
  { groupName, name }: Pick<ConnectedClusterPlace, "groupName" | "name">,
  extension: string,
  force: boolean,
): Promise<void> {
  const { extensions } = await azure.arcExtensions();
  const begin = (options: BeginOptions) =>
    extensions.beginDelete(groupName, ...clusterPath, name, extension, force ? forced(options) : options);
  await found(finish(azure, expectedDuration("DELETE", resourceTypes.arcExtension.type), begin));
}

/** The SDK would also add the query parameter to the URL of the operation, which must be sent back unchanged. */
function forced(begin: BeginOptions): BeginOptions & { forceDelete?: boolean } {
  const options: BeginOptions & { forceDelete?: boolean } = {
    ...begin,
    forceDelete: true,
    onResponse(response) {
      delete options.forceDelete;
      begin.onResponse(response);
    },
  };
  return options;
}
