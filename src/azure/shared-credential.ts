/** One credential shared by all clients: a token is fetched once per scope, however many clients need it. */
import type { AccessToken, GetTokenOptions, TokenCredential } from "@azure/core-auth";
import { oncePerKey } from "./concurrency.js";
import type { Transport } from "./transport.js";

/** Entra tokens are valid for about an hour. A token is renewed this long before it expires, so that none expires during a request. */
const renewBeforeMs = 5 * 60_000;

export interface SharedCredential extends TokenCredential {
  /** Discards a token that Azure rejected (401 ExpiredAuthenticationToken, InvalidAuthenticationToken). */
  forget(token: string): void;
}

interface TokenContext {
  readonly clock: Pick<Transport["clock"], "now">;
  /** Ends every fetch. */
  readonly signal: AbortSignal;
}

/**
 * Shares tokens between clients. Each of the SDK's clients has its own cache, and AzureCliCredential has none: N clients would start N `az`
 * processes. `open` creates the source of tokens, and a new source after a token was rejected: a source has its own cache, and would return the
 * same token again.
 */
export function shareTokens(open: () => TokenCredential, { clock: { now }, signal }: TokenContext): SharedCredential {
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
      // The caller's other options are not passed on: its abort signal ends its own wait, not a fetch that others share.
      const options = {
        abortSignal: signal,
        ...(tenantId !== undefined && { tenantId }),
        ...(claims !== undefined && { claims, enableCae: enableCae ?? true }),
      };
      const key = JSON.stringify([[scopes].flat(), tenantId]);
      // A claims challenge needs a new token; no cached one satisfies it.
      if (claims !== undefined) return unlessAborted(fetch(key, scopes, options), signal, abortSignal);
      const known = tokens.get(key);
      if (known && known.expiresOnTimestamp - renewBeforeMs > now().getTime()) return known;
      try {
        return await unlessAborted(
          fetches.get(key, () => fetch(key, scopes, options)),
          signal,
          abortSignal,
        );
      } catch (error) {
        // The token was renewed early, so Entra may be unavailable for a while.
        if (known && known.expiresOnTimestamp > now().getTime() && !signal.aborted && !abortSignal?.aborted) return known;
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

/** @throws AbortError as soon as one of the signals aborts; some credentials ignore the signal that they are passed */
async function unlessAborted<T>(work: Promise<T>, ...given: (Signal | undefined)[]): Promise<T> {
  const signals = given.filter((signal) => signal !== undefined);
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      reject(new DOMException("aborted while signing in", "AbortError"));
    };
    if (signals.some((signal) => signal.aborted)) stop();
    for (const signal of signals) signal.addEventListener("abort", stop);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", stop);
  }
}
