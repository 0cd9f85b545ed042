/** `create encryption-key`: the key that encrypts etcd, and the role of the KMS identity on it. */
import { noSuchSet } from "../removal/nothing-found.js";
import { signedIn } from "../azure/signed-in.js";
import type { Resolved } from "../settings/settings.js";
import { encryptionKeyGraph } from "./steps/encryption-key.js";
import { hsmKeyGraph } from "./steps/hsm-key.js";
import type { ProcessPort } from "../run/process-port.js";
import { applyEncryptionKey } from "./apply-key.js";

const command = "create encryption-key";

export function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { managedHsmName } = resolved.settings;
  return applyEncryptionKey(
    command,
    resolved,
    port,
    async (azure, set) => {
      const caller = await signedIn(azure.connection);
      return managedHsmName === undefined
        ? encryptionKeyGraph(azure, set, caller, noSuchSet)
        : hsmKeyGraph(azure, set, managedHsmName, caller);
    },
    ({ result }, { activeKeyId }) => {
      result.print(activeKeyId);
    },
  );
}
