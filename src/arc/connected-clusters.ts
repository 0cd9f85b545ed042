/** Reads and writes connected clusters, through the client of all resources. */
import { resourceTypes } from "../domain/resource-types.js";
import type { ConnectedCluster, ConnectedClusterProperties } from "./domain/connected-cluster.js";
import { connectedClusterId, type ConnectedClusterPlace } from "./domain/names.js";
import { connectedClusterApi } from "./domain/spec.js";
import { resourceGroupId, subscriptionScope } from "../domain/resource-id.js";
import { anyResponse } from "../azure/arm-responses.js";
import type { Azure } from "../azure/azure.js";
import { expectedDuration } from "../azure/expected-durations.js";
import { finish, found } from "../azure/long-running.js";

/** Undefined if it does not exist. Only the preview of the API has issuer and gateway. The SDK of connected clusters has half of the members. */
export async function readConnectedCluster(
  azure: Azure,
  place: ConnectedClusterPlace,
  apiVersion: string = connectedClusterApi.stable,
): Promise<ConnectedCluster | undefined> {
  const { resources } = await azure.resources(place.subscriptionId);
  const live = await found(resources.getById(pathOf(connectedClusterId(place)), apiVersion));
  return live && connectedClusterIn(live);
}

/** Lists the clusters of the subscription, or of one of its groups. */
export async function listConnectedClusters(azure: Azure, groupName: string | undefined): Promise<readonly ConnectedCluster[]> {
  const { subscriptionId } = azure.connection;
  const scope = groupName === undefined ? subscriptionScope(subscriptionId) : resourceGroupId(subscriptionId, groupName);
  const { type } = resourceTypes.connectedCluster;
  const manager = await azure.manager();
  const listed = await manager.list(`${scope}/providers/${type}`, connectedClusterApi.preview, anyResponse);
  return listed.map(connectedClusterIn);
}

export interface ConnectedClusterBody {
  readonly location: string;
  readonly tags: Record<string, string>;
  readonly identity: { readonly type: "SystemAssigned" };
  readonly properties: ConnectedClusterProperties;
}

/** Creates or replaces it. The public key cannot be changed. */
export async function putConnectedCluster(
  azure: Azure,
  id: string,
  body: ConnectedClusterBody,
  apiVersion: string,
): Promise<ConnectedCluster> {
  const { resources } = await azure.resources();
  const put = await finish(azure, expectedDuration("PUT", resourceTypes.connectedCluster.type), (options) =>
    resources.beginCreateOrUpdateById(pathOf(id), apiVersion, { ...body, properties: { ...body.properties } }, options),
  );
  return connectedClusterIn(put);
}

/** Deletes it in Azure only: the agents stay in the cluster. */
export async function deleteConnectedCluster(azure: Azure, id: string): Promise<void> {
  const { resources } = await azure.resources();
  const expected = expectedDuration("DELETE", resourceTypes.connectedCluster.type);
  await found(finish(azure, expected, (options) => resources.beginDeleteById(pathOf(id), connectedClusterApi.stable, options)));
}

/** The client adds the first slash. */
function pathOf(id: string): string {
  return id.replace(/^\//, "");
}

/** The generic client leaves the properties untyped, and drops members that it does not know. */
function connectedClusterIn(live: object): ConnectedCluster {
  const { properties, ...others } = live as Omit<ConnectedCluster, "properties"> & { readonly properties?: ConnectedClusterProperties };
  return { ...others, properties: properties ?? {} };
}
