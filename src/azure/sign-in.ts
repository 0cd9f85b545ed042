/** Signs in with the SDK's own credentials: whose identity, and what its requests for tokens pass through. */
import type { CloudProfile } from "./cloud.js";
import { preserveCause } from "./preserve-cause.js";
import { shareTokens, type SharedCredential } from "./shared-credential.js";
import type { Transport } from "./transport.js";

/** Who to sign in as; without a client secret, whoever the SDK's own chain finds, in this tenant. */
export interface ServicePrincipal {
  readonly tenantId: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

/**
 * The identity to act as: the service principal of a credentials file, or the SDK's own chain (workload identity, environment, managed
 * identity, az).
 */
export async function signIn(
  principal: ServicePrincipal | undefined,
  cloud: CloudProfile,
  transport: Transport,
): Promise<SharedCredential> {
  const { tokenPolicies } = await import("./pipeline.js");
  const { tenantId, clientId, clientSecret } = principal ?? {};
  if (tenantId !== undefined && clientId !== undefined && clientSecret !== undefined) {
    const { ClientSecretCredential } = await import("./credentials/client-secret.js");
    const { policy, revealing } = preserveCause();
    const options = {
      authorityHost: cloud.authorityHost,
      disableInstanceDiscovery: true,
      // Ours retries instead.
      retryOptions: { maxRetries: 0 },
      additionalPolicies: [{ policy, position: "perCall" as const }, ...tokenPolicies(transport, { retry: true })],
    };
    return shareTokens(() => revealing(new ClientSecretCredential(tenantId, clientId, clientSecret, options)));
  }
  const { DefaultAzureCredential } = await import("./credentials/default-chain.js");
  // The chain probes for services that most machines do not have: to retry those would be to wait for nothing.
  const options = { authorityHost: cloud.authorityHost, additionalPolicies: tokenPolicies(transport, { retry: false }) };
  return shareTokens(() => new DefaultAzureCredential(tenantId === undefined ? options : { ...options, tenantId }));
}
