/** Parses YAML and JSON in a time that grows with the length of the text, whatever its content. */
import { Composer, Parser, type Document, type LineCounter, type ParsedNode } from "yaml";

/** No document of ours is nearly as deep. */
const deepest = 100;

export interface ParsedYaml {
  readonly document: Document.Parsed<ParsedNode>;
  /** The first error. Its message would quote the source, so there is only a code. */
  readonly error: { readonly offset: number; readonly code: string } | undefined;
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
  return { document, error: error ?? (second && { offset: second.range[0], code: "MULTIPLE_DOCS" }) };
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
