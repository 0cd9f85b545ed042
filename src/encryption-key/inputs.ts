/** The keys for etcd that flags or a directory name. */
import { directoryFiles } from "../domain/directory-files.js";
import { readEncryptionKey } from "./files/encryption-key-output.js";
import { fileIn } from "../run/input-files.js";

export interface EncryptionKeys {
  /** The IDs. */
  readonly active: string | undefined;
  readonly backup: string | undefined;
  /** The file that they are from; undefined if flags specify them. */
  readonly file: string | undefined;
}

/** The keys from flags, or those of the directory. @throws ARO-FILE-00x */
export async function encryptionKeys(settings: NamedKeys): Promise<EncryptionKeys> {
  const { inputDir, encryptionKeyId: active, backupEncryptionKeyId: backup } = settings;
  const file = active === undefined ? await fileIn(inputDir, directoryFiles.encryptionKey) : undefined;
  if (file === undefined) return { active, backup, file };
  const { activeKeyID, backupKeyID } = await readEncryptionKey(file);
  return { active: activeKeyID, backup: backup ?? backupKeyID, file };
}

interface NamedKeys {
  readonly inputDir: string | undefined;
  readonly encryptionKeyId: string | undefined;
  readonly backupEncryptionKeyId?: string | undefined;
}
