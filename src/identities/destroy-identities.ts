/** `destroy identities`: deletes the owned resources of a set, and reports what stays soft-deleted until when. */
import { listAssignments } from "../removal/assignments.js";
import { existingClusters } from "../removal/existing-clusters.js";
import { findIdentities, type IdentityInventory } from "./removal/identities.js";
import { identitiesFound } from "./removal/identity-removals.js";
import type { Resolved } from "../settings/settings.js";
import { earlierIdentities } from "./inputs/earlier-clients.js";
import { identitySetKey, settingsOfSet } from "../run/identity-set.js";
import { noSuchSet } from "../removal/nothing-found.js";
import { clustersUsing, clustersUsingNow, usedByClusters } from "../removal/set-in-use.js";
import { destroy } from "../run/destroy.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "destroy identities";

export async function run({ settings: given, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const settings = settingsOfSet(given);
  const { name, purge } = settings;
  return destroy({ settings, notices, port, command, subject: name, names: { identitySet: name } }, async (azure) => {
    const key = identitySetKey(settings, azure);
    const files = earlierIdentities({ "--identities-file": settings.identitiesFile });
    const assigned = listAssignments(azure, [key.subscriptionId]);
    const [inventory, clusters] = await Promise.all([
      findIdentities(azure, key, { purge }, { listed: assigned, files }),
      existingClusters(azure, assigned),
    ]);
    const because = "these clusters have role assignments of its identities, which the removal would delete";
    const foundIn = (some: IdentityInventory) => identitiesFound(azure, some, settings, clustersUsingNow(azure, key, inventory));
    return {
      found: foundIn(inventory),
      findAgain: async () => foundIn(await findIdentities(azure, key, { purge }, { files, before: inventory })),
      sharedVault: key.givenVaultId,
      refusal: usedByClusters(`the identity set "${name}" is used`, clustersUsing(inventory.uses, clusters), because),
      nothingFound: () => noSuchSet(azure, key),
    };
  });
}
