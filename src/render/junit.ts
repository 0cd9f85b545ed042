/** Writes the results of a verification as JUnit XML for GitLab and Azure Pipelines. */
import type { FailureJson } from "../errors/format.js";
import { withoutControl } from "../text/control.js";
import { countStates, type ShownResult } from "./verification-text.js";

/**
 * A warning is a passed test case with output: JUnit has no state for it. What was verified is in the names, because GitLab takes test cases
 * with the same names for one.
 */
export function junitResults(command: string, about: string | undefined, results: readonly ShownResult[]): string {
  const { failed, skipped } = countStates(results);
  const suite = about === undefined ? command : `${command}: ${about}`;
  return document(suite, { tests: results.length, failures: failed, errors: 0, skipped }, results.map(resultCase(suite)));
}

/** For a command that failed before it had results: one test case with an error for each failure. */
export function junitFailures(command: string, failures: readonly FailureJson[]): string {
  const cases = failures.map(({ code, message, because, problems = [], next }) => {
    const lines = [
      message,
      ...(because === undefined ? [] : [`because: ${because}`]),
      ...problems.map((problem) => `${problem.origin} ${problem.message}`),
      ...next.map((advice) => `next: ${advice}`),
    ];
    return testCase(command, code, `<error type="${attribute(code)}" message="${attribute(message)}">${content(lines)}</error>`);
  });
  return document(command, { tests: failures.length, failures: 0, errors: failures.length, skipped: 0 }, cases);
}

type Counts = Readonly<Record<"tests" | "failures" | "errors" | "skipped", number>>;

function document(suite: string, counts: Counts, cases: readonly string[]): string {
  const totals = Object.entries(counts)
    .map(([name, count]) => `${name}="${String(count)}"`)
    .join(" ");
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="aro-hcp" ${totals}>`,
    `<testsuite name="${attribute(suite)}" ${totals}>`,
    ...cases,
    "</testsuite>",
    "</testsuites>",
  ].join("\n");
}

const resultCase = (suite: string) => (result: ShownResult) => {
  const { check, subject, state, sentence, evidence, next } = result;
  const lines = [`expected: ${sentence}`, `found: ${evidence}`, ...(next === undefined ? [] : [`next: ${next}`])];
  const outcome = {
    passed: "",
    warning: `<system-out>${content(["warning", ...lines])}</system-out>`,
    failed: `<failure type="${attribute(check)}" message="${attribute(evidence)}">${content(lines)}</failure>`,
    skipped: `<skipped message="${attribute(evidence)}"/>`,
  }[state];
  return testCase(suite, `${check} of ${subject}`, outcome);
};

/** GitLab shows only the name of a test case. */
function testCase(suite: string, name: string, outcome: string): string {
  const head = `<testcase classname="${attribute(suite)}" name="${attribute(name)}"`;
  return outcome === "" ? `${head}/>` : `${head}>${outcome}</testcase>`;
}

function content(lines: readonly string[]): string {
  return lines.map(escaped).join("\n");
}

function attribute(text: string): string {
  return escaped(text).replaceAll('"', "&quot;");
}

/** XML cannot contain control characters. */
function escaped(text: string): string {
  return withoutControl(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
