import { expect, test } from "vitest";
import { textLinter } from "../../tools/text/lint.js";

const linter = textLinter({
  files: [],
  notYetSwept: [],
  quotations: ["src/emulator"],
  sentences: { words: 5 },
  lines: { columns: 40 },
  openings: { characters: 70, files: ["src"] },
  terms: ["FooBar"],
  phrases: [{ phrase: "old word", instead: "new word", in: ["docs", "comments", "strings", "names"] }],
});

const problems = async (file: string, lines: readonly string[]) =>
  (await linter.problems(file, lines.join("\n"))).map((problem) => problem.slice(file.length + 1));

test("a phrase is found in comments, across their lines, in strings around values, and in names, at its line", async () => {
  expect(
    await problems("src/a.ts", [
      "/**",
      " * This is an old",
      " * word.",
      " */",
      "export const oldWordOf = 1;",
      'import { oldWord } from "./old-word.js";',
      "export const text = `an old word: ${text.oldWord} here`;",
    ]),
  ).toEqual([
    '2:15 "old word" in comments: new word',
    '5:14 oldWordOf: "old Word" in names: new word',
    '7:25 "old word" in strings: new word',
  ]);
});

test("a file is named in plain words, too", async () => {
  expect(await problems("src/old-word.ts", [""])).toEqual(['1:1 the name of this file: "old word" in names: new word']);
});

test("documents are checked in headings, tables and across lines, their code as names", async () => {
  expect(await problems("docs/a.md", ["# An old word", "", "One old", "word: `oldWord`.", "", "| old word |", "| --- |", "| a |"])).toEqual(
    [
      '1:6 "old word" in docs: new word',
      '3:5 "old word" in docs: new word',
      '4:7 oldWord: "old Word" in names: new word',
      '6:3 "old word" in docs: new word',
    ],
  );
});

test("long sentences and misspelt terms are reported, but not in the strings that another product worded", async () => {
  const lines = [
    "/** One two three four five. One two `three four` five six seven. */",
    'export const text = "The foobar of one two three four.";',
  ];
  const comment = "1:30 a sentence of 6 words: at most 5, one idea a sentence";
  expect(await problems("src/emulator/a.ts", lines)).toEqual([comment]);
  expect(await problems("src/a.ts", lines)).toEqual([
    comment,
    "2:22 a sentence of 7 words: at most 5, one idea a sentence",
    "2:26 Incorrect term: “foobar”, use “FooBar” instead",
  ]);
});

test("wide lines of prose are reported in documents, but not tables, code and comments", async () => {
  const words = "one two, three four, five; one two, three";
  expect(await problems("docs/a.md", [`- One, two;`, `  ${words}`, "", `| ${words} |`, "| --- |", "", "```", words, "```"])).toEqual([
    "2:1 a line of 43 columns: at most 40",
  ]);
  expect(await problems("src/a.ts", [`/** One; ${words}. */`])).not.toContainEqual(expect.stringContaining("columns"));
});

test("a file whose opening is too long is reported, but neither further paragraphs, other comments nor files outside of src", async () => {
  const long = ["/**", " * A state; of words; that are short;", " * and that end; far beyond, the limit.", " */"];
  const fits = "/** A state; of words; that are short; and that end; at the, limit. */";
  expect(await problems("src/a.ts", long)).toEqual(["2:4 an opening of 71 characters: at most 70, one sentence on what the file is"]);
  expect(await problems("src/a.ts", ["/**", " * A state.", " *", ...long.slice(1)])).toEqual([]);
  expect(await problems("src/a.ts", [fits, "", ...long])).toEqual([]);
  expect(await problems("src/a.ts", ["export const a = 1;", ...long])).toEqual([]);
  expect(await problems("test/a.ts", long)).toEqual([]);
});

test("imports, keys, command lines, quoted words, snapshots of output and code in backticks are not prose", async () => {
  expect(
    await problems("src/a.ts", [
      'import "old word";',
      'const key = "old-word";',
      "/** A `b c d e f g h` here. */",
      "shell`an old word`;",
      'const example = "az an old word";',
      "const quoted = 'a word, \"foobar\", here';",
      "const raw = String.raw`an old word`;",
      "expect(output).toMatchInlineSnapshot(`an old word`);",
    ]),
  ).toEqual([]);
});

test("a key in a file of quotations is a word of another product, but a variable there is not", async () => {
  const lines = ["const oldWord = { oldWord: 1 };"];
  expect(await problems("src/a.ts", lines)).toHaveLength(2);
  expect(await problems("src/emulator/a.ts", lines)).toEqual(['1:7 oldWord: "old Word" in names: new word']);
});
