/** Reads a TypeScript file as a textlint document: its comments, its strings that are prose, and the names that it declares. */
import type { TextlintPluginCreator, TextlintPluginProcessor } from "@textlint/types";
import ts from "typescript";
import type { Place } from "./rule-file.js";

type ProcessedDocument = ReturnType<ReturnType<TextlintPluginProcessor["processor"]>["preProcess"]>;
type Range = readonly [start: number, end: number];

/** What textlint expects of every node; positions are those of the file. */
interface TextNode {
  readonly type: "Document" | "Paragraph" | "BlockQuote" | "Str" | "Code";
  readonly raw: string;
  readonly range: Range;
  readonly loc: { readonly start: Position; readonly end: Position };
  readonly value?: string;
  readonly children?: readonly TextNode[];
  /** Only of a paragraph. */
  readonly place?: Place;
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Strings of files that `isQuoted` selects become block quotes: the rules on sentences and terms skip those. Keys of objects there are no names of ours. */
export function typescriptPlugin(isQuoted: (path: string) => boolean): TextlintPluginCreator {
  return {
    Processor: class {
      availableExtensions(): string[] {
        return [".ts"];
      }
      processor() {
        return {
          preProcess: (text: string, path = "") => documentOf(text, path, isQuoted(path)) as ProcessedDocument,
          postProcess: (messages: never[], filePath = "") => ({ messages, filePath }),
        };
      }
    },
  };
}

function documentOf(text: string, path: string, quoted: boolean): TextNode {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const position = (offset: number): Position => {
    const { line, character } = source.getLineAndCharacterOfPosition(offset);
    return { line: line + 1, column: character };
  };
  const node = (type: TextNode["type"], [start, end]: Range, rest: Pick<TextNode, "value" | "children" | "place"> = {}): TextNode => ({
    type,
    raw: text.slice(start, end),
    range: [start, end],
    loc: { start: position(start), end: position(end) },
    ...rest,
  });
  const block = (place: Place, parts: readonly Part[]): TextNode[] => {
    const [first, last] = [parts[0], parts.at(-1)];
    if (first === undefined || last === undefined) {
      return [];
    }
    const range: Range = [first.range[0], last.range[1]];
    const children = parts.map((part) => node(part.type, part.range, { value: part.value ?? text.slice(...part.range) }));
    const paragraph = node("Paragraph", range, { place, children });
    return [place === "quotations" ? node("BlockQuote", range, { children: [paragraph] }) : paragraph];
  };

  const blocks: TextNode[] = [];
  const commentsSeen = new Set<number>();
  const visit = (child: ts.Node): void => {
    const comments = (ts.getLeadingCommentRanges(text, child.pos) ?? []).concat(ts.getTrailingCommentRanges(text, child.end) ?? []);
    const fresh = comments.filter(({ pos }) => !commentsSeen.has(pos));
    fresh.forEach(({ pos }) => commentsSeen.add(pos));
    blocks.push(...commentParagraphs(text, fresh).flatMap((parts) => block("comments", parts)));
    const string = stringParts(child, source);
    if (isProse(string.map((part) => (part.type === "Str" ? text.slice(...part.range) : "")).join(" "))) {
      blocks.push(...block(quoted ? "quotations" : "strings", string));
    }
    if (ts.isIdentifier(child) && declares(child) && !(quoted && ts.isPropertyAssignment(child.parent))) {
      blocks.push(...block("names", [{ type: "Code", range: [child.getStart(source), child.end] }]));
    }
    if (!ts.isJSDoc(child)) {
      child.getChildren(source).forEach(visit);
    }
  };
  visit(source);
  return node("Document", [0, text.length], { children: blocks.sort((a, b) => a.range[0] - b.range[0]) });
}

interface Part {
  readonly type: "Str" | "Code";
  readonly range: Range;
  readonly value?: string;
}

/** Comments without their marks, a paragraph for each blank line or JSDoc tag; adjacent line comments belong together. */
function commentParagraphs(text: string, comments: readonly ts.CommentRange[]): Part[][] {
  const paragraphs: Part[][] = [[]];
  let previousEnd = -1;
  for (const { pos, end } of comments) {
    if (text.slice(previousEnd, pos).trim() !== "" || text.startsWith("/*", pos)) {
      paragraphs.push([]);
    }
    previousEnd = end;
    for (const [start, stop] of linesIn(text, [pos, end])) {
      const line = text.slice(start, stop);
      const mark = /^\s*(?:\/\*+|\/\/+|\*+(?!\/))?[ \t]*/.exec(line)?.[0].length ?? 0;
      const body = line.slice(mark).replace(/\s*\*\/$/, "");
      if (body === "" || body.startsWith("@")) {
        paragraphs.push([]);
      }
      if (!/^(?:eslint-|prettier-|@ts-|v8 )/.test(body)) {
        paragraphs.at(-1)?.push(...codeSpans(text, [start + mark, start + mark + body.length]));
      }
    }
  }
  return paragraphs;
}

function linesIn(text: string, [start, end]: Range): Range[] {
  let from = start;
  return text
    .slice(start, end)
    .split("\n")
    .map((line) => {
      const range: Range = [from, from + line.length];
      from += line.length + 1;
      return range;
    });
}

/** Text between backticks is code, and so are a URL and a word in quotation marks. */
function codeSpans(text: string, [start, end]: Range): Part[] {
  let from = start;
  return text
    .slice(start, end)
    .split(/(\\?`[^`]+`|https?:\/\/[^\s'")>]+|"[\w.-]+")/)
    .map((piece): Part => {
      const range: Range = [from, from + piece.length];
      from += piece.length;
      return { type: /^(?:\\?`.|https?:|"[\w.-]+"$)/s.test(piece) ? "Code" : "Str", range };
    })
    .filter(({ range }) => range[0] < range[1]);
}

