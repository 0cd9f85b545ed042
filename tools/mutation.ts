/** Changes the sources that decide, one place at a time, and prints each change that no test notices: `npm run mutation -- [--since COMMIT] [PART...]`. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import type { schema } from "@stryker-mutator/api/core";
import { plural } from "../src/text/plural.js";
import { partOf, parts } from "./mutation/parts.js";

/** At least this percentage of the mutants of these parts must be noticed. The score of the others is only printed. */
const wantedScore = 85;
const scoredParts = ["engine", "ownership", "removal"];
/** Here, each of them. */
const withoutSurvivors = ["ownership", "removal"];

const { values, positionals } = parseArgs({ options: { since: { type: "string" } }, allowPositionals: true });
const unknown = positionals.find((name) => !(name in parts));
if (unknown !== undefined) throw new Error(`there is no part ${unknown}: ${Object.keys(parts).join(", ")}`);

const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).map((file) => path.join("src", file));
const changed =
  values.since === undefined ? undefined : execFileSync("git", ["diff", "--name-only", values.since], { encoding: "utf8" }).split("\n");
const files = sources.filter((file) => {
  const part = file.endsWith(".ts") ? partOf(file) : undefined;
  if (part === undefined || (positionals.length > 0 && !positionals.includes(part))) return false;
  return changed === undefined || changed.includes(file);
});
if (files.length === 0) {
  console.log("no file of these parts has changed");
  process.exit();
}

const { status } = spawnSync("stryker", ["run", "--incremental", "--mutate", files.join(",")], { stdio: "inherit" });
if (status !== 0 || !existsSync("reports/mutation.json")) process.exit(status ?? 1);

const report = JSON.parse(readFileSync("reports/mutation.json", "utf8")) as schema.MutationTestResult;
const problems: string[] = [];
console.log("part         mutants  noticed  survived  not run   score");
for (const part of Object.keys(parts)) {
  const mutants = Object.entries(report.files).flatMap(([file, one]) => (files.includes(file) && partOf(file) === part ? one.mutants : []));
  const count = (...statuses: readonly string[]) => mutants.filter((one) => statuses.includes(one.status)).length;
  const [noticed, survived, notRun] = [count("Killed", "Timeout"), count("Survived"), count("NoCoverage")];
  const all = noticed + survived + notRun;
  if (all === 0) continue;
  const score = (100 * noticed) / all;
  const columns = [all, noticed, survived, notRun].map((one) => String(one).padStart(8)).join(" ");
  console.log(`${part.padEnd(11)} ${columns}  ${score.toFixed(1).padStart(5)} %`);
  if (scoredParts.includes(part) && score < wantedScore) problems.push(`${part}: the score is below ${wantedScore} %`);
  if (withoutSurvivors.includes(part) && survived > 0) problems.push(`${part}: no test notices ${plural(survived, "mutant")}`);
}
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
