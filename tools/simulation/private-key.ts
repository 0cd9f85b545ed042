/** The private key that an output directory has: the signing key of an issuer, or the onboarding key of a connected cluster. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { arcFiles, directoryFiles } from "../../src/domain/directory-files.js";

/** As PEM; undefined if there is none. */
export function privateKeyIn(output: string): string | undefined {
  const file = [directoryFiles.privateKey, arcFiles.privateKey].map((name) => path.join(output, name)).find((each) => existsSync(each));
  return file === undefined ? undefined : readFileSync(file, "utf8");
}
