/** Runs the doctor's quick checks before any create writes, while its plan is read. */
import { advise, aroHcp, type Advice } from "../errors/advice.js";
import type { Azure } from "../azure/azure.js";
import { Failure } from "../errors/failure.js";
import type { Part } from "../domain/create-parts.js";
import { locksReader, lockedFailure } from "../azure/management-locks.js";
import { permissionsReader } from "../azure/permissions.js";
import { signedIn } from "../azure/signed-in.js";
import { type Plan, isWritten } from "../engine/plan.js";
import { resourceOf, type Step } from "../engine/step.js";
import { refusingPolicies } from "../preflight/plan-policies.js";
import { missingRights } from "../preflight/plan-rights.js";
import { machineFindings, preflightFindings, type PreflightFinding } from "../preflight/preflight.js";
import type { Machine } from "../preflight/request.js";
import type { ProcessPort } from "./process-port.js";
import { requiredNodeVersion } from "./package-version.js";
import { isWithin, parseResourceId } from "../domain/resource-id.js";

type MachinePort = Pick<ProcessPort, "nodeVersion" | "clock">;

export function machineOf({ nodeVersion, clock }: MachinePort): Machine {
  return { nodeVersion, requiredNodeVersion, now: clock.now };
}

export interface PreflightResult {
  /** Any failure prevents all writes. */
  readonly failures: readonly Failure[];
  /** One line each. */
  readonly warnings: readonly Advice[];
}

export interface Preflight {
  /** Runs while the plan is read. */
  early(): Promise<PreflightResult>;
  /** The permissions that the plan needs and the signed-in principal lacks, and the locks and policies that forbid what it writes. */
  blockers(plan: Plan): Promise<readonly Failure[]>;
}

interface Created {
  readonly parts: readonly Part[];
  readonly location: string;
  readonly steps: readonly Step<unknown>[];
}

/** `given`: checks the resources in the flags of the command. */
export function preflight(
  azure: Azure,
  port: MachinePort,
  { parts, location, steps }: Created,
  given?: () => Promise<readonly Failure[]>,
): Preflight {
  const created = new Set(
    steps.flatMap((step) => (resourceOf(step)?.existing === true ? [] : (resourceOf(step)?.type.toLowerCase() ?? []))),
  );
  return {
    blockers: planBlockers(azure),
    async early() {
      const uses = (type: string) => created.has(type.toLowerCase());
      const request = { machine: machineOf(port), parts: new Set(parts), location, uses };
      const [findings, wrong = []] = await Promise.all([preflightFindings(azure, request), given?.()]);
      const { failures, warnings } = resultOf(findings);
      return { failures: [...wrong, ...failures], warnings };
    },
  };
}

/** For a command that creates no resources of its own resource group: only the machine and the plan are checked. */
export function planPreflight(azure: Azure, port: ProcessPort): Preflight {
  return {
    blockers: planBlockers(azure),
    early: async () => resultOf(await machineFindings(azure, machineOf(port))),
  };
}

/** Each scope is read once. */
function planBlockers(azure: Azure): Preflight["blockers"] {
  const permissions = permissionsReader(azure);
  const locks = locksReader(azure);
  return async (plan) => {
    if (plan.changes === 0) return [];
    const [missing, locked, disallowed] = await Promise.all([
      signedIn(azure.connection).then((caller) => missingRights(azure, permissions, plan, caller)),
      readOnlyLocks(locks, plan),
      refusingPolicies(azure, plan),
    ]);
    return [...missing, ...(locked ? [locked] : []), ...disallowed];
  };
}

/** For a command that only writes tags: it needs none of the permissions to write the resources. */
export function lockPreflight(azure: Azure): Preflight {
  return {
    early: () => Promise.resolve({ failures: [], warnings: [] }),
    async blockers(plan) {
      const locked = await readOnlyLocks(locksReader(azure), plan);
      return locked ? [locked] : [];
    },
  };
}

function resultOf(findings: readonly PreflightFinding[]): PreflightResult {
  return { failures: findings.flatMap(failureOf), warnings: findings.flatMap(warningOf) };
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

/** Locks that make a resource of a plan read-only: found before the first write. */
async function readOnlyLocks(locksOf: ReturnType<typeof locksReader>, { steps }: Plan): Promise<Failure | undefined> {
  const written = steps.filter(isWritten);
  const ids = written.flatMap(({ step: { resourceId } }) => resourceId ?? []);
  const subscriptions = [...new Set(ids.map((id) => parseResourceId(id).subscriptionId.toLowerCase()))];
  const locks = await Promise.all(subscriptions.map(locksOf));
  const blocking = locks.flat().filter(({ level, scope }) => level === "ReadOnly" && ids.some((id) => isWithin(id, scope)));
  return lockedFailure(blocking, "the command; nothing was changed");
}
