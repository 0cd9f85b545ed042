/** Signing keys for tests: short ones, because a long one takes seconds to generate. */
import { createHash, createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

export interface TestKey {
  readonly privatePem: string;
  readonly publicPem: string;
  /** As kube-apiserver computes it. */
  readonly kid: string;
}

export function testKey(): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const der = createPublicKey(publicKey).export({ type: "spki", format: "der" });
  return { privatePem: privateKey, publicPem: publicKey, kid: createHash("sha256").update(der).digest("base64url") };
}

/** Writes the public key to a file and returns its path. */
export async function publicFile(directory: string, { publicPem, kid }: TestKey): Promise<string> {
  await mkdir(directory, { recursive: true });
  const path = join(directory, `${kid}.public`);
  await writeFile(path, publicPem);
  return path;
}

/** Writes the private key to the file that `create key-pair` and `create all` read. */
export async function placePrivateKey(directory: string, { privatePem }: TestKey): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "serviceaccount-signer.private"), privatePem, { mode: 0o600 });
}
