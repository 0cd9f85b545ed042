/**
 * The modules that a test can notice a change of. The program imports every command and every option through tables; of these, a test reaches the
 * rows that it names, so that a change of one command does not select the tests of all.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { commandNames, takes, type CommandName } from "../../src/settings/commands.js";
import { optionNames } from "../../src/settings/options.js";
import { sourceFile } from "./source-file.js";

export interface Reached {
  /** By path: how many imports lie between the test and the module. */
  readonly modules: ReadonlyMap<string, number>;
  /** The words in its strings and in those of its helpers. */
  readonly words: ReadonlySet<string>;
}

export const program = "src/cli/main.ts";
/** Starts the program in another process. */
const spawner = "tools/cli-process.ts";
/** Pages run any command. */
const pages = "test/docs/clone.ts";
const registry = "src/features.ts";
const featureFiles = sourceFile(registry).imports.filter((file) => path.basename(file) === "feature.ts");
const isTable = (file: string): boolean => file === registry || featureFiles.includes(file);

/** It runs what tests pass to it, and names no command. */
const harness = harnessFiles();

function harnessFiles(): ReadonlySet<string> {
  const reached = new Map<string, number>();
  addModules(reached, ["test/harness/test-emulator.ts"], isTable);
  return new Set([...reached.keys()].filter((file) => !file.startsWith("src/")));
}

const results = new Map<string, Reached>();

export function reachedFrom(test: string): Reached {
  const reached = results.get(test) ?? reach(test);
  results.set(test, reached);
  return reached;
}

function reach(test: string): Reached {
  const modules = new Map<string, number>();
  // Beside the harness and the program, a test uses all that it imports.
  const ends = addModules(modules, [test], (file) => file === program || harness.has(file));
  for (const end of ends) modules.delete(end);
  const words = new Set([...modules.keys()].filter((file) => !file.startsWith("src/")).flatMap((file) => [...sourceFile(file).words]));
  addModules(modules, ends, isTable);
  if (modules.has(spawner)) addModules(modules, [program], isTable);
  if (modules.has(program)) addModules(modules, rowsOf(modules.has(pages) ? commandNames : commandsIn(words)), isTable);
  return { modules, words };
}

/** Adds the files and what they import, but not what an end imports. Returns the ends. */
function addModules(reached: Map<string, number>, files: readonly string[], isEnd: (file: string) => boolean): string[] {
  const ends: string[] = [];
  for (let distance = 0, next = files; next.length > 0; distance++) {
    const fresh = [...new Set(next)].filter((file) => !reached.has(file));
    for (const file of fresh) reached.set(file, distance);
    ends.push(...fresh.filter(isEnd));
    next = fresh.filter((file) => !isEnd(file)).flatMap((file) => sourceFile(file).imports);
  }
  return ends;
}

/** The commands whose words are all among these. */
function commandsIn(words: ReadonlySet<string>): CommandName[] {
  return commandNames.filter((name) => name.split(" ").every((word) => words.has(word)));
}

const allRows: readonly string[] = [...commandNames, ...optionNames];

/** What every run loads of a feature, or may load. */
const ofEveryCommand: ReadonlySet<string> = new Set(["commands.ts", "option-checks.ts", "documents.ts"]);

/** The modules of the commands, and what the features register, without the rows of other commands and their options. */
function rowsOf(names: readonly CommandName[]): string[] {
  const named: readonly string[] = [...names, ...optionNames.filter((option) => names.some((name) => takes(name, option)))];
  const hasRow = (file: string, rows: readonly string[]): boolean => rows.some((row) => sourceFile(file).keys.has(row));
  const registered = [...sourceFile(registry).imports, ...featureFiles.flatMap((file) => sourceFile(file).imports)];
  const settings = registered
    .filter((file) => ofEveryCommand.has(path.basename(file)) || path.basename(file).endsWith("options.ts"))
    .filter((file) => hasRow(file, named) || !hasRow(file, allRows));
  const recalled = names.includes("show settings") ? registered.filter((file) => path.basename(file) === "recalled-settings.ts") : [];
  return [...featureFiles, ...names.flatMap((name) => commandModules().get(name) ?? []), ...settings, ...recalled];
}

let modules: ReadonlyMap<string, string> | undefined;

/** The module of each command, from the text of what features register: importing it would load every command. */
export function commandModules(): ReadonlyMap<string, string> {
  modules ??= new Map(
    featureFiles.flatMap((feature) =>
      [...readFileSync(feature, "utf8").matchAll(/^ {2}"?([a-z -]+)"?: (?:forKind\("[a-z-]+", )?\(\) => import\("(.+)\.js"\)/gm)].map(
        ([, name = "", file = ""]) => [name, path.join(path.dirname(feature), `${file}.ts`)] as const,
      ),
    ),
  );
  return modules;
}
