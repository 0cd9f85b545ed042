/** How every command that checks something does it: inspections run, results told, an exit code made of them. */
import { toFailure } from "../../azure/to-failure.js";
import { exitCodes, type ExitCode } from "../../errors/exit-codes.js";
import { Failure } from "../../errors/failure.js";
import { printDocument } from "../../render/document.js";
import { countStates, verificationText, type Counts } from "../../render/verification-text.js";
import { didYouMean } from "../../settings/did-you-mean.js";
import type { Result } from "../../verify/check.js";
import type { CheckInstance } from "../../verify/check-instance.js";
import { runChecks } from "../../verify/run.js";
import { selectedResults, withNeeds, type Chosen } from "../../verify/selection.js";
import type { RunContext } from "./run-context.js";

export interface Verification {
  readonly command: string;
  readonly instances: readonly CheckInstance[];
  readonly chosen: Chosen;
  readonly concurrency: number;
  readonly output: "text" | "json";
  /** For people: what is verified, and where: "infrastructure of demo (demo-x7k2): subscription ...". */
  readonly heading?: string;
  /** The directory that create all wrote, where one is given. */
  readonly directory?: string | undefined;
}

export interface Verified {
  /** The exit code. */
  readonly code: ExitCode;
  /** The results that were told. */
  readonly told: readonly Result[];
}

/** Runs the chosen ones and tells what they found. */
export async function verified(context: RunContext, given: Verification): Promise<Verified> {
  const { command, instances, chosen, concurrency, output, heading, directory } = given;
  const wanted = withNeeds(instances, chosen);
  if (wanted.length === 0) throw nothingChosen(chosen);
  const results = await runChecks(wanted, {
    concurrency,
    signal: context.signal,
    emit: context.emit,
    elapsedMs: context.port.clock.elapsedMs,
    toFailure,
    // What the views show while Azure is being read.
    onResult: ({ check, subject }) => {
      context.emit({ type: "step.planned", step: `${check}/${subject}`, title: check, act: "keep", why: undefined, changes: [] });
    },
  });
  context.endProgress();
  const told = selectedResults(results, chosen).map((result) => inFull(result, context.result.told));
  const counts = countStates(told);
  if (output === "json") printDocument(context.result, { ok: counts.failed === 0, command, counts, results: told });
  else context.result.print(verificationText(context.result, told, { heading, closing: wholeAdvice(counts, directory) }));
  return { code: exitCodeOf(counts), told };
}

/** For the terminal, for programs, and for the page. */
function inFull(result: Result, told: (text: string) => string): Result {
  return { ...result, evidence: told(result.evidence), next: result.next === undefined ? undefined : told(result.next) };
}

/** What was made by one command is mended by it. */
function wholeAdvice({ failed, warning }: Counts, directory: string | undefined): string | undefined {
  if (directory === undefined || failed + warning === 0) return undefined;
  return `create all wrote ${directory}: the same create all again, with the flags it was given, makes what is missing in Azure and writes these files anew`;
}

/** To end well without a word would pass for good news. */
function nothingChosen({ checks, subjects }: Chosen): Failure {
  const flags = [...checks.map((id) => `--only ${id}`), ...subjects.map((subject) => `--component ${subject}`)].join(" ");
  return new Failure("ARO-USAGE-001", `${flags}: of what is given, nothing is checked so`, {
    next: ["leave them out to see what is checked: what there is to check depends on what is given"],
  });
}

function exitCodeOf({ failed, warning }: Counts): ExitCode {
  if (failed > 0) return exitCodes.broken;
  return warning > 0 ? exitCodes.expiring : exitCodes.done;
}

/** Throws ARO-USAGE-001 for a check that there is none of. `page` lists those that there are: "docs/doctor.md". */
export function requireKnownChecks(only: readonly string[], known: readonly string[], page: string): void {
  const unknown = only.find((id) => !known.includes(id));
  if (unknown === undefined) return;
  throw new Failure("ARO-USAGE-001", `--only: there is no check "${unknown}"${didYouMean(unknown, known)}`, {
    next: [`\`${page}\` lists the checks`],
  });
}
