/** `destroy encryption-key`: deletes the key that encrypts etcd, and the role assignments on it. */
import { signedIn } from "../../azure/signed-in.js";
import { blocksReader } from "../../removal/blocked.js";
import {
  encryptionKeyRemovals,
  findEncryptionKey,
  keyIdsToRemove,
  recoverableKey,
  type KeyInventory,
} from "../../removal/encryption-key.js";
import { noSuchSet } from "../../removal/nothing-found.js";
import type { Resolved } from "../../settings/settings.js";
import { identitySetKey } from "../inputs/identity-set.js";
import type { ProcessPort } from "../process-port.js";
import { applyRemovals } from "../run/destroy.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";

const command = "destroy encryption-key";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { name, purge } = settings;
  const consentTo = `destroying the encryption key of ${name}`;
  return withConnection({ ...settings, command, consentTo, deletes: true }, notices, port, async (azure, context) => {
    const caller = await signedIn(azure.connection);
    const set = identitySetKey(settings, azure);
    const read = () => findEncryptionKey(azure, set, caller);
    let inventory: KeyInventory | undefined = await read();
    const idsOf = (found: KeyInventory | undefined) => (found === undefined ? [] : keyIdsToRemove(found, purge));
    return applyRemovals(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { identitySet: name }),
      removals: inventory === undefined ? [] : encryptionKeyRemovals(azure, inventory, caller, purge),
      kept: inventory?.kept ?? [],
      blocksOf: blocksReader(azure),
      softDeleted: "a deleted key for 90 days, with its name; --purge deletes it permanently",
      nothingFound: () => (idsOf(inventory).length === 0 ? noSuchSet(azure, set) : undefined),
      leftovers: async () => idsOf((inventory = await read())),
      // The last read, when nothing was left.
      recoverable: () => Promise.resolve(inventory === undefined ? [] : recoverableKey(inventory)),
    });
  });
}
