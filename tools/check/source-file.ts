/** What the text of a source file says: the modules that it loads when it runs, and its words. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor, type ESTree } from "rolldown/utils";

export interface SourceFile {
  /** Modules of ours, as paths from the root of the repository. Imports of types load nothing. */
  readonly imports: readonly string[];
  /** The words of all strings, except for the names of tests. */
  readonly words: ReadonlySet<string>;
  /** The keys of its exported tables. */
  readonly keys: ReadonlySet<string>;
}

const read = new Map<string, SourceFile>();

export function sourceFile(file: string): SourceFile {
  const source = read.get(file) ?? parse(file);
  read.set(file, source);
  return source;
}

function parse(file: string): SourceFile {
  const text = readFileSync(file, "utf8");
  const { program, module } = parseSync(file, text);
  const requests = [
    ...module.staticImports.flatMap(({ entries, moduleRequest }) =>
      entries.length === 0 || entries.some(({ isType }) => !isType) ? [moduleRequest.value] : [],
    ),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  const imports = requests
    .filter((request) => request.startsWith("."))
    .map((request) => path.join(path.dirname(file), request))
    .flatMap((each) => [each.replace(/\.js$/, ".ts"), each].find((candidate) => existsSync(candidate)) ?? []);
  return { imports: [...new Set(imports)], ...textsOf(program) };
}

function textsOf(program: ESTree.Program): Pick<SourceFile, "words" | "keys"> {
  const [words, keys, skipped] = [new Set<string>(), new Set<string>(), new Set<number>()];
  const add = (text: string): void => {
    for (const word of text.match(/[\w-]+/g) ?? []) words.add(word);
  };
  new Visitor({
    ImportDeclaration: ({ source }) => void skipped.add(source.start),
    // The name of a test says what it is about, not what it runs.
    CallExpression({ callee, arguments: [name] }) {
      if (name !== undefined && callee.type === "Identifier" && callee.name === "test") skipped.add(name.start);
    },
    Literal(node) {
      if (!skipped.has(node.start)) add("regex" in node ? node.regex.pattern : String(node.value));
    },
    TemplateElement: ({ value }) => add(value.cooked ?? ""),
    Property: ({ key }) => {
      if (key.type === "Identifier") add(key.name);
    },
    VariableDeclarator({ init }) {
      for (const { key } of rowsOf(init)) keys.add(key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "");
    },
  }).visit(program);
  return { words, keys };
}

/** Of a table `{ ... } as const satisfies ...`. */
function rowsOf(init: ESTree.Expression | null): ESTree.ObjectProperty[] {
  if (init?.type === "TSAsExpression" || init?.type === "TSSatisfiesExpression") return rowsOf(init.expression);
  return init?.type === "ObjectExpression" ? init.properties.filter((each) => each.type === "Property") : [];
}
