/** The verification of one part of a whole, as two checks of that: whether it works, and whether it has warnings. */
import { advise, type Advice } from "../errors/advice.js";
import { exitCodes } from "../errors/exit-codes.js";
import type { FailureJson } from "../errors/format.js";
import type { ShownResult } from "../render/verification-text.js";
import { plural } from "../text/plural.js";
import { failed, passed, type Check } from "../verify/check.js";
import { checkInstance, outputOf, type CheckInstance } from "../verify/check-instance.js";

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

export function partInstances(
  checks: { readonly works: Check; readonly warnings: Check },
  { name, verify, elsewhere }: VerifiedPart,
): readonly CheckInstance[] {
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
  if (state === "passed") return `${found.length} of ${all} passed`;
  const named = found.slice(0, mostNamed).map(({ check, subject, evidence }) => `${check} of ${subject}: ${evidence}`);
  const words = state === "failed" ? "failed" : found.length === 1 ? "is a warning" : "are warnings";
  return `${found.length} of ${all} ${words}${named.length === 0 ? "" : `: ${named.join("; ")}${found.length > mostNamed ? "; ..." : ""}`}`;
}
