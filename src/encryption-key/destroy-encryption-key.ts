/** `destroy encryption-key`: deletes the key that encrypts etcd, and the role assignments on it. */
import type { Azure } from "../azure/azure.js";
import { signedIn, type SignedIn } from "../azure/signed-in.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { encryptionKeyRemovals, findEncryptionKey, recoverableKey } from "./removal/encryption-key.js";
import { findHsmKey } from "./removal/hsm-key.js";
import { hsmOfSetRemovals } from "./removal/hsm-of-set.js";
import { noSuchKey } from "./not-found.js";
import { foundIn } from "../removal/owned.js";
import { setOfKeyInUse, setUsers, type ClustersNow } from "../removal/set-in-use.js";
import type { Resolved } from "../settings/settings.js";
import { identitySetKey, settingsOfSet } from "../run/identity-set.js";
import type { ProcessPort } from "../run/process-port.js";
import { destroy } from "../run/destroy.js";

const command = "destroy encryption-key";

export async function run({ settings: given, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const settings = settingsOfSet(given);
  const { name, purge, managedHsmName, keepOwnRoles: keepsRole } = settings;
  const consentTo = `destroying the encryption key of ${name}`;
  const about = { command, subject: name, names: { identitySet: name } };
  return destroy({ ...about, settings: { ...settings, consentTo }, notices, port }, async (azure) => {
    const caller = await signedIn(azure.connection);
    const set = identitySetKey(settings, azure);
    const usedByOthers = async () => setOfKeyInUse(name, await setUsers(azure, set, { anyGroup: managedHsmName !== undefined }));
    const find = () => findKey(azure, set, { hsmName: managedHsmName, caller, purge, keepsRole, usedByOthers });
    const [found, refusal] = await Promise.all([find(), usedByOthers()]);
    return {
      found,
      findAgain: find,
      sharedVault: set.givenVaultId,
      refusal,
      usedByOthers,
      // A deleted key is reported with the date until which Azure keeps it.
      nothingFound: () => (found.recoverable.length > 0 ? undefined : noSuchKey(azure, set, managedHsmName)),
    };
  });
}

interface KeySearch {
  readonly hsmName: string | undefined;
  readonly caller: SignedIn;
  readonly purge: boolean;
  readonly keepsRole: boolean;
  readonly usedByOthers: ClustersNow;
}

/** The key, and after it the tag that names its managed HSM: kept while the HSM has the key, also if that is soft-deleted. */
async function findKey(azure: Azure, set: IdentitySetKey, { hsmName, caller, purge, keepsRole, usedByOthers }: KeySearch) {
  const key = await (hsmName === undefined
    ? findEncryptionKey(azure, set, { caller, keepsRole })
    : findHsmKey(azure, set, hsmName, caller, purge));
  const hasTag = hsmName !== undefined && purge && key?.purgeProtected === false;
  const found = foundIn({
    key: { removals: key ? encryptionKeyRemovals(azure, key, purge, usedByOthers) : [], kept: key?.kept ?? [] },
    tag: { removals: hasTag ? await hsmOfSetRemovals(azure, set, hsmName) : [], after: ["key"] },
  });
  return { ...found, recoverable: key ? recoverableKey(key) : [] };
}
