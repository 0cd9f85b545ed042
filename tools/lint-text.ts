/**
 * Checks the words of documents, comments, strings and names against text-rules.yml.
 * With paths, checks only those, even if they are in `notYetSwept`. With --count, counts each phrase in all files.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { plural } from "../src/text/plural.js";
import { isUnder, textLinter } from "./text/lint.js";
import { places, readRuleFile } from "./text/rule-file.js";

const rules = readRuleFile("text-rules.yml");
const linter = textLinter(rules);
const words = process.argv.slice(2);
const counting = words.includes("--count");
const paths = words.filter((word) => !word.startsWith("--"));

function filesIn(path: string): string[] {
  return statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, encoding: "utf8" })
        .map((name) => join(path, name))
        .filter((file) => /\.(?:ts|md)$/.test(file))
        .sort()
    : [path];
}

async function ofEach<T>(files: readonly string[], read: (file: string, text: string) => Promise<readonly T[]>): Promise<T[]> {
  const results: T[] = [];
  for (const file of files) {
    results.push(...(await read(file, readFileSync(file, "utf8"))));
  }
  return results;
}

const files = (paths.length === 0 ? rules.files : paths).flatMap(filesIn);

if (counting) {
  const hits = await ofEach(files, linter.hits);
  const count = (phrase: string, place: string) => hits.filter((hit) => hit.phrase === phrase && hit.place === place).length;
  for (const { phrase } of rules.phrases.filter(({ phrase }) => hits.some((hit) => hit.phrase === phrase))) {
    const counts = places.map((place) => `${place} ${String(count(phrase, place))}`).join(", ");
    console.log(`${counts}: ${phrase}`);
  }
  console.log(`${plural(hits.length, "occurrence")} of ${plural(rules.phrases.length, "phrase")} in ${plural(files.length, "file")}`);
} else {
  const checked = paths.length > 0 ? files : files.filter((file) => !isUnder(rules.notYetSwept, file));
  const problems = await ofEach(checked, linter.problems);
  if (problems.length > 0) {
    console.error(problems.join("\n"));
    console.error(`${plural(problems.length, "problem")}: text-rules.yml lists the words to use`);
    process.exitCode = 1;
  }
}
