/** Reads the list of credentials files over which a fleet is spread. */
import { dirname, resolve } from "node:path";
import { z } from "zod";
import { Failure, type Problem } from "../../errors/failure.js";
import { readAzureCreds } from "../../files/azure-creds.js";
import { readDocument } from "../../files/read.js";
import { validate } from "../../files/validate.js";

const principalsSchema = z.array(z.string()).min(1, "names no credentials file");

/**
 * Paths of credentials files, each of another service principal, from a list relative to its own directory.
 * @throws ARO-FILE-001, 002 or 003, also about a credentials file
 */
export async function readPrincipals(path: string): Promise<readonly string[]> {
  const document = await readDocument(path);
  const files = validate(document, principalsSchema, "a list of credentials files").map((file) => resolve(dirname(path), file));
  const seen = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [index, file] of files.entries()) {
    const { servicePrincipal } = await readAzureCreds(file);
    const origin = document.at([index]);
    const first = servicePrincipal && seen.get(servicePrincipal.clientId);
    if (servicePrincipal === undefined) problems.push({ origin, message: `${file} has no clientId and clientSecret` });
    else if (first !== undefined) problems.push({ origin, message: `${file} is of the same service principal as ${first}` });
    else seen.set(servicePrincipal.clientId, file);
  }
  if (problems.length > 0) throw new Failure("ARO-FILE-003", `${path} is not valid as a list of credentials files`, { problems });
  return files;
}
