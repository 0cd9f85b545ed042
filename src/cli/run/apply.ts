/** How every command that makes something applies a graph of steps: planned, shown, confirmed, done, reported. */
import type { Plan } from "../../engine/plan.js";
import { applyPlan, type ApplyOptions } from "../../engine/apply-plan.js";
import type { Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { printDocument } from "../../render/document.js";
import { planRows, planText } from "../../render/plan-text.js";
import { askYesNo, canAsk } from "../../render/prompt.js";
import type { Preflight } from "./preflight.js";
import { runOptions, polling, type HasClock } from "./engine-options.js";
import { finish } from "./finish.js";
import { planGraph, throwIfRefused } from "./plan-graph.js";
import type { RunContext } from "./run-context.js";

export interface ApplySettings {
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly debug: boolean;
  readonly output: "text" | "json";
}

export interface ApplyRequest {
  readonly command: string;
  /** What it is about, for people: an infra id, the name of a set of identities. */
  readonly subject: string;
  /** The same for the result document: `{ infraId }`, `{ name }`. */
  readonly about: Readonly<Record<string, string>>;
  readonly steps: readonly Step<unknown>[];
  /** Adds to the plan what its steps could not know. */
  readonly refinePlan?: (plan: Plan) => Promise<Plan>;
  /** Looked at while the plan is read. */
  readonly preflight?: () => Promise<Preflight>;
  /** Told of each step that is done, kept ones too. */
  readonly onDone?: ApplyOptions["onDone"];
  /** What was made, asked when all is done. */
  readonly document: () => Readonly<Record<string, unknown>>;
  /** Named in the summary. */
  readonly outputFile?: string | undefined;
}

export interface ApplyResult {
  /** The exit code. */
  readonly code: number;
  /** Whether all of it was done; false for a plan alone. */
  readonly done: boolean;
}

/** @throws what forbids the plan, and ARO-RUN-002 or 007 where it was not agreed to. */
export async function applyGraph(
  azure: HasClock,
  context: RunContext,
  settings: ApplySettings,
  request: ApplyRequest,
): Promise<ApplyResult> {
  const { concurrency, dryRun, yes, output: form, debug } = settings;
  const { command, subject, about, steps, refinePlan, preflight, onDone, document, outputFile } = request;
  const look = async () => {
    const read = await planGraph(steps, concurrency, context);
    return refinePlan ? refinePlan(read) : read;
  };
  const [plan, { failures, warnings }] = await Promise.all([look(), preflight?.() ?? { failures: [], warnings: [] }]);
  context.pauseProgress();
  context.say(planText(context.people, planRows(plan)));
  for (const warning of warnings) context.say(`warning: ${context.renderAdvice(warning)}`);
  throwIfRefused(plan, failures);
  if (dryRun) {
    if (form === "json") printDocument(context.result, planDocument(command, about, plan));
    return { code: 0, done: false };
  }
  if (plan.changes > 0 && !yes && canAsk({ input: context.port.stdin, output: context.people.stream })) {
    await askFirst(context);
    // Time passed at the prompt: what was agreed to must still be what would be done.
    const again = await look();
    throwIfRefused(again);
    if (actsOf(again) !== actsOf(plan)) throw new Failure("ARO-RUN-007", "Azure changed while the question was open");
  }
  // What is there already is told first: a run that is cut off must not leave a poorer document than the one before it did.
  for (const { step, decision, output } of plan.steps) {
    if ((decision.act === "keep" || decision.act === "adopt") && output !== undefined) await onDone?.(step, output.value);
  }
  const result = await applyPlan(plan, {
    ...runOptions(context, concurrency, { command, subject, infraId: about["infraId"] }),
    ...polling(azure),
    ...(onDone && { onDone }),
  });
  const code = finish(context, { command, subject, about, result, outputFile, output: form, debug, document: document() });
  return { code, done: result.ok };
}

async function askFirst({ people, port, signal }: RunContext): Promise<void> {
  const agreed = await askYesNo("Make these changes?", { input: port.stdin, output: people.stream, signal });
  if (!agreed) throw new Failure("ARO-RUN-002", "declined");
}

function actsOf({ steps }: Plan): string {
  return steps.map(({ step, decision }) => `${step.id} ${decision.act}`).join("\n");
}

function planDocument(command: string, about: ApplyRequest["about"], plan: Plan) {
  return {
    ok: true,
    command,
    ...about,
    dryRun: true,
    changes: plan.changes,
    steps: plan.steps.map(({ step, decision }) => ({
      id: step.id,
      title: step.title,
      resourceId: step.resourceId,
      needs: step.needs,
      ...decision,
    })),
  };
}
