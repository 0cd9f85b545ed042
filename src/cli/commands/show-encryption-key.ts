/** `show encryption-key`: the versions of the key that encrypts etcd. */
import { readKey } from "../../azure/key-versions.js";
import { rfc3339 } from "../../domain/credential-secret.js";
import { keysInUse, type KeyVersion, type KeysInUse } from "../../domain/encryption-key.js";
import { encryptionKeyName } from "../../domain/identity-names.js";
import { printDocument } from "../../render/document.js";
import { table } from "../../render/table.js";
import type { Resolved } from "../../settings/settings.js";
import { versionId } from "../../steps/encryption-key.js";
import { identitySetKey } from "../inputs/identity-set.js";
import type { ProcessPort } from "../process-port.js";
import { withConnection } from "../run/with-connection.js";

const command = "show encryption-key";

export async function run({ settings, notices }: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return withConnection({ ...settings, command }, notices, port, async (azure, context) => {
    const set = identitySetKey(settings, azure);
    const name = encryptionKeyName(set);
    const { versions = [] } = (await readKey(azure, set.groupName, set.vaultName, name)) ?? {};
    const inUse = keysInUse(versions);
    const shown = versions.map((version) => ({
      id: versionId(azure, set, version.version),
      state: stateOf(version, inUse),
      createdOn: rfc3339(version.createdOn),
    }));
    if (settings.output === "json") {
      printDocument(context.result, { ok: true, command, name: set.name, keyVault: set.vaultName, key: name, versions: shown });
    } else {
      context.result.print(
        table(
          context.result,
          ["VERSION", "STATE", "CREATED"],
          shown.map(({ id, state, createdOn }) => [id, state, createdOn]),
        ),
      );
    }
    if (shown.length > 0) return 0;
    context.say(`notice: vault ${set.vaultName} has no key ${name}`);
    return 0;
  });
}

function stateOf(version: KeyVersion, { active, backup }: KeysInUse): "active" | "backup" | "older" | "disabled" {
  if (!version.enabled) return "disabled";
  if (version === active) return "active";
  return version === backup ? "backup" : "older";
}
