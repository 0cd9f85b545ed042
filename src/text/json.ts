/** Parses JSON from other programs, without an exception for invalid text. */

/** Undefined if the text is not JSON: a gateway's HTML page, or an empty body. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined if the text is not a JSON object. */
export function parseJsonObject(text: string): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text without members that are null. Null entries of lists stay, and a text that is not JSON is returned as it is. */
export function withoutNulls(text: string): string {
  if (!text.includes("null")) return text;
  try {
    const value: unknown = JSON.parse(text, (_, member: unknown) => (member === null ? undefined : member));
    return value === undefined ? text : JSON.stringify(value);
  } catch {
    return text;
  }
}
