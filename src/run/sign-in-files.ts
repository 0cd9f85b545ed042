/** The files that the SDK's default credential chain reads because a variable names them. */
import { Failure } from "../errors/failure.js";
import { readInputFile } from "../files/input-file.js";

/** A certificate with its key, and the token of a workload identity. */
const variables = ["AZURE_CLIENT_CERTIFICATE_PATH", "AZURE_FEDERATED_TOKEN_FILE"] as const;

const maxBytes = 1024 * 1024;

/**
 * The SDK reads them with a thread that cannot be stopped: a pipe would block the thread forever, and the end of the process too. A missing file is
 * left to the SDK, which then tries the next credential or names the file.
 * @throws ARO-FILE-001 or 002 that names the variable
 */
export async function checkSignInFiles(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  for (const variable of variables) {
    const path = environment[variable];
    if (!path) continue;
    try {
      await readInputFile(path, maxBytes);
    } catch (error) {
      throw error instanceof Failure ? error.withMessage(`${variable}: ${error.message}`) : error;
    }
  }
}
