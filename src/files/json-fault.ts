/** Where a text that is meant to be JSON stops being it: a YAML parser, which reads JSON too, looks for faults of its own and names other lines. */

export interface JsonFault {
  readonly offset: number;
  /** What should stand there: `"," or "}"`. */
  readonly expected: string;
}

type Kind = "{" | "}" | "[" | "]" | ":" | "," | "string" | "other";
type Wanted = "value" | "value or ]" | "name" | "name or }" | ":" | "more in {" | "more in [" | "end";

const value = { "{": "name or }", "[": "value or ]", string: "after", other: "after" } as const;

/** What may come, and what is wanted then: RFC 8259. `after`: what the object or array around it wants after a value. */
const grammar: Readonly<Record<Wanted, Readonly<Partial<Record<Kind, Wanted | "after">>>>> = {
  value,
  "value or ]": { ...value, "]": "after" },
  name: { string: ":" },
  "name or }": { string: ":", "}": "after" },
  ":": { ":": "value" },
  "more in {": { ",": "name", "}": "after" },
  "more in [": { ",": "value", "]": "after" },
  end: {},
};

const expected: Readonly<Record<Wanted, string>> = {
  value: "a value",
  "value or ]": 'a value or "]"',
  name: "a name in double quotes",
  "name or }": 'a name in double quotes or "}"',
  ":": '":"',
  "more in {": '"," or "}"',
  "more in [": '"," or "]"',
  end: "the end of the file",
};

const blank = /[ \t\n\r\ufeff]*/y;
const token =
  /[{}[\]:,]|"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/** Undefined where it is JSON. Quotes nothing of the text. */
export function jsonFaultIn(text: string): JsonFault | undefined {
  const around: ("{" | "[")[] = [];
  let wanted: Wanted = "value";
  for (let behind = 0; ;) {
    const start = endOf(blank, text, behind) ?? behind;
    const end = endOf(token, text, start);
    if (start === text.length && wanted === "end") return undefined;
    const kind = end === undefined ? undefined : kindOf(text.slice(start, end));
    const next: Wanted | "after" | undefined = kind === undefined ? undefined : grammar[wanted][kind];
    if (end === undefined || next === undefined) {
      // A comma that is missing is missing behind what went before, and not where the next line begins.
      return { offset: wanted.startsWith("more") || start === text.length ? behind : start, expected: expected[wanted] };
    }
    if (kind === "{" || kind === "[") around.push(kind);
    if (kind === "}" || kind === "]") around.pop();
    const outer = around.at(-1);
    wanted = next !== "after" ? next : outer === undefined ? "end" : `more in ${outer}`;
    behind = end;
  }
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function kindOf(found: string): Kind {
  switch (found[0]) {
    case "{":
    case "}":
    case "[":
    case "]":
    case ":":
    case ",":
      return found[0];
    case '"':
      return "string";
    default:
      return "other";
  }
}
