/** `destroy` of an AKS cluster: finds its resources, confirms, deletes, and reads again. */
import type { Azure } from "../../azure/azure.js";
import { kindFacts, type AksClusterKey, type ClusterKind } from "../../domain/cluster-kind.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { groupIn, groupNameOf, isIdOf, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { AksClusterInput, ClusterOptions } from "../../files/aks-cluster-output.js";
import { theAddOn, theNodes, type AksPrincipal } from "../removal/aks-assignments.js";
import { takeAksInventory, type AksInventory, type AksSearch } from "../removal/aks-inventory.js";
import { aksFound } from "../removal/aks-removals.js";
import { decideUnclaimedAks } from "../removal/aks-unclaimed.js";
import { hostedRefusal } from "../removal/hosted-control-planes.js";
import { nodeGroupRefusal } from "../removal/node-group-contents.js";
import { noSuchAksCluster } from "../removal/not-found.js";
import { tiedSets } from "../removal/tied-sets.js";
import { options as aksOptions } from "../options.js";
import type { Origin, SettingKey, Resolved } from "../../settings/settings.js";
import { clusterInFile } from "../inputs/cluster-in-file.js";
import type { ProcessPort } from "../../run/process-port.js";
import { destroy, type DestroyCommandSettings } from "../../run/destroy.js";
import type { RunContext } from "../../run/run-context.js";

/** The settings of both commands. */
type Settings = DestroyCommandSettings & {
  readonly name?: string | undefined;
  readonly subscription: string | undefined;
  readonly resourceGroupName: string | undefined;
  readonly purge: boolean;
  readonly deleteForeign: boolean;
};

export interface DestroyClusterInput {
  readonly settings: Settings;
  readonly origins: Readonly<Partial<Record<SettingKey, Origin>>>;
  readonly notices: readonly string[];
  /** The output file of the create. */
  readonly file: string | undefined;
}

export function managementCluster(given: Resolved<"destroy management-cluster">, port: ProcessPort): Promise<number> {
  return destroyCluster("management-cluster", { ...given, file: given.settings.managementClusterFile }, port);
}

export function serviceCluster(given: Resolved<"destroy service-cluster">, port: ProcessPort): Promise<number> {
  return destroyCluster("service-cluster", { ...given, file: given.settings.serviceClusterFile }, port);
}

/** Returns the exit code. */
async function destroyCluster(
  kind: ClusterKind,
  { settings, origins, notices, file }: DestroyClusterInput,
  port: ProcessPort,
): Promise<number> {
  const command = `destroy ${kind}`;
  const { cluster, document, documentSubscription, requireRunPlace } = await clusterInFile(kind, { settings, origins }, file);
  const { name } = cluster;
  const about = { command, subject: name, names: { [kind === "management-cluster" ? "managementCluster" : "serviceCluster"]: name } };
  return destroy({ ...about, settings: { ...settings, documentSubscription }, notices, port }, async (azure, context) => {
    await requireRunPlace(azure);
    const search = searchOf(azure, cluster, settings, document);
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

function searchOf(
  { connection: { subscriptionId } }: Azure,
  cluster: AksClusterKey,
  { resourceGroupName }: Settings,
  document: AksClusterInput | undefined,
): AksSearch {
  const inFile = document?.resourceGroupName === "" ? undefined : document?.resourceGroupName;
  const certificate = certificateIn(document?.options);
  const ids =
    document === undefined
      ? []
      : [
          ...document.vaultIDs,
          document.vnetID,
          document.nodeSubnetID,
          document.clusterIdentity?.id ?? "",
          document.kubeletIdentity?.id ?? "",
          certificate?.vaultId ?? "",
        ];
  return {
    cluster,
    subscriptionId,
    groupName: resourceGroupName ?? inFile,
    otherSubscriptions: ids.flatMap((id) => groupIn(id)?.subscriptionId ?? []),
    knownPrincipals: document === undefined ? [] : principalsIn(document),
    certificate,
  };
}

function certificateIn({ certificateVaultId, certificateName = aksOptions.certificateName.default }: ClusterOptions = {}) {
  const isPlace = typeof certificateVaultId === "string" && typeof certificateName === "string";
  return isPlace && isIdOf(certificateVaultId, resourceTypes.keyVault.type)
    ? { vaultId: certificateVaultId, name: certificateName }
    : undefined;
}

/** A file may be old, so only the names of assignments prove that they are the cluster's. */
function principalsIn({ clusterIdentity, kubeletIdentity, keyVaultAddOn }: AksClusterInput): AksPrincipal[] {
  return [
    { holder: clusterIdentity === null ? "" : parseResourceId(clusterIdentity.id).name, one: clusterIdentity },
    { holder: theNodes, one: kubeletIdentity },
    { holder: theAddOn, one: keyVaultAddOn },
  ].flatMap(({ holder, one }) => (one === null ? [] : [{ objectId: one.objectID, holder, fate: "stays" as const }]));
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
