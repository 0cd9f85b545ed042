/** `destroy identities`: what is provably the set's, role assignments first; and what stays recoverable, until when. */
import { findIdentities, idsToRemove } from "../../removal/identities.js";
import { identityRemovals } from "../../removal/identity-removals.js";
import type { Resolved } from "../../settings/settings.js";
import { identitySetKey } from "../identity-set.js";
import { recoverable } from "../recoverable.js";
import { inSession } from "../session.js";
import { requireConsent, tearDown } from "../tear-down.js";

const command = "destroy identities";

export async function run({ settings, notices }: Resolved<typeof command>, environment: NodeJS.ProcessEnv): Promise<number> {
  const { name, purge } = settings;
  return inSession(settings, notices, environment, async (azure, stage) => {
    requireConsent(name, settings, stage);
    const key = identitySetKey(settings, azure);
    let inventory = await findIdentities(azure, key, { purge });
    return tearDown(azure, stage, settings, {
      command,
      subject: name,
      about: { name },
      removals: identityRemovals(azure, inventory, settings),
      kept: inventory.kept,
      leftovers: async () => idsToRemove((inventory = await findIdentities(azure, key, { purge })), { purge }),
      // What was seen last, which was when nothing was left.
      recoverable: () => Promise.resolve(recoverable(inventory)),
    });
  });
}
