/** The two files of the signing key, named and shaped as OpenShift's ccoctl does, with the private one for its owner alone. */
import { join } from "node:path";
import { directoryFiles } from "../domain/directory-files.js";
import { abandonedDrafts, makePrivate, readTextIfThere, removeFile, requireOrdinary, writeText, writeTextOnce } from "./text-file.js";

export const { privateKey: privateKeyFile, publicKey: publicKeyFile } = directoryFiles;

export interface KeyPairFiles {
  readonly privateFile: string;
  readonly publicFile: string;
  /** The private key in PEM; undefined where there is none yet. */
  readonly privatePem: string | undefined;
  /** Whether others may read the private key, too. */
  readonly exposed: boolean;
  /** What is in the file of the public one, if it is there. */
  readonly publicPem: string | undefined;
  /** Private keys that a killed run left under names of their own: nothing reads them, and nobody knows of them. */
  readonly abandoned: readonly string[];
}

/** Throws ARO-FILE-001 or 002. */
export async function readKeyPair(directory: string, now: Date): Promise<KeyPairFiles> {
  const privateFile = join(directory, privateKeyFile);
  const publicFile = join(directory, publicKeyFile);
  await Promise.all([requireOrdinary(privateFile), requireOrdinary(publicFile)]);
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

/** A private key that is there is never replaced: false where one came to be meanwhile. Throws ARO-RUN-006. */
export function keepPrivateKey(directory: string, privatePem: string): Promise<boolean> {
  return writeTextOnce(join(directory, privateKeyFile), privatePem, 0o600);
}

/** Takes the private key from everybody but its owner. */
export function hidePrivateKey(directory: string): Promise<void> {
  return makePrivate(join(directory, privateKeyFile));
}

export async function removeAbandoned({ abandoned }: KeyPairFiles): Promise<void> {
  await Promise.all(abandoned.map(removeFile));
}

export function writePublicKey(directory: string, publicPem: string): Promise<void> {
  return writeText(join(directory, publicKeyFile), publicPem, 0o644);
}
