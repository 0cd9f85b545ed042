/** The file that the SDK's default credential chain reads because a variable names it: a certificate, or the token of a workload identity. */
import { Failure } from "../../errors/failure.js";
import { readInputFile } from "../../files/input-file.js";

type Environment = Readonly<Record<string, string | undefined>>;

const maxBytes = 1024 * 1024;

/**
 * The SDK reads it with a thread that cannot be stopped: a pipe would block the thread forever, and the end of the process too. A missing file is
 * left to the SDK, which then tries the next credential or names the file.
 * @param tenantId undefined or empty if none is known.
 * @throws ARO-FILE-001 or 002 that names the variable
 */
export async function checkSignInFile(tenantId: string | undefined, environment: Environment): Promise<void> {
  const variable = fileVariable(tenantId, environment);
  const path = variable && environment[variable];
  if (!path) return;
  try {
    await readInputFile(path, maxBytes);
  } catch (error) {
    throw error instanceof Failure ? error.withMessage(`${variable}: ${error.message}`) : error;
  }
}

/**
 * At most one: a credential that is configured ends the chain, whether or not its sign-in succeeds. Source: @azure/identity 4.13.1,
 * defaultAzureCredential.ts, environmentCredential.ts and workloadIdentityCredential.ts.
 */
function fileVariable(tenantId: string | undefined, environment: Environment) {
  const clientId = environment["AZURE_CLIENT_ID"];
  if (!clientId || !tenantId) return undefined;
  // By default, the chain begins with the credentials of "prod".
  const chosen = environment["AZURE_TOKEN_CREDENTIALS"]?.trim().toLowerCase() || "prod";
  // It takes the tenant from its variable only.
  if (["prod", "environmentcredential"].includes(chosen) && environment["AZURE_TENANT_ID"]) {
    if (environment["AZURE_CLIENT_SECRET"]) return undefined;
    if (environment["AZURE_CLIENT_CERTIFICATE_PATH"]) return "AZURE_CLIENT_CERTIFICATE_PATH";
    if (environment["AZURE_USERNAME"] && environment["AZURE_PASSWORD"]) return undefined;
  }
  // A managed identity of Kubernetes is a workload identity.
  const readsToken = ["prod", "workloadidentitycredential", "managedidentitycredential"].includes(chosen);
  return readsToken ? "AZURE_FEDERATED_TOKEN_FILE" : undefined;
}
