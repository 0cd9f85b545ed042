/** The two files of the signing key, named and formatted like those of OpenShift's ccoctl. */
import { join } from "node:path";
import { directoryFiles } from "../../domain/directory-files.js";
import { unknownOwner, type OutputFile } from "../../files/output-file.js";
import { abandonedDrafts, makePrivate, readTextIfThere, removeFile } from "../../files/text-file.js";
import { writeText, writeTextOnce } from "../../files/write.js";

export const { privateKey: privateKeyFile, publicKey: publicKeyFile } = directoryFiles;

export interface KeyPairFiles {
  readonly privateFile: string;
  readonly publicFile: string;
  /** The private key in PEM; undefined if the file does not exist. */
  readonly privatePem: string | undefined;
  /** Whether other users can read the private key. */
  readonly exposed: boolean;
  /** The content of the public key file, if it exists. */
  readonly publicPem: string | undefined;
  /** Draft files of the private key that a killed run left; nothing else reads or lists them. */
  readonly abandoned: readonly string[];
}

/** @throws ARO-FILE-001 or 002 */
export async function readKeyPair(directory: string, now: Date): Promise<KeyPairFiles> {
  const privateFile = join(directory, privateKeyFile);
  const publicFile = join(directory, publicKeyFile);
  const [privateKey, publicKey, abandoned] = await Promise.all([
    readTextIfThere(privateFile),
    readTextIfThere(publicFile),
    abandonedDrafts(privateFile, now),
  ]);
  return {
    privateFile,
    publicFile,
    privatePem: privateKey?.text,
    exposed: privateKey !== undefined && (privateKey.mode & 0o077) !== 0,
    publicPem: publicKey?.text,
    abandoned,
  };
}

/**
 * Never replaces an existing private key: false if the file was created in the meantime.
 * @throws ARO-RUN-006
 */
export function keepPrivateKey(directory: string, privatePem: string): Promise<boolean> {
  return writeTextOnce(join(directory, privateKeyFile), privatePem, 0o600);
}

/** Makes the private key readable by its owner only. */
export function hidePrivateKey(directory: string): Promise<void> {
  return makePrivate(join(directory, privateKeyFile));
}

export async function removeAbandoned({ abandoned }: KeyPairFiles): Promise<void> {
  await Promise.all(abandoned.map(removeFile));
}

const onePublicKey = /^-----BEGIN PUBLIC KEY-----\s[A-Za-z0-9+/=\s]+-----END PUBLIC KEY-----\s*$/;

/** The public key in the directory. It follows from the private key beside it, which may have been replaced, so any public key is. */
export function publicKeyOutput(directory: string): OutputFile {
  return { path: join(directory, publicKeyFile), otherOwner: ({ text }) => (onePublicKey.test(text) ? undefined : unknownOwner) };
}

export function writePublicKey(directory: string, publicPem: string): Promise<void> {
  return writeText(publicKeyOutput(directory), publicPem, 0o644);
}
