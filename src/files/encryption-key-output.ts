/** The document of `create encryption-key` and `rotate encryption-key`: the versions that a HostedCluster refers to. */
import { z } from "zod";
import { parseEncryptionKeyId } from "../domain/encryption-key.js";
import { readDocument } from "./read.js";
import { validate } from "./validate.js";

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

/** @throws ARO-FILE-00x */
export async function readEncryptionKey(path: string): Promise<EncryptionKeyFile> {
  return validate(await readDocument(path), encryptionKeySchema, "encryption key");
}
