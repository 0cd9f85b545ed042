/** `destroy infra`: finds the cluster's resources, shows the deletions, confirms, deletes, and checks that nothing is left. */
import { Failure } from "../errors/failure.js";
import { clusterNameIn, readInfraToDestroy, type InfraInput } from "../files/infra-output.js";
import { isManagedGroup } from "../domain/cluster-resource.js";
import type { ClusterKey } from "../domain/names.js";
import { parseResourceId } from "../domain/resource-id.js";
import { takeInventory, type Inventory, type Search } from "../removal/inventory.js";
import { networkInUse } from "../removal/network-users.js";
import { foreignInUse } from "./removal/foreign-in-use.js";
import { removalsOf } from "./removal/removals.js";
import { foreignRefusal, cascadedResources, idsToRemove, retainedResources } from "../removal/selection.js";
import { readSubscriptionLists, withOtherSubscriptions } from "../removal/subscription-lists.js";
import { noSuchCluster } from "./removal/not-found.js";
import { decideUnclaimed } from "../removal/unclaimed.js";
import type { DestroyInfraSettings, Resolved } from "../settings/settings.js";
import { existingSubscriptions, recall } from "./inputs/recorded-options.js";
import { requireSameCluster } from "./inputs/same-cluster.js";
import { subscriptionInFile } from "../run/subscription.js";
import { destroy } from "../run/destroy.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "destroy infra";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings, origins, notices } = resolved;
  const document = settings.infraFile === undefined ? undefined : await readInfraToDestroy(settings.infraFile);
  if (document) requireSameCluster(settings, origins, document);
  const cluster = clusterOf(settings, document);
  const documentSubscription = subscriptionInFile(document?.subscriptionID, settings.infraFile);
  const { name, infraId } = cluster;
  const about = { command, subject: infraId, about: { infraId }, names: { cluster: name, infraId } };
  return destroy({ ...about, settings: { ...settings, documentSubscription }, notices, port }, async (azure, context) => {
    const lists = readSubscriptionLists(azure);
    const [{ resolved: recalled, record }] = await Promise.all([recall(azure, resolved, cluster, undefined, context.say), lists]);
    const search = searchOf(recalled.settings, cluster, document, existingSubscriptions(record));
    const inventory = await takeInventory(azure, search, withOtherSubscriptions(azure, lists, search.otherSubscriptions));
    const options = { preserveGroups: settings.preserveResourceGroup, deleteForeign: settings.deleteForeign };
    const foundIn = (some: Inventory) => ({
      removals: removalsOf(azure, some, options),
      kept: retainedResources(some, options),
      left: idsToRemove(some, options),
      networkUsers: some.networkUsers,
    });
    const unclaimed = await decideUnclaimed(azure, search, inventory, options);
    return {
      found: foundIn(inventory),
      findAgain: async () => foundIn(await takeInventory(azure, search)),
      cascaded: cascadedResources(inventory, options),
      refusal:
        networkInUse(inventory) ??
        (await foreignInUse(azure, inventory, await lists, { ...options, ownSet: cluster.name })) ??
        unclaimed.refusal ??
        foreignRefusal(inventory, options),
      afterwards: unclaimed.afterwards,
      nothingFound: () => noSuchCluster(azure, cluster, inventory),
      // The last read.
      usedByOthers: networkInUse,
    };
  });
}

/** Without a file, settings validation requires both. A file always has the infra ID, but not always the name. */
function clusterOf(settings: DestroyInfraSettings, document: InfraInput | undefined): ClusterKey {
  const name = settings.name ?? (document && clusterNameIn(document));
  const infraId = settings.infraId ?? document?.infraID;
  if (name !== undefined && infraId !== undefined) return { name, infraId };
  throw new Failure("ARO-USAGE-001", "no cluster specified", {
    because: "the file does not contain the cluster's name",
    next: ["pass --name too"],
  });
}

function searchOf(
  { resourceGroupName }: DestroyInfraSettings,
  cluster: ClusterKey,
  document: InfraInput | undefined,
  subscriptions: readonly string[],
): Search {
  const inFile = [document?.vnetID, document?.securityGroupID, document?.publicZoneID].filter((id) => id !== undefined);
  return {
    cluster,
    existingGroup: resourceGroupName ?? existingGroupIn(document, cluster),
    otherSubscriptions: [...inFile.map((id) => parseResourceId(id).subscriptionId), ...subscriptions],
  };
}

/** The file of a cluster with a managed group names that group. */
function existingGroupIn(document: InfraInput | undefined, cluster: ClusterKey): string | undefined {
  const group = document?.resourceGroupName;
  return !group || isManagedGroup(cluster, group) ? undefined : group;
}
