/** `destroy identities`: deletes the owned resources of a set, role assignments first, and reports what stays soft-deleted until when. */
import { listAssignments } from "../removal/assignments.js";
import { existingClusters } from "../removal/existing-clusters.js";
import { findIdentities, identityIdsToRemove } from "./removal/identities.js";
import { identityRemovals } from "./removal/identity-removals.js";
import type { Resolved } from "../settings/settings.js";
import { earlierIdentities } from "./inputs/earlier-clients.js";
import { identitySetKey, settingsOfSet } from "../run/identity-set.js";
import { noSuchSet } from "../removal/nothing-found.js";
import { recoverable } from "../removal/recoverable.js";
import { clustersUsing, destroyFirst, setInUse } from "../removal/set-in-use.js";
import { clustersUsingNow } from "../removal/set-users.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";
import { applyRemovals } from "../run/destroy.js";
import type { ProcessPort } from "../run/process-port.js";

const command = "destroy identities";

export async function run({ settings: given, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const settings = settingsOfSet(given);
  const { name, purge } = settings;
  return withConnection({ ...settings, command, consentTo: `destroying ${name}`, deletes: true }, notices, port, async (azure, context) => {
    const key = identitySetKey(settings, azure);
    const files = earlierIdentities({ "--identities-file": settings.identitiesFile });
    const assigned = listAssignments(azure, [key.subscriptionId]);
    const [found, clusters] = await Promise.all([
      findIdentities(azure, key, { purge }, { listed: assigned, files }),
      existingClusters(azure, assigned),
    ]);
    const users = clustersUsing(found.uses, clusters);
    let inventory = found;
    return applyRemovals(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { identitySet: key.name }),
      removals: identityRemovals(azure, inventory, settings, clustersUsingNow(azure, key, found)),
      kept: inventory.kept,
      sharedVault: key.givenVaultId,
      refusal: setInUse(name, users, destroyFirst(clusters.filter(({ infraId }) => users.includes(infraId)))),
      nothingFound: () => (identityIdsToRemove(inventory, settings).length === 0 ? noSuchSet(azure, key) : undefined),
      leftovers: async () =>
        identityIdsToRemove((inventory = await findIdentities(azure, key, { purge }, { files, before: found })), { purge }),
      // The last read, when nothing was left.
      recoverable: () => Promise.resolve(recoverable(inventory)),
    });
  });
}
