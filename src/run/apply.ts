/** Applies a graph of steps for every command that creates something: plan, show, confirm, apply, report. */
import type { Plan } from "../engine/plan.js";
import { applyPlan, type ApplyOptions } from "../engine/apply-plan.js";
import type { RunResult } from "../engine/run-result.js";
import type { Step } from "../engine/step.js";
import { type Advice, shellLine } from "../errors/advice.js";
import { exitCodes } from "../errors/exit-codes.js";
import { Failure } from "../errors/failure.js";
import { printDocument } from "../render/document.js";
import { planText } from "../render/plan-text.js";
import type { Drawing } from "../render/report/page.js";
import type { WrittenFile } from "../render/summary.js";
import { canAsk } from "../render/prompt.js";
import { keptDifferences } from "../steps/kept-differences.js";
import { billedWhileIdle, lineOf, planRows } from "./plan-rows.js";
import { itemsOfPlan } from "./reported-resources.js";
import { planOutline } from "./run-outline.js";
import { confirmChanges, requireConsentToChange, type PlanSettings } from "./consent.js";
import type { Preflight } from "./create-preflight.js";
import { deletedMeanwhile } from "./deleted-meanwhile.js";
import { runOptions, polling, type HasClock } from "./engine-options.js";
import { finish, type Ending } from "./finish.js";
import { planGraph, throwIfRefused } from "./plan-graph.js";
import type { RunContext } from "./run-context.js";
import { placeOf, showPlan, type Target } from "./target.js";
import { unprotectedKeys } from "./unprotected-keys.js";
import { commandsOf } from "../engine/commands.js";
import { printable } from "../render/printable.js";

export interface ApplySettings extends PlanSettings {
  readonly concurrency: number;
  readonly debug: boolean;
  readonly output: "text" | "json";
  /** Whether a dry run prints the commands for the missing role assignments. */
  readonly roleCommands?: boolean;
}

/** The outputs of the steps whose resources exist already. */
export interface LiveOutputs {
  get<Output>(step: Step<Output>): Output | undefined;
}

export interface ApplyRequest {
  readonly command: string;
  /** The subject in messages: an infra ID, the name of an identity set. */
  readonly subject: string;
  /** The subject in the result document: `{ infraId }`, `{ name }`. */
  readonly about: Readonly<Record<string, string>>;
  /** Shown above the plan; absent if the command does not change Azure. */
  readonly target?: Promise<Target>;
  readonly steps: readonly Step<unknown>[];
  /** Adds to the plan what its steps cannot know. */
  readonly refinePlan?: (plan: Plan) => Promise<Plan>;
  /** Settings with other values than the cluster was created with, and a warning about each; shown with the plan. */
  readonly changed?: readonly object[];
  readonly warnings?: readonly Advice[];
  readonly preflight?: Preflight;
  /** Checks the files whose owner only existing resources tell, before the plan is shown as possible. @throws ARO-FILE-004 */
  readonly requireOwnFiles?: (live: LiveOutputs) => Promise<void>;
  /** Asks for consent on a terminal; the default is a question for yes or no. @throws ARO-RUN-002 */
  readonly confirm?: (context: RunContext, target: Target | undefined) => Promise<void>;
  /** Called for each finished step, including kept ones. */
  readonly onDone?: ApplyOptions["onDone"];
  /** Called before the first write for each step that is updated, with the output that it has without the update. */
  readonly onUpdate?: (step: Step<unknown>, output: unknown) => Promise<void>;
  /** The created resources, read after all steps are done. */
  readonly document: () => Readonly<Record<string, unknown>>;
  /** Shown in the summary if everything was created: the complete files, and what to do next. */
  readonly written?: readonly WrittenFile[];
  readonly next?: () => readonly Advice[];
  /** For the report. `outputs`: of the finished steps, by ID. */
  readonly drawing?: (result: RunResult, outputs: ReadonlyMap<string, unknown>) => Drawing;
}

export interface ApplyResult {
  /** The exit code. */
  readonly code: number;
  /** Whether everything was applied; false for a plan alone. */
  readonly done: boolean;
}

