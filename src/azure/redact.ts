/** Removes secrets from a text: Azure signs the URLs of its operations (3 kB each), and an SDK error may quote a request. */

const secrets: readonly (readonly [RegExp, string])[] = [
  [/(https?:\/\/[^\s?"'<>]+)\?[^\s"'<>]*/gi, "$1"],
  [/-----BEGIN [\s\S]*?(?:-----END [A-Z ]+-----|$)/g, "***"],
  // A JSON Web Token: header, claims, signature.
  [/\beyJ[\w-]{8,}\.[\w-]*(?:\.[\w-]*)?/g, "***"],
  [/\b(Bearer|PoP) +[^\s"',]{8,}/gi, "$1 ***"],
  [
    /\b(client_secret|client_assertion|assertion|access_token|refresh_token|password|accountkey|sig)(["']?\s*[=:]\s*["']?)[^\s&"',}]+/gi,
    "$1$2***",
  ],
];

export function redacted(text: string): string {
  return secrets.reduce((rest, [secret, instead]) => rest.replace(secret, instead), text);
}

/**
 * Reduces an error and its causes to what `--debug` may print: message and stack. SDKs attach request and response to their errors, and these
 * contain headers and bodies.
 */
export function redactedError(error: Error): Error {
  const { cause } = error;
  const copy = new Error(redacted(error.message), cause instanceof Error ? { cause: redactedError(cause) } : {});
  copy.name = error.name;
  copy.stack = redacted(error.stack ?? error.message);
  return copy;
}
