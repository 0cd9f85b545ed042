/** The Key Vault that a create made for the etcd encryption key of an AKS cluster. */
import type { DeletedVault } from "@azure/arm-keyvault";
import type { Azure } from "../../azure/azure.js";
import { all } from "../../azure/pages.js";
import { aksClusterNames } from "../domain/cluster-names.js";
import { ownedBy } from "../../domain/ownership.js";
import { isInGroup } from "../../domain/resource-id.js";
import { sameText } from "../../text/same-text.js";
import type { FoundAksResource } from "./cluster-group.js";
import type { AksPlace } from "./cluster-group-name.js";
import { readContents, type FoundVault, type VaultOwner } from "../../removal/vaults.js";

/** The contents of each vault; without those that are deleted in the meantime. */
export async function readEtcdVaults(azure: Azure, place: AksPlace, vaults: readonly FoundAksResource[]): Promise<FoundVault[]> {
  const read = await Promise.all(vaults.map((vault) => readContents(azure, vault, etcdVault(place))));
  // Only a vault without contents of others is deleted.
  return read.flatMap((vault) => (vault === undefined ? [] : vault.foreign.length === 0 ? [vault] : [{ ...vault, keys: [] }]));
}

/** Only the key is the cluster's. A create never writes secrets and certificates there. */
export function etcdVault({ cluster, subscriptionId }: AksPlace): VaultOwner {
  const { etcdKey } = aksClusterNames(cluster, subscriptionId);
  return { isOwn: ({ name }, kind) => kind === "key" && sameText(name, etcdKey) };
}

/** The soft-deleted ones. Their names follow from subscription and cluster. */
export async function findDeletedEtcdVaults(azure: Azure, { cluster, subscriptionId, groupName }: AksPlace): Promise<DeletedVault[]> {
  const { vaults } = await azure.vaults();
  const { etcdVault } = aksClusterNames(cluster, subscriptionId);
  return (await all(vaults.listDeleted())).filter(
    ({ name, properties: { tags, vaultId } = {} }) =>
      sameText(name, etcdVault) && ownedBy(tags, cluster) === "ours" && (groupName === undefined || isInGroup(vaultId, groupName)),
  );
}
