/** Writes the results of a verification as JUnit XML for GitLab and Azure Pipelines. */
import type { FailureJson } from "../errors/format.js";
import { withoutControl } from "../text/control.js";
import { countStates, type ShownResult } from "./verification-text.js";

/**
 * A warning is a passed test case with output: JUnit has no state for it. What was verified is in the names, because GitLab takes test cases
 * with the same names for one.
 */
export function junitResults(command: string, about: string | undefined, results: readonly ShownResult[]): string {
  return document([resultSuite(about === undefined ? command : `${command}: ${about}`, results)]);
}

/** For a command that failed before it had results: one test case with an error for each failure. */
export function junitFailures(command: string, failures: readonly FailureJson[]): string {
  return document([failureSuite(command, failures)]);
}

/** What a command did for several: a suite for each, with its checks, its failures, or one case that passed or was skipped. */
export interface JunitMember {
  readonly name: string;
  readonly checks: readonly ShownResult[];
  readonly failures: readonly FailureJson[];
  /** Why nothing is known about it. */
  readonly skipped?: string;
}

export function junitMembers(command: string, members: readonly JunitMember[]): string {
  return document(
    members.map(({ name, checks, failures, skipped }) => {
      const suite = `${command}: ${name}`;
      if (skipped !== undefined) {
        return {
          suite,
          counts: { ...none, tests: 1, skipped: 1 },
          cases: [testCase(suite, suite, `<skipped message="${attribute(skipped)}"/>`)],
        };
      }
      const parts = [
        ...(checks.length > 0 ? [resultSuite(suite, checks)] : []),
        ...(failures.length > 0 ? [failureSuite(suite, failures)] : []),
      ];
      if (parts.length === 0) return { suite, counts: { ...none, tests: 1 }, cases: [testCase(suite, suite, "")] };
      return { suite, counts: sum(parts.map(({ counts }) => counts)), cases: parts.flatMap(({ cases }) => cases) };
    }),
  );
}

interface Suite {
  readonly suite: string;
  readonly counts: Counts;
  readonly cases: readonly string[];
}

function resultSuite(suite: string, results: readonly ShownResult[]): Suite {
  const { failed, skipped } = countStates(results);
  return { suite, counts: { tests: results.length, failures: failed, errors: 0, skipped }, cases: results.map(resultCase(suite)) };
}

function failureSuite(suite: string, failures: readonly FailureJson[]): Suite {
  const cases = failures.map(({ code, message, because, problems = [], next }) => {
    const lines = [
      message,
      ...(because === undefined ? [] : [`because: ${because}`]),
      ...problems.map((problem) => `${problem.origin} ${problem.message}`),
      ...next.map((advice) => `next: ${advice}`),
    ];
    return testCase(suite, code, `<error type="${attribute(code)}" message="${attribute(message)}">${content(lines)}</error>`);
  });
  return { suite, counts: { ...none, tests: failures.length, errors: failures.length }, cases };
}

type Counts = Readonly<Record<"tests" | "failures" | "errors" | "skipped", number>>;
const none: Counts = { tests: 0, failures: 0, errors: 0, skipped: 0 };

function sum(all: readonly Counts[]): Counts {
  const total = { ...none };
  for (const counts of all) for (const key of ["tests", "failures", "errors", "skipped"] as const) total[key] += counts[key];
  return total;
}

function document(suites: readonly Suite[]): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="aro-hcp" ${totals(sum(suites.map(({ counts }) => counts)))}>`,
    ...suites.flatMap(({ suite, counts, cases }) => [`<testsuite name="${attribute(suite)}" ${totals(counts)}>`, ...cases, "</testsuite>"]),
    "</testsuites>",
  ].join("\n");
}

function totals(counts: Counts): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}="${String(count)}"`)
    .join(" ");
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