/** Empty for module names, shell commands, raw strings and snapshots of output, which are not prose. */
function stringParts(node: ts.Node, source: ts.SourceFile): Part[] {
  const text = source.text;
  if (ts.isTemplateLiteral(node) && notProse.includes(callee(node, source))) {
    return [];
  }
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
    return ts.isImportDeclaration(node.parent) ? [] : codeSpans(text, [node.getStart(source) + 1, node.end - 1]);
  }
  if (!ts.isTemplateExpression(node)) {
    return [];
  }
  const head = codeSpans(text, [node.head.getStart(source) + 1, node.head.end - 2]);
  const rest = node.templateSpans.flatMap(({ expression, literal }): Part[] => {
    const tail = ts.isTemplateTail(literal) ? 1 : 2;
    const value: Part = { type: "Code", value: "", range: [expression.pos - 2, literal.getStart(source) + 1] };
    return [value, ...codeSpans(text, [literal.getStart(source) + 1, literal.end - tail])];
  });
  return [...head, ...rest];
}

/** Output in a snapshot is checked where it is written. */
const notProse: readonly string[] = ["shell", "String.raw", "toMatchInlineSnapshot"];

/** The tag of a template, or the name of the function that it is passed to. */
function callee({ parent }: ts.TemplateLiteral, source: ts.SourceFile): string {
  if (ts.isTaggedTemplateExpression(parent)) {
    return parent.tag.getText(source);
  }
  return ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression) ? parent.expression.name.text : "";
}

/** Whether there are two adjacent words, so that the text is no key, path or media type; source code and command lines do not count. */
function isProse(text: string): boolean {
  return !/=>|;\n|\bimport \{|^[\w-]+\/[\w.+-]+;|^(?:aro-hcp|az) /.test(text) && /[A-Za-z]{2,}[,;:]?\s+[A-Za-z]{2,}/.test(text);
}

/** Whether the identifier declares a name, rather than uses or imports it. */
function declares(name: ts.Identifier): boolean {
  const { parent } = name;
  return "name" in parent && parent.name === name && !ts.isPropertyAccessExpression(parent) && !ts.isImportOrExportSpecifier(parent);
}