/** @throws the failures that forbid the plan, and ARO-RUN-002, 003 or 007 if it was not confirmed */
export async function applyGraph(
  azure: HasClock,
  context: RunContext,
  settings: ApplySettings,
  request: ApplyRequest,
): Promise<ApplyResult> {
  const { concurrency, dryRun, yes, output: form, debug } = settings;
  const { command, subject, steps, refinePlan, preflight, onDone, document } = request;
  const { changed = [], warnings: ownWarnings = [] } = request;
  const readPlan = async () => {
    const read = await planGraph(steps, concurrency, context);
    return refinePlan ? refinePlan(read) : read;
  };
  const [plan, { failures, warnings }, target] = await Promise.all([
    readPlan(),
    preflight?.early() ?? { failures: [], warnings: [] },
    request.target,
  ]);
  const about = { ...request.about, ...(target && { target }) };
  const isPossible = failures.length + plan.refusals.length + plan.failures.length === 0;
  const blockers = isPossible ? ((await preflight?.blockers(plan)) ?? []) : [];
  context.pauseProgress();
  context.report({ place: target && placeOf(target), planned: () => itemsOfPlan(plan) });
  const refused = !isPossible || (!dryRun && blockers.length > 0);
  const unread = plan.failures.length + plan.skipped.length;
  const billed = refused ? undefined : billedWhileIdle(plan);
  showPlan(context, target, planText(context.people, planRows(plan, settings.fullPlan), { unread, refused, billed }));
  for (const warning of [...ownWarnings, ...warnings, ...unprotectedKeys(plan)]) context.say(`warning: ${context.renderAdvice(warning)}`);
  // Someone without these permissions may still want to see the plan.
  throwIfRefused(plan, dryRun ? failures : [...failures, ...blockers]);
  await request.requireOwnFiles?.(liveOutputs(plan));
  if (dryRun) {
    for (const failure of blockers) context.say(`warning: ${[failure.message, failure.because].filter(Boolean).join(": ")}`);
    if (form === "json") printDocument(context.result, planDocument(command, about, plan, changed));
    if (settings.roleCommands === true) context.result.print(roleCommands(plan));
    return { code: settings.exitCode && plan.changes > 0 ? exitCodes.changes : exitCodes.done, done: false };
  }
  const asks = canAsk({ input: context.port.stdin, output: context.people });
  if (plan.changes > 0 && !yes && !asks) requireConsentToChange(settings, plan);
  if (plan.changes > 0 && !yes && asks) {
    await (request.confirm ?? confirmChanges)(context, target);
    // Time passed at the prompt: the confirmed plan must still be the current plan.
    const again = await readPlan();
    throwIfRefused(again);
    if (actsOf(again) !== actsOf(plan))
      throw new Failure("ARO-RUN-007", "Azure changed while waiting for confirmation; nothing was changed");
  }
  // Existing resources are reported first: an interrupted run must not leave a document with fewer values than before.
  for (const { step, decision, output } of plan.steps) {
    if (output === undefined) continue;
    if (decision.act === "keep" || decision.act === "use") await onDone?.(step, output.value);
    if (decision.act === "update") await request.onUpdate?.(step, output.value);
  }
  const outputs = new Map<string, unknown>();
  context.expect(planOutline(plan, settings.fullPlan, azure.connection.clock));
  let deleted: Failure | undefined;
  const result = await applyPlan(plan, {
    ...runOptions(context, concurrency, { command, subject, infraId: request.about["infraId"] }),
    ...polling(azure),
    async onDone(step, output) {
      outputs.set(step.id, output);
      await onDone?.(step, output);
    },
    async lastRead({ ok }) {
      if (ok && plan.changes > 0) deleted = await deletedMeanwhile(azure, steps, outputs, context.signal);
      return deleted === undefined;
    },
  });
  const { drawing } = request;
  context.report({ drawing: drawing && (() => drawing(result, outputs)) });
  const more = deleted === undefined ? [] : [deleted];
  const after = result.ok ? { written: request.written ?? [], next: request.next?.() ?? [] } : {};
  const sections = new Map(steps.map((step) => [step.id, lineOf(step).name]));
  const code = finish(context, { command, subject, about, result, sections, ...after, output: form, debug, document: document(), more });
  return { code, done: result.ok };
}

function liveOutputs({ steps }: Plan): LiveOutputs {
  const existing = steps.filter(({ decision }) => ["keep", "use", "update", "replace"].includes(decision.act));
  const outputs = new Map<Step<unknown>, unknown>(existing.map(({ step, output }) => [step, output?.value]));
  return { get: <Output>(step: Step<Output>) => outputs.get(step) as Output | undefined };
}

function actsOf({ steps }: Plan): string {
  return steps.map(({ step, decision }) => `${step.id} ${decision.act}`).join("\n");
}

function planDocument(command: string, about: Ending["about"], plan: Plan, changedOptions: readonly object[]) {
  return {
    ok: true,
    command,
    ...about,
    dryRun: true,
    changes: plan.changes,
    ...(changedOptions.length > 0 && { changedOptions }),
    steps: plan.steps.map((planned) => {
      const { step, decision } = planned;
      const kept = keptDifferences(planned);
      return {
        id: step.id,
        title: step.title,
        section: lineOf(step).name,
        resourceId: step.resourceId,
        needs: step.needs,
        ...decision,
        ...(kept.length > 0 && { keptDifferences: kept }),
      };
    }),
  };
}

/** Lines of a shell. An assignment that waits for something is a comment, so that the reader sees every assignment. */
function roleCommands(plan: Plan): string {
  const lines = plan.steps.flatMap((planned) => {
    const byHand = commandsOf(plan, planned);
    const title = printable(planned.step.title);
    if (byHand === undefined) return [];
    if ("after" in byHand) return [`# not possible yet: ${title} requires ${byHand.after.map(printable).join(", ")}`];
    return [`# ${title}`, ...byHand.commands.map(shellLine)];
  });
  return lines.length === 0 ? "# the plan creates no role assignments" : lines.join("\n");
}
