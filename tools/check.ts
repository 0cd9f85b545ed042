/** `npm run check`: types, lint and tests of what changed, in a minute. Tests that are far from the change may be left to `npm test`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { plural } from "../src/text/plural.js";
import { changedFiles } from "./check/changed-files.js";
import { runTests } from "./check/run-tests.js";
import { selectTests } from "./check/selection.js";

/** After the start of this program; ending the tests takes some seconds more. */
const testsEndMs = 50_000;

const elapsed = (): string => `${(performance.now() / 1000).toFixed(0)} s`;

/** npm finds the programs of packages. Prints what a command that fails has printed. */
async function passes(command: string, ...args: readonly string[]): Promise<boolean> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => printed.push(data));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) console.error(`${command}: failed\n${Buffer.concat(printed).toString()}`);
  return code === 0;
}

/** One after the other, because the tests run beside them. */
async function lint(changed: readonly string[]): Promise<boolean> {
  const code = changed.filter((file) => /^(src|test|tools)\/.*\.ts$/.test(file));
  const texts = changed.filter((file) => /^(docs|src|test|tools)\/.*\.(ts|md)$|^[A-Z]+\.md$/.test(file));
  const results = [await passes("prettier", "--check", "--ignore-unknown", ...changed)];
  if (texts.length > 0) results.push(await passes("node", "tools/run.mjs", "lint-text", ...texts));
  if (code.length > 0) {
    results.push(await passes("tsc", "--noEmit", "--incremental", "--tsBuildInfoFile", ".build/types.json"));
    results.push(await passes("eslint", "--max-warnings", "0", ...code));
  }
  console.log(
    `types and lint of ${plural(changed.length, "changed file")}: ${results.includes(false) ? "failed" : "passed"} (${elapsed()})`,
  );
  return !results.includes(false);
}

async function test(changed: readonly string[]): Promise<boolean> {
  const tests = selectTests(changed);
  if (tests.length === 0) return true;
  const { failed, finished } = await runTests(tests, testsEndMs);
  const rest = tests.length - finished;
  console.log(`${plural(finished, "test file")}: ${failed ? "failed" : "passed"} (${elapsed()})`);
  if (rest > 0) console.log(`${plural(rest, "test file")} farther from the change did not run: \`npm test\` runs them`);
  return !failed;
}

const changed = changedFiles();
if (changed.length === 0) console.log("nothing has changed");
else {
  const results = await Promise.all([lint(changed), test(changed)]);
  process.exit(results.includes(false) ? 1 : 0);
}
