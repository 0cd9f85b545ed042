/** One signed-in identity shared by all clients: a token is fetched once per scope, however many clients ask. */
import type { AccessToken, GetTokenOptions, TokenCredential } from "@azure/core-auth";
import type { PipelinePolicy } from "@azure/core-rest-pipeline";
import type { CloudProfile } from "./cloud.js";

/** Entra tokens live about an hour; a token is renewed this long before its end, so that none ends in the middle of a request. */
const renewBeforeMs = 5 * 60_000;

/** Who to sign in as; without a client secret, whoever the SDK's own chain finds, in this tenant. */
export interface ServicePrincipal {
  readonly tenantId: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

export interface SharedCredential extends TokenCredential {
  /** Drops every token, because Azure refused one (401 ExpiredAuthenticationToken, InvalidAuthenticationToken). */
  forget(): void;
}

/**
 * Shares the tokens of `source` between clients. The SDK's clients cache one each, and AzureCliCredential caches none, so that N clients
 * would start N `az` processes.
 */
export function shareTokens(source: TokenCredential, now: () => number = Date.now): SharedCredential {
  const tokens = new Map<string, Promise<AccessToken | null>>();
  return {
    async getToken(scopes, options?: GetTokenOptions) {
      // A claims challenge asks for a token that no cache can hold.
      if (options?.claims !== undefined) return source.getToken(scopes, options);
      const key = JSON.stringify([scopes, options?.tenantId]);
      const known = await tokens.get(key)?.catch(() => null);
      if (known && known.expiresOnTimestamp - renewBeforeMs > now()) return known;
      // Not passing the caller's options on: its abort signal must not end a fetch that others wait for.
      const fetched = source.getToken(scopes, options?.tenantId === undefined ? {} : { tenantId: options.tenantId });
      tokens.set(key, fetched);
      return fetched;
    },
    forget: () => {
      tokens.clear();
    },
  };
}

/**
 * The identity to act as: the service principal of a credentials file, or the SDK's own chain (workload identity, environment, managed
 * identity, az). `transport` are policies that every request for a token passes through.
 */
export async function signIn(
  principal: ServicePrincipal | undefined,
  cloud: CloudProfile,
  transport: readonly PipelinePolicy[],
): Promise<SharedCredential> {
  const identity = await import("@azure/identity");
  const options = {
    authorityHost: cloud.authorityHost,
    additionalPolicies: transport.map((policy) => ({ policy, position: "perRetry" as const })),
  };
  if (principal?.clientId !== undefined && principal.clientSecret !== undefined) {
    return shareTokens(
      new identity.ClientSecretCredential(principal.tenantId, principal.clientId, principal.clientSecret, {
        ...options,
        disableInstanceDiscovery: true,
      }),
    );
  }
  return shareTokens(new identity.DefaultAzureCredential(principal === undefined ? options : { ...options, tenantId: principal.tenantId }));
}
