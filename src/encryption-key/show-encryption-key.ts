/** `show encryption-key`: the versions of the key that encrypts etcd. */
import type { Azure } from "../azure/azure.js";
import { readKey } from "../azure/key-versions.js";
import { readHsmKey, withLocalRole } from "../azure/hsm-keys.js";
import { requireVaultOfSet } from "../azure/set-vault.js";
import { keysInUse, type KeyVersion, type KeysInUse } from "../domain/encryption-key.js";
import { vaultGroupOf, vaultOption } from "../domain/given-vault.js";
import type { IdentitySetKey } from "../domain/identity-spec.js";
import { hsmPlace, vaultPlace, versionId, type KeyPlace } from "../domain/key-place.js";
import { hsmCryptoUser } from "../domain/roles.js";
import { advise } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { noSuchKey } from "./not-found.js";
import { ownDeletedKey } from "./removal/encryption-key.js";
import { printDocument } from "../render/document.js";
import { table } from "../render/table.js";
import type { Resolved } from "../settings/settings.js";
import { keyCommand } from "./steps/key-command.js";
import { identitySetKey, settingsOfSet } from "../run/identity-set.js";
import type { ProcessPort } from "../run/process-port.js";
import { withConnection } from "../run/with-connection.js";
import { rfc3339 } from "../text/rfc3339.js";

const command = "show encryption-key";

export async function run({ settings: given, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const settings = settingsOfSet(given);
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const set = identitySetKey(settings, azure);
    const { managedHsmName: hsm } = settings;
    const { cloud } = azure.connection;
    const place = hsm === undefined ? vaultPlace(set, cloud) : hsmPlace(set, hsm, cloud);
    const versions = (await readIn(azure, set, place))?.versions ?? [];
    const mayBeDeleted = versions.length === 0 && (hsm !== undefined || (await hasVault(azure, set)));
    const deleted = mayBeDeleted ? await ownDeletedKey(azure, place) : undefined;
    const until = deleted?.until && rfc3339(deleted.until);
    if (versions.length === 0 && deleted === undefined) {
      throw new Failure("ARO-USAGE-001", await noSuchKey(azure, set, hsm), {
        next: [`check --identities-name, --persistent-resource-group-name, ${vaultOption(set)} and --subscription`],
      });
    }
    const inUse = keysInUse(versions);
    const shown = versions.map((version) => ({
      id: versionId(place, version.version),
      state: stateOf(version, inUse),
      createdOn: rfc3339(version.createdOn),
    }));
    if (settings.output === "json") {
      const holder = hsm === undefined ? { keyVault: place.name } : { managedHsm: place.name };
      printDocument(context.result, {
        ok: true,
        command,
        name: set.name,
        ...holder,
        key: place.keyName,
        versions: shown,
        ...(deleted && { softDeleted: { until } }),
      });
    } else if (shown.length > 0) {
      context.result.show(
        table(
          context.result,
          ["ID", "STATE", "CREATED"],
          shown.map(({ id, state, createdOn }) => [id, state, createdOn]),
        ),
      );
    }
    if (deleted !== undefined) {
      const recover = keyCommand("create encryption-key", set, hsm);
      const date = until === undefined ? "" : ` until ${until}`;
      context.say(context.renderAdvice(advise`notice: ${place.title} is soft-deleted${date}; recover it with all versions: ${recover}`));
    }
    return 0;
  });
}

/** The hostname of a vault that does not exist cannot be resolved. */
async function hasVault(azure: Azure, set: IdentitySetKey): Promise<boolean> {
  return (await requireVaultOfSet(azure, set)) !== undefined;
}

function readIn(azure: Azure, set: IdentitySetKey, { kind, name, keyName }: KeyPlace) {
  if (kind === "vault") return readKey(azure, vaultGroupOf(set), name, keyName);
  return withLocalRole(name, hsmCryptoUser, "/keys", async () => readHsmKey(await azure.managedHsm(name), keyName));
}

function stateOf(version: KeyVersion, { active, backup }: KeysInUse): "active" | "backup" | "older" | "disabled" {
  if (!version.enabled) return "disabled";
  if (version === active) return "active";
  return version === backup ? "backup" : "older";
}
