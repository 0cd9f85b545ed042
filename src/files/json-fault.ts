/** Finds the first syntax error of JSON text, which the YAML parser would report differently on another line. */
import { printParseErrorCode, visit } from "jsonc-parser";

export interface JsonFault {
  readonly offset: number;
  /** "comma expected": never quotes the text. */
  readonly problem: string;
}

/** The keys are the parser's names; the messages are those of editors. */
const problems: Readonly<Record<string, string>> = {
  ValueExpected: "value expected",
  PropertyNameExpected: "property name in double quotes expected",
  ColonExpected: "colon expected",
  CommaExpected: "comma expected",
  CloseBraceExpected: "closing brace expected",
  CloseBracketExpected: "closing bracket expected",
  EndOfFileExpected: "end of file expected",
  UnexpectedEndOfString: "string without closing quote",
  UnexpectedEndOfNumber: "incomplete number",
  InvalidCharacter: "control character in a string",
  InvalidUnicode: "invalid Unicode escape in a string",
  InvalidEscapeCharacter: "invalid escape character in a string",
  InvalidCommentToken: "comment, which JSON does not allow,",
};

/** Undefined if the text is valid JSON. */
export function jsonFaultIn(text: string): JsonFault | undefined {
  let fault: JsonFault | undefined;
  const onError = (code: number, offset: number): void => {
    const name = printParseErrorCode(code);
    const missing = /^(?:Comma|Close\w+)Expected$/.test(name) || offset === text.length;
    // A missing token belongs after the previous one, not at the start of the next line.
    fault ??= {
      offset: missing ? text.slice(0, offset).trimEnd().length : offset,
      problem: problems[name] ?? symbolProblem(text[offset] ?? ""),
    };
  };
  visit(text, { onError }, { disallowComments: true });
  return fault;
}

/** Names only the kind of the first character, because the text may be a secret. */
function symbolProblem(first: string): string {
  if (first === "'" || first === "`") return "text in other quotes than double quotes";
  if (/[\p{L}_$]/u.test(first)) return "text without double quotes, which is not true, false or null,";
  if (/[\d.+-]/.test(first)) return "invalid number";
  return "character that is allowed only in double quotes";
}
