/** The verification of one part of a whole, as two checks of that: whether it works, and whether it has warnings. */
import { advise, type Advice } from "../errors/advice.js";
import { exitCodes, worstCode } from "../errors/exit-codes.js";
import type { FailureJson } from "../errors/format.js";
import { junitMembers } from "../render/junit.js";
import type { ShownResult } from "../render/verification-text.js";
import { plural } from "../text/plural.js";
import { failed, passed, type Check } from "../verify/check.js";
import { checkInstance, outputOf, type CheckInstance } from "../verify/check-instance.js";
import type { RunContext } from "./run-context.js";
import { runVerification, type Verification, type VerificationSettings } from "./verification.js";

export interface PartEnd {
  readonly code: number;
  readonly failures: readonly FailureJson[];
  readonly checks: readonly ShownResult[];
}

export interface VerifiedPart {
  readonly name: string;
  /** Never rejects for what is wrong with the part. */
  readonly verify: () => Promise<PartEnd>;
  /** Where each of its checks stands. */
  readonly elsewhere: Advice;
}

/** The two checks of each part. */
export interface PartChecks {
  readonly works: Check;
  readonly warnings: Check;
}

interface PartVerification extends Pick<Verification, "command" | "about"> {
  readonly settings: Omit<VerificationSettings, "only">;
  readonly checks: PartChecks;
  /** Each has a name of its own. */
  readonly parts: readonly VerifiedPart[];
}

/** Verifies the parts side by side. Returns the worst code. */
export async function runPartVerifications(context: RunContext, { checks, parts, settings, ...shown }: PartVerification): Promise<number> {
  const ends = new Map<string, PartEnd>();
  const instances = parts.flatMap((part) =>
    partInstances(checks, part, async () => {
      const end = await part.verify();
      ends.set(part.name, end);
      return end;
    }),
  );
  const members = () => [...ends].map(([name, end]) => ({ name, checks: end.checks, failures: end.failures }));
  const code = await runVerification(context, {
    ...shown,
    settings: { ...settings, only: [] },
    instances,
    junit: () => junitMembers(shown.command, members()),
  });
  return worstCode([code, ...[...ends.values()].map((end) => end.code)]);
}

function partInstances(checks: PartChecks, { name, elsewhere }: VerifiedPart, verify: () => Promise<PartEnd>): readonly CheckInstance[] {
  const next = (end: PartEnd, state: "failed" | "warning") => {
    const found = end.checks.find((check) => check.state === state)?.next ?? end.failures[0]?.next.join("; ");
    return found !== undefined && isForAll(found) ? advise`${found}; ${elsewhere}` : elsewhere;
  };
  const works = checkInstance(checks.works, name, {}, async () => {
    const end = await verify();
    if (end.code === exitCodes.done || end.code === exitCodes.expiring) return passed(evidenceOf(end, "passed"), end);
    return failed(evidenceOf(end, "failed"), next(end, "failed"), { value: end });
  });
  const warnings = checkInstance(checks.warnings, name, { end: outputOf<PartEnd, string>(works.id) }, ({ end }) => {
    const evidence = evidenceOf(end, "warning");
    return end.checks.some(({ state }) => state === "warning") ? failed(evidence, next(end, "warning")) : passed(evidence);
  });
  return [works, warnings];
}

/** Flags in the advice for a part are those of its own command. What stands in backticks is a whole command. */
export function isForAll(advice: string): boolean {
  return !/--[a-z]/.test(advice.replaceAll(/`[^`]*`/g, ""));
}

/** Its own verification has all of them. */
const mostNamed = 3;

/** "2 of 40 checks failed: resource-exists of the public zone: it does not exist; ..." */
function evidenceOf({ checks, failures }: PartEnd, state: "passed" | "failed" | "warning"): string {
  const found = checks.filter((check) => check.state === state);
  const all = plural(checks.length, "check");
  const [failure] = failures;
  if (failure !== undefined && state === "failed") return `${failure.code}: ${failure.message}`;
  const skipped = checks.filter((check) => check.state === "skipped").length;
  if (state === "passed") return `${found.length} of ${all} passed${skipped === 0 ? "" : `, ${String(skipped)} skipped`}`;
  const named = found.slice(0, mostNamed).map(({ check, subject, evidence }) => `${check} of ${subject}: ${evidence}`);
  const words = state === "failed" ? "failed" : found.length === 1 ? "is a warning" : "are warnings";
  return `${found.length} of ${all} ${words}${named.length === 0 ? "" : `: ${named.join("; ")}${found.length > mostNamed ? "; ..." : ""}`}`;
}
