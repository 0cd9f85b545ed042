/** The ID of the signing key in an output directory: a key set that contains it is that of the directory's issuer. */
import { join } from "node:path";
import { privateKeyFile } from "./files/key-pair.js";
import { readTextIfThere } from "../files/text-file.js";
import { jwkOf, publicHalf } from "../oidc/signing-key.js";

/** Empty without a key. @throws ARO-KEY-00x for a file that is not a signing key */
export async function signingKeyIds(directory: string): Promise<readonly string[]> {
  const path = join(directory, privateKeyFile);
  const file = await readTextIfThere(path);
  return file === undefined ? [] : [jwkOf(publicHalf(file.text, path), path).kid];
}
