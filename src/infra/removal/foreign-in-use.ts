/** What others use in the resource groups of a cluster, which not even --delete-foreign deletes. */
import { clustersTrusting } from "../../issuer/index.js";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { orRefused } from "../../azure/or-refused.js";
import { all } from "../../azure/pages.js";
import { orDenied } from "../../azure/vault-admission.js";
import { setOfPurpose, setTitle } from "../../domain/given-vault-roles.js";
import { setInTags } from "../../domain/set-content.js";
import { hasOtherOwner, identitySetTag } from "../../domain/ownership.js";
import { isWithin, parseResourceId, sameId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { vaultReader } from "../../domain/roles.js";
import { tagValue, type Tags } from "../../domain/tags.js";
import { advise, aroHcp, withFlag, type Advice } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { sameText } from "../../text/same-text.js";
import { isVaultGrant, assignmentsTo } from "../../removal/assignments.js";
import { nameOf } from "../../removal/existing-clusters.js";
import type { FoundResource, Inventory } from "../../removal/inventory.js";
import type { RemovalOptions } from "../../removal/selection.js";
import { clustersUsing, usedByClusters } from "../../removal/set-in-use.js";
import type { SubscriptionLists } from "../../removal/subscription-lists.js";
import { itemsOf } from "../../removal/vaults.js";
import { managedHsmTag, managedHsmIn } from "../../domain/key-place.js";
import { resourcesWithTagName } from "../../removal/set-groups.js";

const managedHsmType = "Microsoft.KeyVault/managedHSMs";

interface User {
  readonly title: string;
  readonly next: readonly Advice[];
}

interface ForeignOptions extends RemovalOptions {
  /** The name of the cluster's set, which counts as a user too: its vault of others is not the cluster's. */
  readonly ownSet: string;
}

/** Undefined if nobody is seen to use them, or if they are kept. `lists` has the role assignments of everyone. */
export async function foreignInUse(
  azure: Azure,
  inventory: Pick<Inventory, "groups" | "otherClusters">,
  lists: SubscriptionLists,
  { preserveGroups, deleteForeign, ownSet }: ForeignOptions,
): Promise<Failure | undefined> {
  if (preserveGroups || !deleteForeign) return undefined;
  const contents = inventory.groups.filter(({ ours }) => ours).flatMap((group) => group.contents);
  const foreign = contents.filter(({ origin }) => origin === "foreign");
  return (await principalsInUse(azure, foreign, inventory, lists)) ?? vaultsInUse(azure, foreign, lists, ownSet);
}

function ofType(foreign: readonly FoundResource[], wanted: string): FoundResource[] {
  return foreign.filter(({ type }) => sameType(type, wanted));
}

async function principalsInUse(
  azure: Azure,
  foreign: readonly FoundResource[],
  { otherClusters }: Pick<Inventory, "otherClusters">,
  lists: SubscriptionLists,
): Promise<Failure | undefined> {
  if (otherClusters.length === 0) return undefined;
  const usersOf = async ({ id }: FoundResource) => {
    const { resourceGroup = "", name } = parseResourceId(id);
    const live = await found((await azure.identities()).userAssignedIdentities.get(resourceGroup, name));
    return clustersUsing(assignmentsTo([live?.principalId ?? ""], lists.assignments), otherClusters);
  };
  const users = await Promise.all([
    clustersTrusting(azure, { accounts: ofType(foreign, resourceTypes.storageAccount.type) }, lists.assignments, otherClusters),
    ...ofType(foreign, resourceTypes.managedIdentity.type).map(usersOf),
  ]);
  const used = otherClusters.filter((cluster) => users.flat().includes(cluster));
  return usedByClusters(
    "identities or an issuer in this cluster's groups are used",
    used.map(({ infraId }) => ({ infraId, name: nameOf(infraId, lists) })),
    alongWithGroups,
  );
}

const alongWithGroups = "--delete-foreign would delete them with the groups";

async function vaultsInUse(
  azure: Azure,
  foreign: readonly FoundResource[],
  lists: SubscriptionLists,
  ownSet: string,
): Promise<Failure | undefined> {
  const vaults = ofType(foreign, resourceTypes.keyVault.type);
  const hsms = ofType(foreign, managedHsmType);
  const named = hsms.length === 0 ? [] : await resourcesWithTagName(azure, managedHsmTag);
  const read = await Promise.all(vaults.map(async (vault) => ({ vault, users: await usersOf(vault) })));
  const used = [...read, ...hsms.map((vault) => ({ vault, users: usersOfHsm(vault) }))].filter(({ users }) => users.length > 0);
  if (used.length === 0) return undefined;
  const inWords = used.map(({ vault: { name }, users }) => `${name} by ${users.map(({ title }) => title).join(", ")}`);
  const next = used.flatMap(({ users }) => users.flatMap((user) => user.next));
  return new Failure("ARO-OWN-006", `key vaults in this cluster's groups are used by others: ${inWords.join("; ")}`, {
    because: alongWithGroups,
    ...(next.length > 0 && { next }),
  });

  async function usersOf(vault: FoundResource): Promise<User[]> {
    const onVault = lists.assignments.filter((one) => sameId(one.scope ?? "", vault.id) && isVaultGrant(one));
    const { tags, closed } = await tagsIn(azure, vault);
    const sets = [...onVault.map(({ description }) => setOfPurpose(description)), ...tags.map(setInTags)].flatMap((set) => set ?? []);
    if (sets.length > 0) {
      return [...new Map(sets.map((set) => [setTitle(set), set])).values()].map((set) => {
        const destroy = aroHcp("destroy identities", {
          identitiesName: set.name,
          persistentResourceGroupName: set.groupName,
          keyVaultId: vault.id,
        });
        return { title: setTitle(set), next: [advise`destroy it first: ${destroy}`] };
      });
    }
    const isOther = (one: Tags) => setInTags(one) === undefined && hasOtherOwner(one, { identitySet: ownSet });
    if (tags.some(isOther)) return [{ title: "an owner that the tags of its contents name", next: [] }];
    return closed ? unseenUsers(vault) : [];
  }

  /** The vault of a set names the managed HSM that has its key of etcd. */
  function usersOfHsm({ name }: FoundResource): User[] {
    return named.flatMap(({ tags }) => {
      const set = tagValue(tags, identitySetTag);
      return set !== undefined && sameText(managedHsmIn(tags), name) ? [{ title: `identity set "${set}"`, next: [] }] : [];
    });
  }

  /** Whoever may read a vault with unknown contents, except by a role that names the set of the cluster. */
  async function unseenUsers({ id, name }: FoundResource): Promise<User[]> {
    const inVault = lists.assignments.filter(
      ({ scope = "", description }) => isWithin(scope, id) && setOfPurpose(description)?.name !== ownSet,
    );
    const principalIds = [...inVault.flatMap(({ principalId }) => principalId ?? []), ...(await policyPrincipals(azure, id))];
    const principals = [...new Set(principalIds)].toSorted();
    if (principals.length === 0) return [];
    return [
      {
        title: `${principals.length === 1 ? "principal" : "principals"} ${principals.join(", ")}, with access to it; its contents cannot be read`,
        next: [
          `to see whose they are, get "${vaultReader.name}" on ${name}, or rerun the command from a network that it allows`,
          advise`or let its owner move or delete it${withFlag("--preserve-resource-group", ", or keep the groups: --preserve-resource-group")}`,
        ],
      },
    ];
  }
}

/** The principals that the access policies of a vault without roles name. */
async function policyPrincipals(azure: Azure, id: string): Promise<string[]> {
  const { vaults } = await azure.vaults();
  const { resourceGroup = "", name } = parseResourceId(id);
  const { properties } = (await orRefused(found(vaults.get(resourceGroup, name)))) ?? {};
  return properties?.enableRbacAuthorization === true ? [] : (properties?.accessPolicies ?? []).map(({ objectId }) => objectId);
}

/** `closed`: the caller cannot read the contents. Resource Manager lists keys, and those of certificates, without a role for the contents. */
async function tagsIn(azure: Azure, { id, name }: FoundResource): Promise<{ readonly tags: readonly Tags[]; readonly closed: boolean }> {
  const { keys } = await azure.vaults();
  const [items, listed = []] = await Promise.all([
    orDenied(itemsOf(azure, name)),
    orRefused(found(all(keys.list(parseResourceId(id).resourceGroup ?? "", name)))),
  ]);
  const visible = [...(items?.certificates ?? []), ...(items?.secrets ?? []), ...listed];
  return { tags: visible.map(({ tags }) => tags), closed: items === undefined };
}
