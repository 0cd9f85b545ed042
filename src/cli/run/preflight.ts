/** Runs the doctor's quick checks before any create writes, while the plan is read. */
import { advise, aroHcp, type Advice } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import { Failure } from "../../errors/failure.js";
import type { Part } from "../../domain/create-parts.js";
import { preflightFindings, type PreflightFinding } from "../../verify/doctor/preflight.js";
import type { Machine } from "../../verify/doctor/request.js";
import type { ProcessPort } from "../process-port.js";
import { requiredNodeVersion } from "../version.js";

/** The machine that runs this program. */
export function machineOf({ nodeVersion, clock }: Pick<ProcessPort, "nodeVersion" | "clock">): Machine {
  return { nodeVersion, requiredNodeVersion, now: clock.now };
}

export interface Preflight {
  /** With any of these, nothing is written. */
  readonly failures: readonly Failure[];
  /** One line each. */
  readonly warnings: readonly Advice[];
}

/** Starts the checks when called. `given`: checks the resources in the flags of the command. */
export function preflight(
  azure: Azure,
  port: ProcessPort,
  parts: readonly Part[],
  given?: () => Promise<readonly Failure[]>,
): () => Promise<Preflight> {
  return async () => {
    const [findings, wrong = []] = await Promise.all([preflightFindings(azure, machineOf(port), new Set(parts)), given?.()]);
    return { failures: [...wrong, ...findings.flatMap(failureOf)], warnings: findings.flatMap(warningOf) };
  };
}

function failureOf({ check, finding }: PreflightFinding): Failure[] {
  if (finding.passed !== false || check.severity !== "error") return [];
  const because = `check ${check.id}: ${check.sentence}`;
  return [
    new Failure("ARO-CHECK-001", finding.evidence, {
      because,
      next: [finding.next, advise`${aroHcp("doctor")} checks every prerequisite`],
    }),
  ];
}

function warningOf({ check, finding }: PreflightFinding): Advice[] {
  if (finding.passed === undefined) return [advise`check ${check.id} was skipped: ${finding.reason}`];
  return finding.passed || check.severity === "error" ? [] : [advise`${finding.evidence}; ${finding.next}`];
}
