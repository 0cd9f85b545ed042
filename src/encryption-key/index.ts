/** What other features use of the key for etcd. */
export { encryptionKeyFile, encryptionKeyOutput, encryptionKeySchema, readEncryptionKey } from "./files/encryption-key-output.js";
export { encryptionKeys } from "./inputs.js";
export { encryptionKeyRemovals, type FoundKey } from "./removal/encryption-key.js";
export { managedHsmOf } from "./removal/hsm-of-set.js";
export { findKeys } from "./removal/lasting-keys.js";
export { encryptionKey, type EncryptionKeyOutput } from "./steps/encryption-key.js";
export { hsmKey, mayUseKey } from "./steps/hsm-key.js";
export { keyCommand } from "./steps/key-command.js";
