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
    return shareTokens(() => revealing(new ClientSecretCredential(tenantId, clientId, clientSecret, options)), transport);
  }
  const { DefaultAzureCredential } = await import("./credentials/default-chain.js");
  // The chain probes for services that most machines do not have; retrying those would only waste time.
  const options = { authorityHost, additionalPolicies: tokenPolicies(transport, { authorityHost, retry: false }) };
  return shareTokens(() => new DefaultAzureCredential(tenantId === undefined ? options : { ...options, tenantId }), transport);
}
