/** The tests that can notice a change, the likeliest first. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { program, reachedFrom, type Reached } from "./reached.js";

/** Each decides how every test runs. */
const ofAll: readonly string[] = ["vitest.config.ts", "test/harness/global-setup.ts", "test/harness/key-pool.ts", "package-lock.json"];

/**
 * The more a test is called like a changed file, the earlier it runs. Of the others, tests of modules take milliseconds; those that run a command
 * follow, then those that read whole folders. Of two, the nearer to the change comes first, then the one that reaches less.
 */
export function selectTests(changed: readonly string[]): string[] {
  const rated = allTests().map((test) => {
    const reached = reachedFrom(test);
    const distance = Math.min(...changed.map((file) => distanceTo(file, reached)));
    const group = distance === farthest ? 2 : reached.modules.has(program) ? 1 : 0;
    return { test, group, unlike: -Math.max(...changed.map((file) => likeness(file, test))), distance, size: reached.modules.size };
  });
  return rated
    .filter(({ distance }) => distance < Infinity)
    .sort((a, b) => a.unlike - b.unlike || a.group - b.group || a.distance - b.distance || a.size - b.size)
    .map(({ test }) => test);
}

/** How many words their paths share: `verify/infra-roles.test.ts` is about `verify/infra/roles.ts`. */
function likeness(file: string, test: string): number {
  const words = new Set(test.split(/\W/));
  return new Set(file.split(/\W/).filter((word) => word !== "ts" && words.has(word))).size;
}

function allTests(): string[] {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".test.ts")).map((file) => path.join("test", file));
}

function distanceTo(file: string, { modules, words }: Reached): number {
  if (ofAll.includes(file)) return farthest;
  return modules.get(file) ?? (namesOf(file).some((name) => words.has(name)) ? farthest : Infinity);
}

/** Behind all that import the file. */
const farthest = 1000;

/** What a test that reads the file names: the file or one of its folders; of sources, which every test has words of, the outermost folder. */
function namesOf(file: string): string[] {
  const { dir, name } = path.parse(file);
  const folders = dir.split("/").filter((folder) => folder !== "");
  return file.endsWith(".ts") ? folders.slice(0, 1) : [...folders, name];
}
