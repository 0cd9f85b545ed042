/** Reads JSON as Resource Manager does: a byte order mark, comments and trailing commas are no errors. */

/** @throws SyntaxError for everything else that is not JSON. */
export function parseJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, "");
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    const strict = withoutTrailingCommas(withoutComments(json));
    if (strict === json) throw error;
    return JSON.parse(strict) as unknown;
  }
}

// Each pattern matches strings first, so that what is in them stays.
const stringOrComment = /("(?:[^"\\]|\\.)*")|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g;
const stringOrTrailingComma = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g;

function withoutComments(json: string): string {
  return json.replace(stringOrComment, (_, string: string | undefined) => string ?? " ");
}

function withoutTrailingCommas(json: string): string {
  return json.replace(stringOrTrailingComma, (_, string: string | undefined) => string ?? "");
}
