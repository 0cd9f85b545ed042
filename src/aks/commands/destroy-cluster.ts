/** `destroy` of an AKS cluster: finds its resources, confirms, deletes, and reads again. */
import type { Azure } from "../../azure/azure.js";
import { kindFacts, type AksClusterKey, type ClusterKind } from "../../domain/cluster-kind.js";
import { ownershipTags } from "../../domain/ownership.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { groupNameOf, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { advise, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { takeAksInventory, type AksInventory } from "../removal/aks-inventory.js";
import { aksFound } from "../removal/aks-removals.js";
import { hostedRefusal } from "../removal/hosted-control-planes.js";
import { nodeGroupRefusal } from "../removal/node-group-contents.js";
import { noSuchAksCluster } from "../removal/not-found.js";
import { tiedSets } from "../removal/tied-sets.js";
import type { UnclaimedDecision } from "../../removal/unclaimed.js";
import type { Resolved } from "../../settings/settings.js";
import { clusterFileOf, clusterInFile } from "../inputs/cluster-in-file.js";
import { searchOf } from "../inputs/removal-search.js";
import type { ProcessPort } from "../../run/process-port.js";
import { destroy } from "../../run/destroy.js";
import { plural } from "../../text/plural.js";
import type { RunContext } from "../../run/run-context.js";

type Command = "destroy management-cluster" | "destroy service-cluster";

export async function run(kind: ClusterKind, { settings, origins, notices }: Resolved<Command>, port: ProcessPort): Promise<number> {
  const command: Command = `destroy ${kind}`;
  const file = clusterFileOf(kind, settings);
  const { cluster, document, documentSubscription, requireRunPlace } = await clusterInFile(kind, { settings, origins }, file);
  const { name } = cluster;
  const about = { command, subject: name, names: { [kindFacts[kind].resultKey]: name } };
  return destroy({ ...about, settings: { ...settings, documentSubscription }, notices, port }, async (azure, context) => {
    await requireRunPlace(azure);
    const search = searchOf(azure, cluster, settings.resourceGroupName, document);
    const inventory = await takeAksInventory(azure, search, settings);
    // Azure does not show whose they were when they are gone.
    const knownPrincipals = [...search.knownPrincipals, ...inventory.principals];
    // Nothing records an existing group when its contents are gone.
    const groupName = search.groupName ?? groupNameOf(inventory.clusterId);
    const foundIn = (some: AksInventory) => aksFound(azure, some, settings, `create ${kind}`);
    await warnAboutSets(azure, cluster, inventory, context);
    const unclaimed = decideUnclaimedAks(cluster, inventory);
    const foreign = settings.deleteForeign
      ? undefined
      : (hostedRefusal(cluster.name, inventory.hosted) ?? nodeGroupRefusal(cluster.name, inventory.foreignInNodeGroups));
    return {
      found: foundIn(inventory),
      findAgain: async () => foundIn(await takeAksInventory(azure, { ...search, groupName, knownPrincipals }, settings)),
      cascaded: inventory.cascaded,
      byAzure: [...nodeGroupOf(inventory), ...inventory.foreignInNodeGroups],
      refusal: unclaimed.refusal ?? foreign,
      afterwards: unclaimed.afterwards,
      nothingFound: () => noSuchAksCluster(azure, search),
    };
  });
}

function nodeGroupOf({ cluster, nodeGroup }: AksInventory) {
  if (cluster === undefined || nodeGroup === undefined) return [];
  const { managedCluster, resourceGroup } = resourceTypes;
  return [
    { id: nodeGroup.id, title: titleOf(resourceGroup, nodeGroup.name), why: `deleted with ${titleOf(managedCluster, cluster.name)}` },
  ];
}

/** Azure does not show where the control plane of a hosted cluster runs. */
async function warnAboutSets(azure: Azure, { kind, name }: AksClusterKey, inventory: AksInventory, { say }: RunContext): Promise<void> {
  for (const { set, vault, users } of await tiedSets(azure, inventory)) {
    if (users.length === 0) continue;
    say(
      `warning: the pods of the ${kindFacts[kind].label} "${name}" read the secrets of the identity set "${set}" in ${titleOf(resourceTypes.keyVault, parseResourceId(vault).name)}, which ${users.join(", ")} ${users.length === 1 ? "uses" : "use"}: a control plane that runs there stops`,
    );
  }
}

/** Of resources with names of the cluster that have no owner. Refuses if nothing else is the cluster's; otherwise the rest is deleted first. */
function decideUnclaimedAks(
  cluster: AksClusterKey,
  {
    unclaimed,
    cluster: aksCluster,
    resources,
    vaults,
    group,
  }: Pick<AksInventory, "unclaimed" | "cluster" | "resources" | "vaults" | "group">,
): UnclaimedDecision {
  if (unclaimed.length === 0) return {};
  const one = unclaimed.length === 1;
  const tags = Object.entries(ownershipTags(cluster)).map(([tag, value]) => `${tag}=${value}`);
  const { label } = kindFacts[cluster.kind];
  const what = `${plural(unclaimed.length, "resource")} ${one ? "has a name" : "have names"} of the ${label} "${cluster.name}" but no ownership tag`;
  const failure = new Failure("ARO-OWN-007", what, {
    because: unclaimed.map(({ id }) => id).join(", "),
    next: [
      ...unclaimed.map(
        ({ id }) =>
          advise`if ${one ? "it" : id} belongs to this cluster, add its tag: ${shell`az tag update --resource-id ${id} --operation Merge --tags ${tags}`}`,
      ),
      "then rerun the command",
    ],
  });
  const isAnythingOwn = aksCluster !== undefined || resources.length > 0 || vaults.length > 0 || group !== undefined;
  return isAnythingOwn ? { afterwards: failure } : { refusal: failure };
}
