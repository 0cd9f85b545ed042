/** Signing keys for tests: short ones, because a long one takes seconds to generate. */
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { unpooledKeyPair } from "../harness/key-pool.js";

export interface TestKey {
  readonly privatePem: string;
  readonly publicPem: string;
  /** As kube-apiserver computes it. */
  readonly kid: string;
}

/** Unlike every other key of the test: a test that takes one for another would pass or fail by chance. */
export function testKey(): TestKey {
  const { privateKey, publicKey } = unpooledKeyPair(2048);
  const der = publicKey.export({ type: "spki", format: "der" });
  return {
    privatePem: privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    publicPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    kid: createHash("sha256").update(der).digest("base64url"),
  };
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
