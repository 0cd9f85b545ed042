/** `create encryption-key`: the key that encrypts etcd in the vault of a set or in a managed HSM, and the role of the KMS identity on it. */
import type { Resolved } from "../../settings/settings.js";
import { encryptionKeyGraph } from "../../steps/encryption-key.js";
import { hsmKeyGraph } from "../../steps/hsm-key.js";
import type { ProcessPort } from "../process-port.js";
import { applyEncryptionKey } from "../run/apply-encryption-key.js";

const command = "create encryption-key";

export function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  const { managedHsmName } = resolved.settings;
  return applyEncryptionKey(
    command,
    resolved,
    port,
    (azure, set) => (managedHsmName === undefined ? encryptionKeyGraph(azure, set) : hsmKeyGraph(azure, set, managedHsmName)),
    ({ result }, { activeKeyId }) => {
      result.print(activeKeyId);
    },
  );
}
