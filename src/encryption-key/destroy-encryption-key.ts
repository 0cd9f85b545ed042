/** `destroy encryption-key`: deletes the key that encrypts etcd, and the role assignments on it. */
import type { Azure } from "../azure/azure.js";
import { signedIn, type SignedIn } from "../azure/signed-in.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import type { Removal } from "../engine/step.js";
import { encryptionKeyRemovals, findEncryptionKey, keyIdsToRemove, recoverableKey, type FoundKey } from "./removal/encryption-key.js";
import { findHsmKey } from "./removal/hsm-key.js";
import { hsmOfSetRemoval } from "./removal/hsm-of-set.js";
import { noSuchKey } from "./not-found.js";
import { setOfKeyInUse, type ClustersNow } from "../removal/set-in-use.js";
import { setUsers } from "../removal/set-users.js";
import type { Resolved } from "../settings/settings.js";
import { identitySetKey, settingsOfSet } from "../run/identity-set.js";
import type { ProcessPort } from "../run/process-port.js";
import { applyRemovals } from "../run/destroy.js";
import { targetOf } from "../run/target.js";
import { withConnection } from "../run/with-connection.js";

const command = "destroy encryption-key";

/** The key, and after it the tag that names its managed HSM: kept while the HSM has the key, also if that is soft-deleted. */
interface Found {
  readonly key: FoundKey | undefined;
  readonly tag: ((after: readonly string[]) => Removal) | undefined;
}

export async function run({ settings: given, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const settings = settingsOfSet(given);
  const { name, purge, managedHsmName, keepOwnRoles: keepsRole } = settings;
  const consentTo = `destroying the encryption key of ${name}`;
  return withConnection({ ...settings, command, consentTo, deletes: true }, notices, port, async (azure, context) => {
    const caller = await signedIn(azure.connection);
    const set = identitySetKey(settings, azure);
    const read = () => find(azure, set, managedHsmName, { caller, purge, keepsRole });
    const usedByOthers = async () => setOfKeyInUse(name, await setUsers(azure, set, { anyGroup: managedHsmName !== undefined }));
    const [first, used] = await Promise.all([read(), usedByOthers()]);
    let found = first;
    return applyRemovals(azure, context, settings, {
      command,
      subject: name,
      about: { name },
      target: targetOf(azure, { identitySet: name }),
      removals: removalsOf(azure, found, purge, usedByOthers),
      kept: found.key?.kept ?? [],
      sharedVault: set.givenVaultId,
      refusal: used,
      usedByOthers,
      // A deleted key is reported with the date until which Azure keeps it.
      nothingFound: () =>
        idsOf(found, purge).length > 0 || found.key?.deleted !== undefined ? undefined : noSuchKey(azure, set, managedHsmName),
      leftovers: async () => idsOf((found = await read()), purge),
      // The last read, when nothing was left.
      recoverable: () => Promise.resolve(found.key === undefined ? [] : recoverableKey(found.key)),
    });
  });
}

async function find(
  azure: Azure,
  set: IdentitySetKey,
  hsmName: string | undefined,
  { caller, purge, keepsRole }: { readonly caller: SignedIn; readonly purge: boolean; readonly keepsRole: boolean },
): Promise<Found> {
  if (hsmName === undefined) return { key: await findEncryptionKey(azure, set, { caller, keepsRole }), tag: undefined };
  const key = await findHsmKey(azure, set, hsmName, caller, purge);
  return { key, tag: purge && !key.purgeProtected ? await hsmOfSetRemoval(azure, set, hsmName) : undefined };
}

function removalsOf(azure: Azure, { key, tag }: Found, purge: boolean, clustersNow: ClustersNow): Removal[] {
  const ofKey = key === undefined ? [] : encryptionKeyRemovals(azure, key, purge, clustersNow);
  return [...ofKey, ...(tag ? [tag(ofKey.map(({ id }) => id))] : [])];
}

function idsOf({ key, tag }: Found, purge: boolean): string[] {
  return [...(key === undefined ? [] : keyIdsToRemove(key, purge)), ...(tag ? [tag([]).id] : [])];
}
