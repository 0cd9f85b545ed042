/** The document of `create encryption-key` and `rotate encryption-key`: the versions that a HostedCluster refers to. */
import { z } from "zod";
import { parseEncryptionKeyId } from "../../domain/encryption-key.js";
import { sameText } from "../../text/same-text.js";
import { documentOwner, type OutputFile } from "../../files/output-file.js";
import { readDocument } from "../../files/read.js";
import { validate } from "../../files/validate.js";

const keyId = z
  .string()
  .refine(
    (text) => parseEncryptionKeyId(text) !== undefined,
    "expected the ID of a key with its version: https://<vault>.vault.azure.net/keys/<key>/<version>",
  );

export const encryptionKeySchema = z.looseObject({
  /** Encrypts new data. */
  activeKeyID: keyId,
  /** Decrypts data that is not encrypted with the active key yet. */
  backupKeyID: keyId.optional(),
});

export type EncryptionKeyFile = z.output<typeof encryptionKeySchema>;

export function encryptionKeyOutput({
  activeKeyId,
  backupKeyId,
}: {
  readonly activeKeyId: string;
  readonly backupKeyId: string | undefined;
}) {
  return { activeKeyID: activeKeyId, ...(backupKeyId !== undefined && { backupKeyID: backupKeyId }) };
}

/** The file at the path; one of another key, or of another program, is not replaced. `vaults`: the vault of the set, and its managed HSM. */
export function encryptionKeyFile(
  path: string,
  { keyName, vaults }: { readonly keyName: string; readonly vaults: readonly (string | undefined)[] },
): OutputFile {
  return {
    path,
    otherOwner: documentOwner(z.strictObject(encryptionKeySchema.shape), ({ activeKeyID }) => {
      const key = parseEncryptionKeyId(activeKeyID);
      if (sameText(key?.keyName, keyName) && vaults.some((vault) => sameText(vault, key?.keyVaultName))) return undefined;
      return `the file of key ${key?.keyName} in vault ${key?.keyVaultName}`;
    }),
  };
}

/** @throws ARO-FILE-00x */
export async function readEncryptionKey(path: string): Promise<EncryptionKeyFile> {
  return validate(await readDocument(path), encryptionKeySchema, "encryption key");
}
