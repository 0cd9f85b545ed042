/** Runs the checks of every verify command, shows the results, and returns the exit code. */
import type { Azure } from "../azure/azure.js";
import { toFailure } from "../azure/to-failure.js";
import { aroHcp, mapCommands, ownCommandsIn, type Advice, type OwnCommands, type RenderAdvice } from "../errors/advice.js";
import { exitCodes, type ExitCode } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import { printDocument } from "../render/document.js";
import { junitResults } from "../render/junit.js";
import { sarifResults } from "../render/sarif.js";
import type { Drawing } from "../render/report/page.js";
import type { Screen } from "../render/screen.js";
import { countStates, verificationText, type Counts } from "../render/verification-text.js";
import type { Result } from "../verify/check.js";
import type { CheckInstance } from "../verify/check-instance.js";
import { runChecks } from "../verify/run.js";
import { selectedResults, withNeeds, type CheckFilter } from "../verify/selection.js";
import type { ConnectionFlagSettings } from "./connection-flags.js";
import { version } from "./package-version.js";
import type { RunContext } from "./run-context.js";
import type { ResultForm } from "./requested-form.js";

/** The settings of every command that runs checks. */
export interface VerificationSettings {
  readonly concurrency: number;
  readonly output: ResultForm;
  /** The IDs of the checks to run; all if empty. */
  readonly only: readonly string[];
  readonly config?: string | undefined;
}

export interface Verification {
  readonly command: string;
  readonly instances: readonly CheckInstance[];
  /** All if empty. */
  readonly subjects?: readonly string[];
  readonly settings: VerificationSettings;
  /** What is verified: "infrastructure of demo (demo-x7k2)". */
  readonly about?: string;
  /** Where: "infra.json, subscription ...". */
  readonly places?: readonly (string | undefined)[];
  /** Draws the flow of the report. */
  readonly drawing?: (results: readonly RenderedResult[]) => Drawing;
  /** The output directory of create all, if passed. */
  readonly directory?: string | undefined;
  /** In place of one suite with the results. */
  readonly junit?: () => string;
}

/** A verification whose files are read: what its connection needs to know, and what it checks once it is connected. */
export interface PreparedVerification {
  readonly notices: readonly string[];
  readonly connection: Pick<ConnectionFlagSettings, "documentSubscription" | "cluster">;
  readonly connected: (azure: Azure, context: RunContext) => Promise<Omit<Verification, "command" | "settings">>;
}

/** A result with rendered advice. */
export interface RenderedResult extends Result {
  readonly evidence: string;
  readonly next: string | undefined;
}

/** Runs the selected checks and shows their results. Returns the exit code. */
export async function runVerification(context: RunContext, given: Verification): Promise<ExitCode> {
  const { command, instances, subjects = [], settings, about, places = [], drawing, directory, junit } = given;
  const chosen = { subjects, checks: settings.only };
  const wanted = withNeeds(instances, chosen);
  if (wanted.length === 0) throw noMatchingCheck(chosen);
  const results = await runChecks(wanted, {
    concurrency: settings.concurrency,
    signal: context.signal,
    emit: context.emit,
    elapsedMs: context.port.clock.elapsedMs,
    toFailure,
    onResult: ({ check, subject, state, severity, evidence, next }) => {
      context.emit({ type: "check.result", check, subject, state, severity, evidence, next });
    },
  });
  const selected = selectedResults(results, chosen);
  const renderAdvice: RenderAdvice = (advice) => context.renderAdvice(directory === undefined ? advice : inDirectory(advice, directory));
  const shown = selected.map((result) => renderedResult(result, renderAdvice));
  const counts = countStates(shown);
  context.emit({ type: "verification.finished", ok: counts.failed === 0, counts });
  context.endProgress();
  const code = exitCodeOf(counts);
  const heading = about === undefined ? undefined : `${about}: ${places.filter((place) => place !== undefined).join(", ")}`;
  context.report({ title: about, results: shown, drawing: drawing && (() => drawing(shown)) });
  const closing = closingOf(selected, directory);
  const textOn = (screen: Screen) => {
    screen.show(verificationText(screen, shown, { heading, closing }));
  };
  switch (settings.output) {
    case "text":
      textOn(context.result);
      break;
    case "json":
      printDocument(context.result, { ok: counts.failed === 0, command, counts, results: shown });
      break;
    case "junit":
      // A file is for a program; the log of a pipeline is for people.
      textOn(context.people);
      context.result.print(junit?.() ?? junitResults(command, about, shown));
      break;
    case "sarif":
      textOn(context.people);
      context.result.print(sarifResults({ command, version, exitCode: code, file: settings.config }, shown));
  }
  return code;
}

/** For the terminal, for programs, and for the HTML report. */
export function renderedResult({ evidence, next, ...about }: Result, renderAdvice: RenderAdvice): RenderedResult {
  return { ...about, evidence: renderAdvice(evidence), next: next === undefined ? undefined : renderAdvice(next) };
}

/** What `create all` does too. */
const partsOfAll: ReadonlySet<string> = new Set<keyof OwnCommands>([
  "create infra",
  "create identities",
  "create key-pair",
  "create oidc-issuer",
  "create encryption-key",
]);

/** One unfinished create is the reason of many findings. */
function closingOf(results: readonly Result[], directory: string | undefined): string | undefined {
  const isUnfinished = results.some(({ next }) => next !== undefined && ownCommandsIn(next).some(({ run }) => partsOfAll.has(run)));
  if (directory === undefined || !isUnfinished) return undefined;
  return `the create all that writes ${directory} is not complete, or what it made has changed since: rerun it before you follow other advice`;
}

/** A create of one part knows neither the other flags of the create all nor all of its files. */
function inDirectory(advice: Advice, outputDir: string): Advice {
  return mapCommands(advice, (command) => (partsOfAll.has(command.run) ? aroHcp("create all", { outputDir }) : command));
}

/** An empty result would look like a passed one. */
function noMatchingCheck({ checks, subjects }: CheckFilter): Failure {
  const flags = [...checks.map((id) => `--only ${id}`), ...subjects.map((subject) => `--component ${subject}`)].join(" ");
  return new Failure("ARO-USAGE-001", `${flags}: no check matches these filters`, {
    next: ["omit them to see every check; the set of checks depends on the passed files and flags"],
  });
}

function exitCodeOf({ failed, warning }: Counts): ExitCode {
  if (failed > 0) return exitCodes.broken;
  return warning > 0 ? exitCodes.expiring : exitCodes.done;
}
