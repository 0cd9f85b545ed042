/** RSA keys that all runs of a test share: `made-keys.cjs` gives them to the program. */
import { generateKeyPair } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

/** More than the keys of an identity set, so that its keys differ, before and after a rotation. */
const count = 20;

/** Returns the variables of processes that share them. */
export async function shareKeys(directory: string): Promise<NodeJS.ProcessEnv> {
  const options = {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  } as const;
  const pairs = await Promise.all(Array.from({ length: count }, () => promisify(generateKeyPair)("rsa", options)));
  const file = path.join(directory, "keys.pem");
  await writeFile(file, pairs.map(({ privateKey }) => privateKey).join(""), { mode: 0o600 });
  return { NODE_OPTIONS: `--require ./${path.join("tools", "made-keys.cjs")}`, MADE_KEYS: file };
}
