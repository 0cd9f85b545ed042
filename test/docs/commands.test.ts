/** Every command line, flag and variable of the docs and the examples is one that the program knows. */
import { describe, expect, test } from "vitest";
import { commandNames, optionsOf, type CommandName } from "../../src/settings/commands.js";
import { variableOf } from "../../src/settings/option.js";
import { emulatorVariables } from "../../src/settings/variables.js";
import { checkOwnLine } from "../harness/own-line.js";
import { codeBlocks, commandsOf } from "./code-blocks.js";
import { inlineCode, pages, readPageText } from "./markdown-pages.js";

const options = commandNames.flatMap((name) => [...optionsOf(name)]);
const flagsOf = (command: CommandName): ReadonlySet<string> =>
  new Set(optionsOf(command).flatMap(({ flag, short, aliases = [] }) => [flag, ...(short === undefined ? [] : [short]), ...aliases]));
const flags = new Set(commandNames.flatMap((command) => [...flagsOf(command)]));
const variables = new Set<string>([
  ...options.flatMap((option) => [variableOf(option), ...(option.otherVariable === undefined ? [] : [option.otherVariable])]),
  ...emulatorVariables,
]);

/** Each call of aro-hcp in a line of shell, with something for each variable and without what follows the command. */
function ownCalls(line: string): string[] {
  const plain = line
    .replace(/"\$@"/g, "")
    .replace(/<[a-z][\w-]*>/g, "x")
    .replace(/"?\$\([^()]*\)"?/g, (call) => (call.includes("aro-hcp ") ? call.replace(/["$()]/g, ";") : "x"))
    .replace(/\$\{?\w+(:[^}]*)?\}?/g, "x");
  return plain
    .split(/;|\|\|?|&&|&|\d?>>?|<\(|#/)
    .map((part) => part.trim().replace(/^.*?\b(?=aro-hcp )/, ""))
    .filter((part) => part.startsWith("aro-hcp "));
}

function checked(line: string): string | undefined {
  try {
    checkOwnLine(line);
    return undefined;
  } catch (error) {
    return `${line}: ${String(error)}`;
  }
}

/** Whether each flag after the name of a command belongs to it, or to one of its verb if only that is named: `show ... --exit-code`. */
function hasItsFlags(code: string): boolean {
  const words = code.replace(/^aro-hcp /, "").split(" ");
  const name = words
    .slice(
      0,
      words.findIndex((word) => word.startsWith("--")),
    )
    .filter((word) => word !== "...");
  const named = commandNames.filter((command) => command === name.join(" ") || command.startsWith(`${name.join(" ")} `));
  if (named.length === 0) return !code.startsWith("aro-hcp ") || name.length === 0;
  const has = (flag: string) =>
    named.some((command) => flagsOf(command).has(flag.replace(/^--no-(?=.)/, "--")) || flagsOf(command).has(flag));
  return words.filter((word) => word.startsWith("--")).every((flag) => has(flag) || flag === "--help");
}

describe.each(pages)("%s", (page) => {
  const text = readPageText(page);

  test("its blocks have commands that the program accepts", () => {
    const lines = codeBlocks(text)
      .filter(({ language }) => ["sh", "console"].includes(language))
      .flatMap(commandsOf);
    expect(lines.flatMap(ownCalls).flatMap((line) => checked(line) ?? [])).toEqual([]);
  });

  test("its text names commands with flags that they have", () => {
    const named = inlineCode(text).filter((code) => / --/.test(code));
    expect(named.filter((code) => !hasItsFlags(code))).toEqual([]);
  });

  test("its variables exist", () => {
    // Of the tests, of the examples, and one that does not exist, as an example.
    const named = [...text.matchAll(/\bARO_HCP_(?!TEST_|CRASH_|IMAGE\b|DRYRUN\b)\w+/g)].map(([name]) => name);
    expect(named.filter((name) => !variables.has(name))).toEqual([]);
  });
});

/** Pages that are not about flags of other programs. */
const own = pages.filter(
  (page) => !/CONTRIBUTING|CHANGELOG|other-tools|benchmarks|reliability|emulator|dependencies|hypershift|arc\.md/.test(page),
);

/** Of `hypershift install`. */
const theirs = ["--managed-service", "--additional-operator-env-vars", "--azure-pls-"];

/** A flag that ends with a hyphen stands for all that begin with it. */
function exists(flag: string): boolean {
  if (flag.endsWith("-")) return [...flags].some((known) => known.startsWith(flag)) || flag === "--no-";
  return flags.has(flag) || flags.has(flag.replace(/^--no-/, "--")) || ["--help", "--help-all", "--version"].includes(flag);
}

test.each(own)("the flags in the text of %s exist", (page) => {
  const named = inlineCode(readPageText(page)).flatMap((code) => /^--[a-z][\w-]*/.exec(code)?.[0] ?? []);
  expect(named.filter((flag) => !exists(flag) && !theirs.includes(flag))).toEqual([]);
});
