/** Runs inspections side by side, each after what it needs, and tells what each found. */
import { asCurrentStep, stepIo } from "../engine/current-step.js";
import type { Emit } from "../engine/events.js";
import { failureOf, type ToFailure } from "../engine/failure-of.js";
import { walk } from "../engine/walk.js";
import { joinAdvice } from "../errors/advice.js";
import type { Failure } from "../errors/failure.js";
import { adviceFor } from "../errors/format.js";
import { broken, notCheckedFor, type Finding, type Result } from "./check.js";
import type { CheckInstance } from "./check-instance.js";

export interface CheckRunOptions {
  /** How many are looked at at once, at least 1. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly emit: Emit;
  /** Milliseconds of any clock. */
  readonly elapsedMs: () => number;
  readonly toFailure: ToFailure;
  /** Told of each as it ends. */
  readonly onResult?: (result: Result) => void;
}

interface Looked {
  readonly result: Result;
  /** What those that need it are looked at with; undefined where they are to be skipped. */
  readonly handedOn: { readonly value: unknown } | undefined;
}

/**
 * In the order given.
 * @throws the signal's reason where that ended it: half a verification is none.
 */
export async function runChecks(instances: readonly CheckInstance[], options: CheckRunOptions): Promise<Result[]> {
  const { concurrency, signal, elapsedMs, onResult } = options;
  const visit = async (instance: CheckInstance, looked: ReadonlyMap<string, Looked>): Promise<Looked> => {
    const blocked = Object.values(instance.declared.needs).find(({ id }) => looked.get(id)?.handedOn === undefined);
    const finding = blocked === undefined ? await look(instance, looked, options) : notCheckedFor(looked.get(blocked.id)?.result);
    const result = resultOf(instance, finding);
    onResult?.(result);
    return { result, handedOn: handedOnBy(finding) };
  };
  const outcomes = await walk(instances, visit, { concurrency, signal, elapsedMs });
  signal.throwIfAborted();
  return instances.flatMap(({ id }) => {
    const outcome = outcomes.get(id);
    if (outcome?.status === "failed") throw outcome.failure;
    return outcome?.status === "done" ? [outcome.value.result] : [];
  });
}

async function look(
  instance: CheckInstance,
  looked: ReadonlyMap<string, Looked>,
  { toFailure, ...options }: CheckRunOptions,
): Promise<Finding<unknown>> {
  const { needs, after } = instance.declared;
  const up = Object.fromEntries(Object.entries(needs).map(([name, { id }]) => [name, looked.get(id)?.handedOn?.value]));
  const results = Object.fromEntries(
    Object.entries(after).flatMap(([name, { id }]) => {
      const seen = looked.get(id);
      return seen ? [[name, seen] as const] : [];
    }),
  );
  try {
    return await asCurrentStep(stepIo(instance, options), async () => instance.declared.look(up, results));
  } catch (error) {
    options.signal.throwIfAborted();
    return couldNotLook(failureOf(error, instance.title, toFailure));
  }
}

/** A vault behind a firewall, a right that is missing: what Azure says is the finding. */
function couldNotLook(failure: Failure): Finding<never> {
  const { code, message, because, azure } = failure;
  const words = [message, because, azure?.requestId && `request ${azure.requestId}`].filter(Boolean).join("; ");
  return broken(`${code}: ${words}`, joinAdvice(adviceFor(failure, true), "; "));
}

function handedOnBy(finding: Finding<unknown>): Looked["handedOn"] {
  if (finding.holds === true) return { value: finding.value };
  return finding.holds === false ? finding.handedOn : undefined;
}

function resultOf({ check, subject }: CheckInstance, finding: Finding<unknown>): Result {
  const about = { check: check.id, subject, sentence: check.sentence, severity: check.severity };
  if (finding.holds === undefined) return { ...about, state: "skipped", evidence: finding.reason, next: undefined };
  const { evidence } = finding;
  if (finding.holds) return { ...about, state: "passed", evidence, next: undefined };
  return { ...about, state: check.severity === "error" ? "failed" : "warning", evidence, next: finding.next };
}
