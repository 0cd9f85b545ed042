/** `destroy all`: deletes the owned resources of infrastructure, identities and issuer in one run. */
import { issuerPlace, signingKeyIds } from "../issuer/index.js";
import { foreignInUse, noSuchCluster, existingSubscriptions, recall } from "../infra/index.js";
import { earlierIdentities } from "../identities/index.js";
import { dirname } from "node:path";
import { destroyAllFound, destroyAllRefusal, givenVaultRefusal, takeAllInventories, type DestroyAllPlace } from "./removal.js";
import { advise, aroHcp, blank, type Advice, type OwnCommand } from "../errors/advice.js";
import { leftOf } from "../removal/owned.js";
import { idsToRemove } from "../removal/selection.js";
import { networkInUse } from "../removal/network-users.js";
import { noSuchSet } from "../removal/nothing-found.js";
import { groupsOfClustersSet, setElsewhere, setOfCluster } from "./set-elsewhere.js";
import { readSubscriptionLists } from "../removal/subscription-lists.js";
import { decideUnclaimed } from "../removal/unclaimed.js";
import type { Resolved } from "../settings/settings.js";
import { identitySetKey, inPersistentGroup, ofIdentitySet } from "../run/identity-set.js";
import { undefinedIfUnusable } from "../files/read.js";
import { destroy } from "../run/destroy.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "destroy all";

export async function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { settings, notices } = resolved;
  const { name, infraId, purge, deleteForeign } = settings;
  const about = { command, subject: infraId, about: { infraId, name }, names: { cluster: name, infraId } };
  return destroy({ ...about, settings, notices, port }, async (azure, context) => {
    const cluster = { name, infraId };
    const options = { preserveGroups: false, deleteForeign, purge };
    const lists = readSubscriptionLists(azure);
    const [{ record }, identitiesName] = await Promise.all([
      recall(azure, resolved, cluster, undefined, context.say),
      settings.identitiesName ?? lists.then(({ assignments }) => setOfCluster(azure, infraId, assignments)),
    ]);
    const set = ofIdentitySet({ ...settings, identitiesName });
    const place: DestroyAllPlace = {
      search: { cluster, existingGroup: record?.resourceGroupName, otherSubscriptions: existingSubscriptions(record) },
      key: identitySetKey(inPersistentGroup(set), azure),
      issuer: issuerPlace(set),
      files: earlierIdentities({ "--identities-file": settings.identitiesFile }),
    };
    const inventory = await takeAllInventories(azure, place, options, { lists });
    const keepsSet = inventory.users.length > 0;
    const found = await destroyAllFound(azure, place, inventory, options);
    let before = inventory;
    const { identitiesFile } = settings;
    const ownKids = identitiesFile === undefined ? [] : ((await undefinedIfUnusable(signingKeyIds(dirname(identitiesFile)))) ?? []);
    const { infra, issuer, issuerUsers, kids } = inventory;
    const isInfraLeft = idsToRemove(infra, options).length > 0;
    const isMoreLeft = isInfraLeft || issuer.accounts.length > 0 || issuer.groups.length > 0;
    const notice = noSuchCluster(azure, cluster, infra);
    const [elsewhere, unclaimed] = await Promise.all([
      groupsOfClustersSet(azure, place.key, inventory),
      decideUnclaimed(azure, place.search, infra, options),
    ]);
    return {
      // Azure may have shown which set is the cluster's.
      names: { cluster: name, infraId, identitySet: place.key.name },
      found,
      findAgain: async () => {
        before = await takeAllInventories(azure, place, options, { before });
        return destroyAllFound(azure, place, before, { ...options, keepsSet });
      },
      cascaded: found.cascaded,
      sharedVault: place.key.givenVaultId,
      refusal:
        networkInUse(infra) ??
        givenVaultRefusal(place, inventory) ??
        (await foreignInUse(azure, infra, await lists, { ...options, ownSet: place.key.name })) ??
        (isMoreLeft ? setElsewhere(place.key, cluster, { groups: elsewhere, issuerUsers }) : undefined) ??
        unclaimed.refusal ??
        destroyAllRefusal(inventory, options),
      again: commandFor(resolved, place.key.name),
      afterwards: unclaimed.afterwards,
      // Where nothing is deleted, the cluster may never have been.
      next:
        leftOf(found).length === 0
          ? []
          : [
              "the output directory of create all still contains the private signing key; keep it for another create, or delete it",
              ...(keepsSet || issuerUsers.length > 0 ? retireKey(resolved, place.key.name, kids, ownKids) : []),
            ],
      // The set has the name of the cluster by default, so it may exist where the infra ID is mistyped.
      notice: isInfraLeft ? undefined : `of this cluster, only the identity set "${place.key.name}" or its issuer is left: ${notice}`,
      nothingFound: () => (elsewhere.length === 0 ? notice : noSuchSet(azure, place.key)),
      // The last read.
      usedByOthers: networkInUse,
    };
  });
}

/** The kept set trusts tokens of each published key, also that of this cluster. The last key cannot be retired. */
function retireKey({ settings }: Resolved<typeof command>, name: string, published: readonly string[], own: readonly string[]): Advice[] {
  if (published.length < 2) return [];
  const { oidcResourceGroupName, storageAccountName, blobContainerName } = settings;
  const place = { identitiesName: name, oidcResourceGroupName, storageAccountName, blobContainerName };
  const known = own.filter((kid) => published.includes(kid));
  const still = "the kept issuer still publishes the public key of this cluster";
  // With its files, the key is certainly that of this cluster: whoever has consented to the destroy consents to this too.
  if (known.length > 0) {
    const retire = aroHcp("create oidc-issuer", { ...place, retireKey: known, ...(settings.yes && { yes: true }) });
    return [advise`${still}; remove it with ${retire}`];
  }
  const which = aroHcp("create key-pair", { outputDir: blank("directory") });
  const retire = aroHcp("create oidc-issuer", { ...place, retireKey: blank("key ID") });
  return [
    advise`${still}, ${published.join(" or ")}: ${which} prints the ID of the key in the output directory of create all; remove that key with ${retire}`,
  ];
}

/** The same command, with the name of the set: after this run, no role assignment shows it. */
function commandFor(resolved: Resolved<typeof command>, identitiesName: string): OwnCommand {
  const { name, infraId, purge, deleteForeign, oidcResourceGroupName, storageAccountName, blobContainerName } = resolved.settings;
  const { persistentResourceGroupName, keyVaultName, keyVaultId, identitiesFile } = resolved.settings;
  return aroHcp(command, {
    name,
    infraId,
    identitiesName,
    persistentResourceGroupName,
    keyVaultName,
    keyVaultId,
    identitiesFile,
    oidcResourceGroupName,
    storageAccountName,
    blobContainerName,
    purge,
    deleteForeign,
  });
}
