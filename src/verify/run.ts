/** Runs check instances in parallel, each after those that it needs, and reports their results. */
import { asCurrentStep, stepIo } from "../engine/current-step.js";
import type { Emit } from "../engine/events.js";
import { failureOf, type ToFailure } from "../engine/failure-of.js";
import { walk } from "../engine/walk.js";
import { joinAdvice } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { adviceFor } from "../errors/format.js";
import { failed, type Finding, type Result } from "./check.js";
import type { CheckInstance, Ended } from "./check-instance.js";

export interface CheckRunOptions {
  /** Maximum number of concurrent check instances, at least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Milliseconds of a monotonic clock. */
  readonly elapsedMs: () => number;
  readonly toFailure: ToFailure;
  /** Called with each result. */
  readonly onResult?: (result: Result) => void;
}

/**
 * Returns the results in the order given.
 * @throws the signal's reason if the run is aborted, because an incomplete verification proves nothing.
 */
export async function runChecks(instances: readonly CheckInstance[], options: CheckRunOptions): Promise<Result[]> {
  const { concurrency, signal, elapsedMs, onResult } = options;
  const visit = async (instance: CheckInstance, earlier: ReadonlyMap<string, Ended>): Promise<Ended> => {
    const finding = await runOne(instance, earlier, options);
    const result = resultOf(instance, finding);
    onResult?.(result);
    return { result, output: outputIn(finding) };
  };
  const outcomes = await walk(instances, visit, { concurrency, signal, elapsedMs });
  signal.throwIfAborted();
  return instances.flatMap(({ id }) => {
    const outcome = outcomes.get(id);
    if (outcome?.status === "failed") throw outcome.failure;
    return outcome?.status === "done" ? [outcome.value.result] : [];
  });
}

async function runOne(
  instance: CheckInstance,
  earlier: ReadonlyMap<string, Ended>,
  { toFailure, ...options }: CheckRunOptions,
): Promise<Finding<unknown>> {
  const endedOf = (id: string) => {
    const ended = earlier.get(id);
    if (ended === undefined) throw new Failure("ARO-BUG-001", `${instance.id} needs ${id}, which has not ended`);
    return ended;
  };
  try {
    return await asCurrentStep(stepIo(instance, options), async () => instance.run(endedOf));
  } catch (error) {
    options.signal.throwIfAborted();
    return readFailed(failureOf(error, instance.title, toFailure));
  }
}

/** A failed read is a finding: a vault behind a firewall, a missing permission. */
function readFailed(failure: Failure): Finding<never> {
  const { code, message, because, azure } = failure;
  const evidence = [message, because, azure?.requestId && `request ${azure.requestId}`].filter(Boolean).join("; ");
  return failed(`${code}: ${evidence}`, joinAdvice(adviceFor(failure, true), "; "));
}

function outputIn(finding: Finding<unknown>): Ended["output"] {
  if (finding.passed === true) return { value: finding.value };
  return finding.passed === false ? finding.output : undefined;
}

function resultOf({ check, subject }: CheckInstance, finding: Finding<unknown>): Result {
  const about = { check: check.id, subject, sentence: check.sentence, severity: check.severity };
  if (finding.passed === undefined) return { ...about, state: "skipped", evidence: finding.reason, next: undefined };
  const { evidence } = finding;
  if (finding.passed) return { ...about, state: "passed", evidence, next: undefined };
  return { ...about, state: check.severity === "error" ? "failed" : "warning", evidence, next: finding.next };
}
