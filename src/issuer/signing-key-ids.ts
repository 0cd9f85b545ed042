/** The ID of the signing key in an output directory: a key set that contains it is that of the directory's issuer. */
import { join } from "node:path";
import { privateKeyFile, publicKeyFile } from "./files/key-pair.js";
import { readTextIfThere } from "../files/text-file.js";
import { jwkOf, publicHalf, type Jwk } from "../oidc/signing-key.js";

/** Empty without a key. @throws ARO-KEY-00x for a file that is not a signing key */
export async function signingKeyIds(directory: string): Promise<readonly string[]> {
  const path = join(directory, privateKeyFile);
  const file = await readTextIfThere(path);
  if (file !== undefined) return [jwkOf(publicHalf(file.text, path), path).kid];
  // The private key may be kept elsewhere.
  const key = await publicKeyIn(directory);
  return key === undefined ? [] : [key.kid];
}

/** @throws ARO-KEY-001 for a file that is not a public key */
export async function publicKeyIn(directory: string): Promise<Jwk | undefined> {
  const path = join(directory, publicKeyFile);
  const file = await readTextIfThere(path);
  return file && jwkOf(file.text, path);
}
