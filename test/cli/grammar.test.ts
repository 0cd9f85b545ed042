/** docs/internals/grammar.md: every command is one of its nouns and verbs, and every flag follows its rules. */
import { expect, test } from "vitest";
import { readPageText } from "../docs/markdown-pages.js";
import { ourWordsFor } from "../../src/cli/foreign-words.js";
import { commandNames, optionsOf } from "../../src/settings/commands.js";
import { spellingsOf } from "../../src/settings/option.js";
import { allOptions } from "../../src/settings/options.js";

const page = readPageText("docs/internals/grammar.md");
const codes = (text = "") => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** The rows of the table under this header: the words of each cell. */
function rowsUnder(header: string): readonly (readonly string[])[][] {
  const [, after = ""] = page.split(`${header}\n`);
  const [table = ""] = after.split("\n\n");
  return table
    .split("\n")
    .slice(1)
    .map((row) => row.split("|").slice(1, -1).map(codes));
}

/** About the program, not about a noun. */
const ofProgram = /^(?:local |show settings$|init$|schema$|completion$|version$|help$)/;

test("every command is a verb of a noun, and every verb of a noun is a command", () => {
  const declared = rowsUnder("| noun | verbs |").flatMap(([[noun = ""] = [], verbs = []]) =>
    // These verbs are about all without a noun, and those of the estate have none.
    verbs.map((verb) => (noun === "" || (noun === "all" && (verb === "graph" || verb === "doctor")) ? verb : `${verb} ${noun}`)),
  );
  expect(declared.toSorted()).toEqual(commandNames.filter((name) => !ofProgram.test(name)).toSorted());
  const verbs = rowsUnder("| verb | what it does |").flatMap(([verb]) => verb ?? []);
  expect([...new Set(declared.map((name) => name.replace(/ .*/, "")))].toSorted()).toEqual(verbs.toSorted());
});

/** Flags of files that have the spelling of another tool. */
const [, ofOthers = ""] = /Flags that hypershift([\s\S]*?)\n\n/.exec(page) ?? [];

test("a file that is read ends in -file, one that is written begins with --output-, and a folder ends in -dir", () => {
  const mirrored = codes(ofOthers);
  const kinds = ["file", "files", "directory"];
  const wrong = allOptions
    .filter(({ kind, flag }) => kinds.includes(kind) && !mirrored.includes(flag))
    .filter(({ kind, flag, isInput }) => {
      if (kind === "directory") return !/^--(?:input|output)-dir$/.test(flag);
      // Two files can be missing when they are read.
      return !(isInput === true ? /-file$/ : /^--output-|^--credential-file$|^--external-dns-credentials-file$/).test(flag);
    });
  expect(wrong.map(({ flag }) => flag)).toEqual([]);
});

test("-n, -g and -l are the name, the resource group and the location, in every command that has one", () => {
  const flags = { "-n": /^--(?:name|base-domain)$/, "-g": /resource-group-name$|^--dns-zone-rg-name$/, "-l": /^--location$/ };
  for (const command of commandNames) {
    const options = optionsOf(command);
    for (const [short, flag] of Object.entries(flags)) {
      const own = options.filter((option) => option.short === short);
      expect(own.length, `${command} ${short}`).toBeLessThan(2);
      for (const option of own) expect(option.flag, `${command} ${short}`).toMatch(flag);
    }
    for (const flagOf of ["--name", "--location", "--resource-group-name"])
      if (options.some(({ flag }) => flag === flagOf)) expect(options.find(({ flag }) => flag === flagOf)?.short).toBeDefined();
  }
});

test("in one command, each spelling is of one option; in all, a flag has one key and one kind of value", () => {
  for (const command of commandNames) {
    const spellings = optionsOf(command).flatMap(spellingsOf);
    expect(spellings.length, command).toBe(new Set(spellings).size);
  }
  for (const flag of new Set(allOptions.map((option) => option.flag))) {
    const options = allOptions.filter((option) => option.flag === flag);
    expect(new Set(options.map(({ key }) => key)).size, flag).toBe(1);
    // A set has one vault, and an AKS cluster can mount the secrets of several.
    if (flag !== "--key-vault-id") expect(new Set(options.map(({ kind }) => kind)).size, flag).toBe(1);
  }
  const otherKeys = allOptions.filter(
    ({ flag, key }) => flag.slice(2).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) !== key,
  );
  expect(otherKeys.map(({ flag, key }) => `${flag} ${key}`)).toEqual([]);
});

test("--name is the cluster and --identities-name the set, in every command", () => {
  for (const option of allOptions) {
    if (option.flag === "--name") expect(option.help).toMatch(/^name of the (?:AKS |connected )?cluster/);
    if (option.flag === "--identities-name") expect(option.help).toMatch(/^name of the identity set/);
  }
});

test("an old spelling of a flag is an alias of the new one", () => {
  const renamed = rowsUnder("| before | now | why |").filter(
    ([before, now]) => /^--\S+$/.test(before?.[0] ?? "") && now?.[0]?.startsWith("--"),
  );
  expect(renamed.length).toBeGreaterThan(12);
  for (const [[before = ""] = [], [now = ""] = []] of renamed) {
    const option = allOptions.find(({ flag }) => flag === now);
    expect(option && spellingsOf(option), now).toContain(before.replace(/ .*/, ""));
  }
});

test.each([
  [["delete", "infra"], "`destroy infra`"],
  [["delete", "arc", "extension"], "`destroy arc extension`"],
  [["plan"], "`create all --dry-run`"],
  [["import", "something"], "`adopt --help`"],
  [["ls"], "`list`"],
])("%j is answered with %s", (words, answer) => {
  expect(ourWordsFor(words)).toContain(answer);
});
