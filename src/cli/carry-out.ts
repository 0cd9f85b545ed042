/** How a graph of steps is carried out by every command that makes something: planned, shown, agreed to, run. */
import type { Plan } from "../engine/plan.js";
import { runPlan, type RunOptions } from "../engine/run.js";
import type { RunResult } from "../engine/run-result.js";
import type { Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import { planRows, planText } from "../render/plan-text.js";
import { askYesNo, canAsk } from "../render/prompt.js";
import { planInfra, runOptions, throwIfRefused, type Paced } from "./plan-infra.js";
import type { Stage } from "./stage.js";

export interface Undertaking {
  readonly command: string;
  /** What it is about, in events and summary: the infra id of a cluster, or the name of a set of identities. */
  readonly infraId: string;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly output: "text" | "json";
  /** Told of each step that is done, kept ones too. */
  readonly onDone?: RunOptions["onDone"];
}

/** Undefined for `--dry-run`, whose document is printed. Throws what forbids the plan, and ARO-RUN-002 or 007 where it was not agreed to. */
export async function carryOut(
  azure: Paced,
  steps: readonly Step<unknown>[],
  stage: Stage,
  undertaking: Undertaking,
): Promise<RunResult | undefined> {
  const { concurrency, dryRun, yes, output, onDone } = undertaking;
  const plan = await planInfra(steps, concurrency, stage);
  stage.pauseProgress();
  stage.say(planText(stage.people, planRows(plan)));
  throwIfRefused(plan);
  if (dryRun) {
    if (output === "json") stage.result.print(JSON.stringify(planDocument(undertaking, plan), undefined, 2));
    return undefined;
  }
  if (plan.changes > 0 && !yes && canAsk({ input: process.stdin, output: stage.people.stream })) {
    await askFirst(stage);
    // Time passed at the prompt: what was agreed to must still be what would be done.
    const again = await planInfra(steps, concurrency, stage);
    throwIfRefused(again);
    if (actsOf(again) !== actsOf(plan)) throw new Failure("ARO-RUN-007", "Azure changed while the question was open");
  }
  return runPlan(plan, { ...runOptions(azure, stage, undertaking), ...(onDone && { onDone }) });
}

async function askFirst({ people, signal }: Stage): Promise<void> {
  const agreed = await askYesNo("Make these changes?", { input: process.stdin, output: people.stream, signal });
  if (!agreed) throw new Failure("ARO-RUN-002", "declined: nothing was changed");
}

function actsOf({ steps }: Plan): string {
  return steps.map(({ step, decision }) => `${step.id} ${decision.act}`).join("\n");
}

function planDocument({ command, infraId }: Undertaking, plan: Plan) {
  return {
    schemaVersion: 1,
    ok: true,
    command,
    infraId,
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
