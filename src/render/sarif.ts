/** The results of a verification as SARIF 2.1.0 (OASIS), for code scanning and other viewers. */
import type { FailureJson } from "../errors/format.js";
import { jsonText } from "../text/control.js";
import type { ShownResult } from "./verification-text.js";

export interface SarifRun {
  readonly command: string;
  readonly version: string;
  readonly exitCode: number;
  /** The configuration file. GitHub shows only results that have a place in a file. */
  readonly file: string | undefined;
}

/** Failed checks and warnings are results; a skipped check is a notification, as it found nothing. */
export function sarifResults(run: SarifRun, results: readonly ShownResult[]): string {
  const rules = [...new Map(results.map(({ check, sentence }) => [check, sentence]))];
  const findings = results.filter(({ state }) => state === "failed" || state === "warning");
  return document(run, {
    rules: rules.map(([id, sentence]) => ({ id, shortDescription: { text: sentence } })),
    results: findings.map((finding) => ({
      ruleId: finding.check,
      ruleIndex: rules.findIndex(([id]) => id === finding.check),
      level: finding.state === "failed" ? "error" : "warning",
      message: { text: `${finding.subject}: ${finding.evidence}${finding.next === undefined ? "" : `\nnext: ${finding.next}`}` },
      locations: [location(run, finding.subject)],
      // Evidence changes from run to run; check and subject say which finding it is.
      partialFingerprints: { "checkAndSubject/v1": `${finding.check}/${finding.subject}` },
    })),
    notifications: results
      .filter(({ state }) => state === "skipped")
      .map(({ check, subject, evidence }) => ({
        level: "note",
        message: { text: `${check} of ${subject} was skipped: ${evidence}` },
        associatedRule: { id: check, index: rules.findIndex(([id]) => id === check) },
      })),
  });
}

/** For a command that failed before it had results. */
export function sarifFailures(run: SarifRun, failures: readonly FailureJson[]): string {
  return document(run, {
    rules: [],
    results: [],
    notifications: failures.map(({ code, message, because, problems = [], next }) => ({
      level: "error",
      descriptor: { id: code },
      message: {
        text: [
          because === undefined ? message : `${message}: ${because}`,
          ...problems.map((problem) => `${problem.origin} ${problem.message}`),
          ...next.map((advice) => `next: ${advice}`),
        ].join("\n"),
      },
    })),
    isComplete: false,
  });
}

interface Content {
  readonly rules: readonly object[];
  readonly results: readonly object[];
  readonly notifications: readonly object[];
  /** False if the command has no results. */
  readonly isComplete?: boolean;
}

function document({ command, version, exitCode }: SarifRun, { rules, results, notifications, isComplete = true }: Content): string {
  return jsonText(
    {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "aro-hcp", version, rules } },
          // Of several runs for one commit, the category says which one a new upload replaces.
          automationDetails: { id: `aro-hcp/${command.replaceAll(" ", "-")}/` },
          invocations: [{ executionSuccessful: isComplete, exitCode, toolExecutionNotifications: notifications }],
          results,
        },
      ],
    },
    2,
  );
}

function location({ file }: SarifRun, subject: string): object {
  return {
    logicalLocations: [{ name: subject, kind: "resource" }],
    ...(file !== undefined && { physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: 1 } } }),
  };
}

/** A relative path is a relative reference: GitHub resolves it in the repository. */
function uriOf(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
