/** Parses YAML and JSON in a time that grows with the length of the text, whatever its content. */
import { Composer, Parser, type Document, type ErrorCode, type LineCounter, type ParsedNode } from "yaml";

/** No document of ours is nearly as deep. */
const deepest = 100;

export interface ParsedYaml {
  readonly document: Document.Parsed<ParsedNode>;
  /** The first error. Its message would quote the source, so there is only a code. */
  readonly error: { readonly offset: number; readonly code: ErrorCode } | undefined;
}

/**
 * Undefined if the text is nested too deeply. The parser's own function quotes the whole line for each error, and deep nesting exhausts
 * the stack, which can end the process.
 */
export function parseYaml(text: string, lines: LineCounter): ParsedYaml | undefined {
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  if (isTooDeep(tokens)) return undefined;
  // The parser's own search for duplicate keys compares all pairs. A non-string key, as in `{{ secret }}` of an unfilled template, would
  // become a key with its own source text.
  const options = { lineCounter: lines, uniqueKeys: false, stringKeys: true, logLevel: "error" } as const;
  const [document, second] = new Composer<ParsedNode>(options).compose(tokens, true, text.length);
  if (document === undefined) throw new Error("the composer returns at least one document");
  const [first] = document.errors;
  const error = first === undefined ? undefined : { offset: first.pos[0], code: first.code };
  return { document, error: error ?? (second && { offset: second.range[0], code: "MULTIPLE_DOCS" as const }) };
}

/** What the tokens of the parser have in common: values, and items with keys and values. */
interface Part {
  readonly items?: readonly unknown[];
  readonly key?: unknown;
  readonly value?: unknown;
}

function isTooDeep(tokens: readonly unknown[]): boolean {
  let level = tokens;
  // An item is between a collection and its value, and the document is above them all.
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 2 * deepest + 2) return true;
    level = level.flatMap((part) => {
      const { items = [], key, value } = part as Part;
      return [...items, key, value].filter((child) => typeof child === "object" && child !== null);
    });
  }
  return false;
}

/** The keys are the parser's codes. */
const problems: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: "an alias has a tag or an anchor",
  BAD_ALIAS: "a word that begins with * needs quotes",
  BAD_COLLECTION_TYPE: "a tag does not fit its value",
  BAD_DIRECTIVE: "a line that begins with % is no directive",
  BAD_DQ_ESCAPE: "a backslash in double quotes is followed by a wrong character",
  BAD_INDENT: "the indentation does not fit the lines above",
  BAD_PROP_ORDER: "an anchor or a tag is at the wrong place",
  BAD_SCALAR_START: "a value begins with a character that needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a value has a second colon, or the indentation does not fit the lines above",
  BLOCK_IN_FLOW: "a list or map of several lines is inside of brackets",
  DUPLICATE_KEY: "a key is there twice",
  IMPOSSIBLE: "a value is at the wrong place",
  KEY_OVER_1024_CHARS: "a key is too long",
  MISSING_CHAR: "a closing quote, bracket or comma, or a colon, is missing",
  MULTILINE_IMPLICIT_KEY: "a key has no colon on its line, or a quote is not closed",
  MULTIPLE_ANCHORS: "a value has two anchors",
  MULTIPLE_DOCS: "it contains more than one document",
  MULTIPLE_TAGS: "a value has two tags",
  NON_STRING_KEY: "a key is not text, or a template such as {{ name }} needs quotes",
  RESOURCE_EXHAUSTION: "it is nested too deeply",
  TAB_AS_INDENT: "a tab is used for indentation",
  TAG_RESOLVE_FAILED: "a tag is unknown, or does not fit its value",
  UNEXPECTED_TOKEN: "a character or word is at the wrong place",
};

/** Says what is wrong without quoting the file, which may have secrets. */
export function yamlProblem(code: ErrorCode): string {
  return problems[code];
}
