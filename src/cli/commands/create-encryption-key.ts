/** `create encryption-key`: the key that encrypts etcd in the vault of a set, and the role of the KMS identity on it. */
import type { Resolved } from "../../settings/settings.js";
import { encryptionKeyGraph } from "../../steps/encryption-key.js";
import type { ProcessPort } from "../process-port.js";
import { applyEncryptionKey } from "../run/apply-encryption-key.js";

const command = "create encryption-key";

export function run(resolved: Resolved<typeof command>, port: ProcessPort): Promise<number> {
  return applyEncryptionKey(command, resolved, port, encryptionKeyGraph, ({ result }, { activeKeyId }) => {
    result.print(activeKeyId);
  });
}
