/**
 * Prints how the sources are divided: lines, files and lengths of functions by folder, imports between folders, and what stands twice:
 * `npm run house`. Fails if two folders import each other, or a name of a file stands twice. With --check, prints only that.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { plural } from "../src/text/plural.js";
import { median } from "./bench-usage.js";

interface Source {
  readonly file: string;
  /** The first folder below `src`. */
  readonly room: string;
  readonly folder: string;
  readonly lines: number;
  /** Lines of each function with a name, its own functions included. */
  readonly functions: readonly number[];
  readonly imports: readonly string[];
}

function sourceOf(file: string): Source {
  const text = readFileSync(file, "utf8");
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
  const functions: number[] = [];
  const visit = (node: ts.Node): void => {
    const isNamed = ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node);
    if (isNamed || (ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent)))
      functions.push(lineAt(node.end) - lineAt(node.getStart(tree)) + 1);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const imports = tree.statements.flatMap((one) =>
    (ts.isImportDeclaration(one) || ts.isExportDeclaration(one)) &&
    one.moduleSpecifier !== undefined &&
    ts.isStringLiteral(one.moduleSpecifier)
      ? [one.moduleSpecifier.text]
      : [],
  );
  const local = imports.filter((name) => name.startsWith(".")).map((name) => path.join(path.dirname(file), name).replace(/\.js$/, ".ts"));
  const folder = path.dirname(file);
  return { file, room: file.split("/")[1] ?? "", folder, lines: text.split("\n").length - 1, functions, imports: local };
}

const filesOf = (root: string) =>
  readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.join(root, file))
    .toSorted();
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const p90 = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.9)] ?? 0;

function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Pairs of folders that import each other: "a and b: 3 and 1". A folder and what is in it are not a pair. */
function bothWays(sources: readonly Source[], folderOf: (source: Source) => string): string[] {
  const byFile = new Map(sources.map((one) => [one.file, one]));
  const arrows = counted(
    sources.flatMap((from) =>
      from.imports.flatMap((file) => {
        const to = byFile.get(file);
        return to === undefined || folderOf(to) === folderOf(from) ? [] : [`${folderOf(from)} ${folderOf(to)}`];
      }),
    ),
  );
  return [...arrows].flatMap(([arrow, there]) => {
    const [from = "", to = ""] = arrow.split(" ");
    const back = arrows.get(`${to} ${from}`);
    return back === undefined || from > to ? [] : [`${from} and ${to}: ${String(there)} and ${String(back)}`];
  });
}

const sources = filesOf("src").map(sourceOf);

function printSizes(): void {
  const rooms = [...new Set(sources.map(({ room }) => room))];
  const rowOf = (name: string, of: readonly Source[]) => {
    const functions = of.flatMap((one) => one.functions);
    return [name, of.length, sum(of.map(({ lines }) => lines)), median(functions), p90(functions)];
  };
  console.table(
    [
      ...rooms.map((room) =>
        rowOf(
          room,
          sources.filter((one) => one.room === room),
        ),
      ),
      rowOf("all", sources),
    ].map(([folder, files, lines, middle, long]) => ({ folder, files, lines, "median function": middle, "p90 function": long })),
  );
  for (const root of ["test", "tools"]) {
    const others = filesOf(root);
    const lines = others.map((file) => readFileSync(file, "utf8").split("\n").length - 1);
    console.log(`${root}: ${plural(others.length, "file")}, ${plural(sum(lines), "line")}`);
  }
  const importers = counted(sources.flatMap(({ imports }) => [...new Set(imports)]));
  const small = sources.filter(({ file, lines }) => lines <= 40 && importers.get(file) === 1);
  console.log(`files of at most 40 lines with one importer: ${String(small.length)}`);
}

/** What each feature, or each service or provider of the emulator, has under the same name. */
const shared = [
  ...["index.ts", "options.ts", "commands.ts", "steps.ts", "removal.ts", "verify.ts", "feature.ts", "documents.ts", "option-checks.ts"],
  ...["inputs.ts", "recalled-settings.ts", "not-found.ts", "service.ts", "provider.ts", "errors.ts"],
];
/** Folders that say what a file does with its subject. */
const roles = new Set(["steps", "removal", "verify", "inputs", "option-checks", "domain", "manifests", "files"]);
const isNamedByFolder = ({ file, folder }: Source) => shared.includes(path.basename(file)) || roles.has(path.basename(folder));
/** The emulator has Azure's side of what the other folders have, under the same names. */
const names = (inEmulator: boolean) =>
  sources
    .filter((one) => !isNamedByFolder(one) && (one.room === "emulator") === inEmulator && !one.folder.includes("/arm/types/"))
    .map(({ file }) => path.basename(file));
const twice = [...counted(names(false)), ...counted(names(true))].flatMap(([name, count]) =>
  count > 1 ? [`${name}: ${String(count)}`] : [],
);
/** The registry imports what others register, and they read it: .dependency-cruiser.cjs has the rules about it. */
const others = sources.filter(({ file }) => file !== "src/features.ts");

const isCheck = process.argv.includes("--check");
if (!isCheck) printSizes();
for (const [what, found] of [
  ["file names that stand more than once", twice],
  ["folders of src that import each other", bothWays(others, ({ room }) => room)],
  ["folders at any depth that import each other", bothWays(others, ({ folder }) => folder)],
] as const) {
  if (!isCheck || found.length > 0) console.log(`${what}: ${String(found.length)}${found.map((one) => `\n  ${one}`).join("")}`);
  if (found.length > 0) process.exitCode = 1;
}
