/** Asks for consent to a plan: yes or no, the typed subject of a dangerous change, or `--yes`. */
import type { Plan, PlannedStep } from "../engine/plan.js";
import { Failure } from "../errors/failure.js";
import { askForText, askYesNo, canAsk } from "../render/prompt.js";
import type { RunContext } from "./run-context.js";
import type { Target } from "./target.js";
import { sameType } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { resourceOf } from "../engine/step.js";

export interface ConsentSettings {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** The settings of every command that shows a plan first. */
export interface PlanSettings extends ConsentSettings {
  readonly fullPlan: boolean;
  /** Whether the exit code of a dry run says that there are changes. */
  readonly exitCode: boolean;
  readonly changeEgress?: boolean;
  readonly changeIdentities?: boolean;
}

/**
 * Checks before any request to Azure that a required prompt is possible. `doing`: "destroying demo-x7k2".
 * @throws ARO-RUN-003
 */
export function requireConsent(doing: string, { dryRun = false, yes = false }: Partial<ConsentSettings>, context: RunContext): void {
  if (isConfirmed({ dryRun, yes }, context)) return;
  throw new Failure("ARO-RUN-003", `${doing} requires confirmation, but there is no terminal to prompt on`);
}

/** Whether somebody sees the plan before it is applied, or said yes to whatever it is. */
export function isConfirmed({ dryRun, yes }: ConsentSettings, { people, port }: RunContext): boolean {
  return dryRun || yes || canAsk({ input: port.stdin, output: people });
}

/**
 * Without a prompt, a change of a standing cluster needs --yes. What only creates, completes or repairs needs nothing.
 * @throws ARO-RUN-003
 */
export function requireConsentToChange({ changeEgress = false, changeIdentities = false }: PlanSettings, plan: Plan): void {
  const clusters = clusterChanges(plan);
  const flags = [...(changeEgress ? ["--change-egress"] : []), ...(changeIdentities ? ["--change-identities"] : [])];
  const [what] = clusters.length > 0 ? [`a change of ${clusters.join(", ")}`] : flags;
  if (what === undefined) return;
  throw new Failure("ARO-RUN-003", `${what} requires confirmation, but there is no terminal to prompt on; nothing was changed`);
}

/** @throws ARO-RUN-002 */
export async function confirmChanges({ people, port, signal }: RunContext, target: Target | undefined): Promise<void> {
  const agreed = await askYesNo(`Make these changes${inSubscription(target)}?`, {
    input: port.stdin,
    output: people,
    signal,
    turn: port.clock.turn,
  });
  if (!agreed) throw new Failure("ARO-RUN-002", "declined; nothing was changed");
}

/**
 * Only exactly the subject confirms, without a second try. `what`: "the deletion".
 * @throws ARO-RUN-002
 */
export async function confirmByTyping(
  subject: string,
  what: string,
  { people, port, signal }: RunContext,
  target: Target | undefined,
): Promise<void> {
  const question = `Type ${subject} to confirm ${what}${inSubscription(target)}:`;
  const typed = await askForText(question, subject.length, { input: port.stdin, output: people, signal, turn: port.clock.turn });
  if (typed === subject) return;
  throw new Failure("ARO-RUN-002", `${typed === "" ? "declined" : `"${typed}" does not match ${subject}`}; nothing was changed`);
}

/** The header above the plan may have scrolled off the screen. */
function inSubscription(target: Target | undefined): string {
  if (target?.subscriptions) return ` in ${target.subscriptions.join(", ")}`;
  return target === undefined ? "" : ` in subscription ${target.subscriptionName ?? target.subscriptionId}`;
}

/** The steps of a plan that change an AKS cluster that exists, or its agent pools. */
const changed = [resourceTypes.managedCluster.type, resourceTypes.agentPool.type];

/** What a rerun of an interrupted create completes or repairs, and an additional pool: nothing that runs is changed by them. */
const harmless = /^(?:provisioningState|tags\..*|agentPoolProfiles\[[^\]]*\])$/;

function clusterChanges({ steps }: Plan): string[] {
  return steps.filter(changesCluster).map(({ step }) => step.title);
}

function changesCluster({ step, decision }: PlannedStep): boolean {
  const type = resourceOf(step)?.type;
  if (type === undefined || !changed.some((one) => sameType(one, type))) return false;
  return "changes" in decision && decision.changes.some(({ path }) => !harmless.test(path));
}
