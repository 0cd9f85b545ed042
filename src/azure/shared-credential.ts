/** One signed-in identity shared by all clients: a token is fetched once per scope, however many clients ask. */
import type { AccessToken, GetTokenOptions, TokenCredential } from "@azure/core-auth";
import { oncePerKey } from "./once-per-key.js";

/** Entra tokens live about an hour; a token is renewed this long before its end, so that none ends in the middle of a request. */
const renewBeforeMs = 5 * 60_000;

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
  const fetches = oncePerKey<AccessToken | null>();

  const fetch = async (key: string, scopes: string | string[], options: GetTokenOptions): Promise<AccessToken | null> => {
    try {
      const token = await source.getToken(scopes, options);
      if (token) tokens.set(key, token);
      return token;
    } finally {
      fetches.forget(key);
    }
  };

  return {
    async getToken(scopes, { claims, enableCae, tenantId, abortSignal } = {}) {
      // Not passing the caller's other options on: its abort signal ends its own waiting, not a fetch that others wait for.
      const options = {
        ...(tenantId !== undefined && { tenantId }),
        ...(claims !== undefined && { claims, enableCae: enableCae ?? true }),
      };
      const key = JSON.stringify([[scopes].flat(), tenantId]);
      // A claims challenge asks for another token than any that is known.
      if (claims !== undefined) return fetch(key, scopes, options);
      const known = tokens.get(key);
      if (known && known.expiresOnTimestamp - renewBeforeMs > now()) return known;
      try {
        return await unlessAborted(
          fetches.get(key, () => fetch(key, scopes, options)),
          abortSignal,
        );
      } catch (error) {
        // Renewed early, so that Entra may be away for a while.
        if (known && known.expiresOnTimestamp > now() && !abortSignal?.aborted) return known;
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

type Signal = NonNullable<GetTokenOptions["abortSignal"]>;

async function unlessAborted<T>(work: Promise<T>, signal: Signal | undefined): Promise<T> {
  if (!signal) return work;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(new DOMException("aborted while signing in", "AbortError"));
    };
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
