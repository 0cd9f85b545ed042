/** `rotate encryption-key`: creates a new version of the key that encrypts etcd. */
import { noSuchSet } from "../removal/nothing-found.js";
import { signedIn } from "../azure/signed-in.js";
import { table } from "../render/table.js";
import type { Resolved } from "../settings/settings.js";
import { keyRotationGraph, type RotatedKey } from "./steps/encryption-key.js";
import { hsmRotationGraph } from "./steps/hsm-key.js";
import type { ProcessPort } from "../run/process-port.js";
import { applyEncryptionKey } from "./apply-key.js";
import type { RunContext } from "../run/run-context.js";

const command = "rotate encryption-key";

export function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { minAge: minAgeMs, managedHsmName, keepOwnRoles: keepsRole } = resolved.settings;
  return applyEncryptionKey(
    command,
    resolved,
    port,
    async (azure, set) =>
      managedHsmName === undefined
        ? keyRotationGraph(azure, set, await signedIn(azure.connection), { minAgeMs, keepsRole }, noSuchSet)
        : hsmRotationGraph(azure, set, managedHsmName, minAgeMs),
    print,
  );
}

function print({ result, say }: RunContext, { activeKeyId, backupKeyId = "", notRotated }: RotatedKey): void {
  const rows = [
    ["active", activeKeyId],
    ["backup", backupKeyId],
  ];
  result.show(table(result, ["KEY", "ID"], rows));
  say(
    notRotated === undefined
      ? "set both keys in the HostedCluster; keep the backup key enabled until etcd is encrypted with the active one"
      : `the key was not rotated: ${notRotated}`,
  );
}
