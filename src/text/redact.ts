/** Removes secrets from a text: Azure signs the URLs of its operations (3 kB each), and an SDK error may quote a request. */

/** A quote as it is, escaped in JSON, and encoded for URLs (also twice) or HTML. */
const quote = String.raw`(?:\\*["']|%(?:25)*2[27]|&quot;)`;
const separator = String.raw`${quote}?\s*(?:[=:]|%(?:25)*3[AD])\s*`;
/** The beginning of a word, also after an encoded character. */
const start = "(?:(?<![a-z])|(?<=%[0-9a-f]{2}))";
const name = [
  "client[_-]?secret",
  "secret[_-]?text",
  "assertion",
  "(?:access|refresh)[_-]?token",
  `${start}id[_-]?token`,
  "pass(?:word|phrase)",
  `${start}sig`,
].join("|");
const named = `((?:${name})${separator})`;
const keyName = "(?:account|shared[_-]?access)[_-]?key";
const space = "(?: +|%20|\\+)";

/** One row for each form, in the order in which they are replaced. Each is linear: no part of a text is tried from two places. */
const forms: readonly (readonly [secret: RegExp, instead: string])[] = [
  // user:password@, also encoded.
  [/((?::|%3A)(?:\/|%2F){2}(?:[^\s/@:"'<>%]|%(?!3A|2F|40))*(?::|%3A))(?:[^\s/"'<>%]|%(?!2F|40))+(?=@|%40)/gi, "$1***"],
  // The query of a URL. It is matched without one too: a text of many beginnings is read once.
  [/(https?:\/\/[^\s?"'<>\\]+)(?:\?[^\s"'<>\\]*)?/gi, "$1"],
  [/-----BEGIN(?:[ +]|%20)[\s\S]*?(?:-----END(?:[ +]|%20)[A-Z\d +%]+-----|$)/g, "***"],
  // The same in base64, in one line or in several.
  [/LS0tLS1CRUdJTi[\w+/=-]*(?:(?:\r?\n|\\n)[\w+/=-]{16,})*/g, "***"],
  // A JSON Web Token: header, claims, signature; five parts if it is encrypted.
  [/(?:(?<![\w-])|(?<=%[0-9A-Fa-f]{2}))eyJ[\w-]{8,}(?:\.[\w-]*){1,4}/g, "***"],
  [new RegExp(`\\b(Bearer|PoP)(${space})[^\\s"',]{8,}`, "gi"), "$1$2***"],
  // Words such as "authentication" are in base64's alphabet too, but have neither digits nor capitals inside.
  [new RegExp(`\\b([Bb]asic${space})(?=[A-Za-z+/]*(?:[a-z][A-Z]|[\\d=]))[A-Za-z\\d+/]{4,}(?:=|%3D)*`, "g"), "$1***"],
  [new RegExp(`\\b(SharedKey(?:Lite)?${space})[a-z\\d]+(?::|%3A)[\\w+/=%-]+`, "gi"), "$1***"],
  [new RegExp(`(${keyName}${separator}${quote}?)[\\w+/=%-]+`, "gi"), "$1***"],
  // In a JSON text within a string.
  [new RegExp(String.raw`${named}(\\+")(?:\\{3}"|[^"\\]|\\(?!"))*`, "gi"), "$1$2***"],
  [new RegExp(String.raw`${named}(?:(")(?:[^"\\]|\\[\s\S])*|(')[^']*)`, "gi"), "$1$2$3***"],
  [new RegExp(String.raw`${named}(${quote}?)(?:[^\s&"'<>\\]|\\(?!["']))+`, "gi"), "$1$2***"],
];

export function redacted(text: string): string {
  return forms.reduce((rest, [secret, instead]) => rest.replace(secret, instead), text);
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
