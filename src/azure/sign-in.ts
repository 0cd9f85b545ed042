/** Signs in with the SDK's credentials; `tokenPolicies` apply to their token requests. */
import type { CloudProfile } from "./cloud.js";
import { preserveCause } from "./preserve-cause.js";
import { shareTokens, type SharedCredential } from "./shared-credential.js";
import type { Transport } from "./transport.js";

/** The service principal to sign in as; without a client secret, the SDK's default chain in this tenant. */
export interface ServicePrincipal {
  readonly tenantId: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/**
 * The credential of the program: the service principal of a credentials file, or the SDK's default chain (workload identity, environment, managed
 * identity, az).
 */
export async function signIn(
  principal: ServicePrincipal | undefined,
  cloud: CloudProfile,
  transport: Transport,
): Promise<SharedCredential> {
  const { tokenPolicies } = await import("./pipeline.js");
  const { authorityHost } = cloud;
  const { tenantId, clientId, clientSecret } = principal ?? {};
  if (tenantId !== undefined && clientId !== undefined && clientSecret !== undefined) {
    const { ClientSecretCredential } = await import("./credentials/client-secret.js");
    const { policy, revealing } = preserveCause();
    const options = {
      authorityHost,
      disableInstanceDiscovery: true,
      // The pipeline's retry policy applies instead.
      retryOptions: { maxRetries: 0 },
      additionalPolicies: [{ policy, position: "perCall" as const }, ...tokenPolicies(transport, { authorityHost, retry: true })],
    };
    return refusedOnce(shareTokens(() => revealing(new ClientSecretCredential(tenantId, clientId, clientSecret, options)), transport));
  }
  const { policy, revealing } = preserveCause(cloud.authorityHost);
  const { DefaultAzureCredential } = await import("./credentials/default-chain.js");
  // The chain probes for services that most machines do not have; retrying those would only waste time.
  const options = {
    authorityHost,
    additionalPolicies: [{ policy, position: "perCall" as const }, ...tokenPolicies(transport, { authorityHost, retry: false })],
    ...(tenantId !== undefined && { tenantId }),
  };
  return refusedOnce(shareTokens(() => revealing(new DefaultAzureCredential(options)), transport));
}

/** The account that az is signed in with, and no other. */
export async function signInByAz(tenantId: string, transport: Transport): Promise<SharedCredential> {
  const { AzureCliCredential } = await import("./credentials/azure-cli.js");
  return refusedOnce(shareTokens(() => new AzureCliCredential({ tenantId }), transport));
}

/** A run whose first sign-in fails tries none again: every request would fail for the same reason. */
function refusedOnce(credential: SharedCredential): SharedCredential {
  let first: { readonly error: unknown } | "succeeded" | undefined;
  return {
    ...credential,
    async getToken(scopes, options) {
      if (first === "succeeded") return credential.getToken(scopes, options);
      if (first !== undefined) throw first.error;
      try {
        const token = await credential.getToken(scopes, options);
        first = "succeeded";
        return token;
      } catch (error) {
        // One that only its caller gave up says nothing about the next.
        if (!options?.abortSignal?.aborted) first ??= { error };
        throw error;
      }
    },
  };
}
