/** The keys that races start with. */
import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { makeOnboardingKey } from "../src/domain/arc/key-pair.js";
import { arcFiles } from "../src/domain/arc/names.js";
import { directoryFiles } from "../src/domain/directory-files.js";
import { publicKeys } from "./race-scenarios.js";

/** Writes a key pair of an output directory, an onboarding key, and the public keys of publications. */
export async function prepareKeys(directory: string): Promise<void> {
  const pair = keyPair();
  await writeFile(path.join(directory, directoryFiles.privateKey), pair.privateKey, { mode: 0o600 });
  await writeFile(path.join(directory, directoryFiles.publicKey), pair.publicKey);
  await writeFile(path.join(directory, arcFiles.privateKey), await makeOnboardingKey(), { mode: 0o600 });
  for (const file of publicKeys) await writeFile(path.join(directory, file), keyPair().publicKey);
}

/** 2048 bits: a race does not wait for the 4096 bits that `create key-pair` makes. */
function keyPair() {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
}
