/** Reads JSON as Resource Manager does: a byte order mark, comments and trailing commas are no errors. */

/** @throws SyntaxError for everything else that is not JSON. */
export function parseLenientJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const strict = strictJson(json);
    if (strict === json) throw error;
    return JSON.parse(strict) as unknown;
  }
}

/**
 * The text without comments and trailing commas. Each character is read twice at most, even in a string or comment without an end.
 * Otherwise, each quotation mark of a wrong body could cost a search to its end.
 */
function strictJson(json: string): string {
  const parts: string[] = [];
  for (let at = 0, end = 0; at < json.length; at = end) {
    end = endOfPart(json, at);
    if (isComment(json, at)) parts.push(end === Infinity ? json.slice(at) : " ");
    else if (json[at] !== "," || !isClosed(json, end)) parts.push(json.slice(at, end));
  }
  return parts.join("");
}

const plain = /[^"/,]+/y;

/** The end of the string, comment or comma at this place, or of the text before the next one. */
function endOfPart(json: string, at: number): number {
  if (json[at] === '"') return endOfString(json, at);
  if (isComment(json, at)) return endOfComment(json, at);
  plain.lastIndex = at;
  return plain.test(json) ? plain.lastIndex : at + 1;
}

function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return Math.min(at + 1, json.length);
}

function isComment(json: string, at: number): boolean {
  return json[at] === "/" && (json[at + 1] === "/" || json[at + 1] === "*");
}

const lineBreak = /[\r\n]|$/g;

/** Infinity if a block comment has no end. */
function endOfComment(json: string, at: number): number {
  if (json[at + 1] === "*") {
    const end = json.indexOf("*/", at + 2);
    return end < 0 ? Infinity : end + 2;
  }
  lineBreak.lastIndex = at;
  return lineBreak.exec(json)?.index ?? json.length;
}

const space = /\s*/y;

/** Whether only space and comments are before the end of an object or array. Ends at the next comma, so that no text is read for two commas. */
function isClosed(json: string, from: number): boolean {
  for (let at = from; at < json.length; at = endOfComment(json, at)) {
    space.lastIndex = at;
    space.test(json);
    at = space.lastIndex;
    if (!isComment(json, at)) return json[at] === "}" || json[at] === "]";
  }
  return false;
}
