/** The removal of an extension of a connected cluster: the agents uninstall it, unless it is forced. */
import type { Extension } from "@azure/arm-kubernetesconfiguration";
import { deleteExtension } from "../arc-extensions.js";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import type { ConnectedCluster } from "../domain/connected-cluster.js";
import { ownedBy } from "../../domain/ownership.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { advise, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { resourceRemovalOf, type OwnedRemoval } from "../../removal/owned.js";

const row = resourceTypes.arcExtension;

/** `force`: Azure forgets it at once, whether or not the agents have removed it. */
export function extensionRemoval(azure: Azure, extension: Extension, force: boolean): OwnedRemoval {
  const { id = "", name = "" } = extension;
  const { scope } = parseResourceId(id);
  const { resourceGroup = "", name: cluster } = parseResourceId(scope);
  const remove = () => deleteExtension(azure, { groupName: resourceGroup, name: cluster }, name, force);
  return { ...resourceRemovalOf(row, id, remove), seconds: expectedDuration("DELETE", row.type).spread[1] };
}

/** Why the extension may not be deleted: extensions have no tags, so the cluster's tag and name prove that it is ours. */
export function extensionRefusal(cluster: ConnectedCluster, extension: Extension, force: boolean): Failure | undefined {
  const { name = "" } = extension;
  const what = quotedTitleOf(resourceTypes.connectedCluster, cluster.name);
  if (ownedBy(cluster.tags, { arc: cluster.name }) !== "ours") {
    return new Failure("ARO-OWN-001", `${what} was not connected by create arc`, {
      because: "it does not have the ownership tag, so its extensions are not deleted",
      next: [
        advise`if you are its owner, delete the extension yourself: ${shell`az k8s-extension delete --cluster-type connectedClusters --cluster-name ${cluster.name} --resource-group ${parseResourceId(cluster.id).resourceGroup ?? ""} --name ${name}`}`,
      ],
    });
  }
  const { connectivityStatus = "unknown" } = cluster.properties;
  if (force || connectivityStatus === "Connected") return undefined;
  return new Failure("ARO-EXT-002", `the agents of ${what} are ${connectivityStatus}`, {
    because: "they remove the extension from the cluster, so the deletion would wait until it times out",
    next: ["reconnect them, and check with wait arc", "or pass --force-delete: what the extension installed then stays on the cluster"],
  });
}
