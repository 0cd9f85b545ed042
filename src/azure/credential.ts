/** One signed-in identity shared by all clients: a token is fetched once per scope, however many clients ask. */
import type { AccessToken, GetTokenOptions, TokenCredential } from "@azure/core-auth";
import type { CloudProfile } from "./cloud.js";
import type { Wire } from "./wire.js";

/** Entra tokens live about an hour; a token is renewed this long before its end, so that none ends in the middle of a request. */
const renewBeforeMs = 5 * 60_000;

/** Who to sign in as; without a client secret, whoever the SDK's own chain finds, in this tenant. */
export interface ServicePrincipal {
  readonly tenantId: string;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
}

export interface SharedCredential extends TokenCredential {
  /** Azure refused this token (401 ExpiredAuthenticationToken, InvalidAuthenticationToken): it is not handed out again. */
  forget(token: string): void;
}

/**
 * Shares tokens between clients. The SDK's clients cache one each, and AzureCliCredential caches none, so that N clients would start N `az`
 * processes. `open` makes the source of tokens, and a new one when a token was refused: a source has a cache of its own, and would hand out the
 * same token again.
 */
export function shareTokens(open: () => TokenCredential, now: () => number = Date.now): SharedCredential {
  let source = open();
  const tokens = new Map<string, AccessToken>();
  const fetches = new Map<string, Promise<AccessToken | null>>();

  const fetch = async (key: string, scopes: string | string[], options: GetTokenOptions): Promise<AccessToken | null> => {
    try {
      const token = await source.getToken(scopes, options);
      if (token) tokens.set(key, token);
      return token;
    } finally {
      fetches.delete(key);
    }
  };

  return {
    async getToken(scopes, { claims, enableCae, tenantId } = {}) {
      // Not passing the caller's other options on: its abort signal must not end a fetch that others wait for.
      const options = {
        ...(tenantId !== undefined && { tenantId }),
        ...(claims !== undefined && { claims, enableCae: enableCae ?? true }),
      };
      const key = JSON.stringify([[scopes].flat(), tenantId]);
      // A claims challenge asks for another token than any that is known.
      if (claims !== undefined) return fetch(key, scopes, options);
      const known = tokens.get(key);
      if (known && known.expiresOnTimestamp - renewBeforeMs > now()) return known;
      const fetching = fetches.get(key) ?? fetch(key, scopes, options);
      fetches.set(key, fetching);
      try {
        return await fetching;
      } catch (error) {
        // Renewed early, so that Entra may be away for a while.
        if (known && known.expiresOnTimestamp > now()) return known;
        throw error;
      }
    },
    forget(token) {
      for (const [key, known] of tokens) {
        if (known.token !== token) continue;
        tokens.delete(key);
        source = open();
      }
    },
  };
}

/**
 * The identity to act as: the service principal of a credentials file, or the SDK's own chain (workload identity, environment, managed
 * identity, az).
 */
export async function signIn(principal: ServicePrincipal | undefined, cloud: CloudProfile, wire: Wire): Promise<SharedCredential> {
  const [identity, { tokenPolicies }] = await Promise.all([import("@azure/identity"), import("./pipeline.js")]);
  const { tenantId, clientId, clientSecret } = principal ?? {};
  if (tenantId !== undefined && clientId !== undefined && clientSecret !== undefined) {
    const options = {
      authorityHost: cloud.authorityHost,
      disableInstanceDiscovery: true,
      // Ours retries instead.
      retryOptions: { maxRetries: 0 },
      additionalPolicies: tokenPolicies(wire, { retry: true }),
    };
    return shareTokens(() => new identity.ClientSecretCredential(tenantId, clientId, clientSecret, options));
  }
  // The chain probes for services that most machines do not have: to retry those would be to wait for nothing.
  const options = { authorityHost: cloud.authorityHost, additionalPolicies: tokenPolicies(wire, { retry: false }) };
  return shareTokens(() => new identity.DefaultAzureCredential(tenantId === undefined ? options : { ...options, tenantId }));
}
