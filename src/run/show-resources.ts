/** Shows the state and the drift of every step of a plan: as a table, or as a document. */
import type { Plan, PlannedStep } from "../engine/plan.js";
import type { Change } from "../engine/step.js";
import { exitCodes, type ExitCode } from "../errors/exit-codes.js";
import { advise, aroHcp, type Advice, type RenderAdvice } from "../errors/advice.js";
import { failureJson } from "../errors/format.js";
import { printDocument } from "../render/document.js";
import { table } from "../render/table.js";
import { keptDifferences } from "../steps/kept-differences.js";
import { spoken } from "../text/spoken.js";
import type { RunContext } from "./run-context.js";

/** The settings of every command that shows the steps of a create. */
export interface ShowSettings {
  readonly output: "text" | "json";
  /** Whether the exit code says that a resource is missing or different. */
  readonly exitCode: boolean;
}

interface Shown {
  readonly command: string;
  /** The subject in the document: `{ infraId }`, `{ name }`. */
  readonly about: Readonly<Record<string, string>>;
  readonly more?: Readonly<Record<string, unknown>>;
  readonly settings: ShowSettings;
}

/** A part of what a show command shows, in both forms. */
export interface ShownPart {
  /** The members of the document. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly print: () => void;
  readonly code: ExitCode;
  /** The names of what does not exist; none if nothing exists, which has a failure of its own. */
  readonly absent: readonly string[];
}

/** Returns the exit code: that of the first part that has one. */
export function showParts({ command, about, more, settings }: Shown, parts: readonly ShownPart[], context: RunContext): ExitCode {
  if (settings.output === "json")
    printDocument(context.result, {
      ok: true,
      command,
      ...about,
      ...more,
      ...Object.fromEntries(parts.flatMap(({ members }) => Object.entries(members))),
    });
  else
    for (const [index, { print }] of parts.entries()) {
      if (index > 0) context.result.print("");
      print();
    }
  const absent = parts.flatMap((part) => part.absent);
  if (absent.length > 0) context.say(context.renderAdvice(incomplete(command, absent)));
  return parts.find(({ code }) => code !== exitCodes.done)?.code ?? exitCodes.done;
}

const mostNamed = 3;

/** What is absent was not created yet, or somebody has deleted it: the same create makes it in both cases. */
function incomplete(command: string, absent: readonly string[]): Advice {
  const named = absent.slice(0, mostNamed).join(", ");
  const more = absent.length > mostNamed ? ` and ${String(absent.length - mostNamed)} more` : "";
  return advise`the create is still running, or broke off, or something was deleted since; absent: ${named}${more}; rerun it: ${aroHcp(command.replace(/^show/, "create"))}`;
}

/**
 * Returns the exit code.
 * @throws the failures of steps that could not be read
 */
export function showResources(plan: Plan, shown: Shown, context: RunContext): ExitCode {
  return showParts(shown, [shownResources(plan, shown.settings, context)], context);
}

/** @throws the failures of steps that could not be read */
export function shownResources(plan: Plan, { exitCode }: Pick<ShowSettings, "exitCode">, { result, renderAdvice }: RunContext): ShownPart {
  if (plan.failures.length > 0) throw new AggregateError(plan.failures.map(({ failure }) => failure));
  const absent = plan.steps.filter((planned) => stateOf(planned).state === "absent").map(({ step }) => step.title);
  return {
    absent: plan.steps.some(isOwn) ? absent : [],
    members: { resources: documentRows(plan.steps, renderAdvice) },
    print: () => {
      const rows = plan.steps.map((planned) => [planned.step.title, ...wordsOf(planned)]);
      result.show(table(result, ["RESOURCE", "STATE", "DRIFT"], rows));
    },
    code: exitCode && !plan.steps.every(isAsWanted) ? exitCodes.changes : exitCodes.done,
  };
}

/** Whether the resource exists, and was not there before the create. */
function isOwn(planned: PlannedStep): boolean {
  return planned.decision.act !== "use" && stateOf(planned).state === "exists";
}

/** Whether the resource exists and nothing in it differs. */
function isAsWanted(planned: PlannedStep): boolean {
  const { act } = planned.decision;
  return act === "use" || (act === "keep" && driftOf(planned).length === 0);
}

interface State {
  readonly state: "absent" | "exists" | "in-flight";
  readonly drift: "none" | "different" | "refused" | "unknown";
}

function stateOf(planned: PlannedStep): State {
  const { decision, live } = planned;
  const drift = driftOf(planned).length === 0 ? "none" : "different";
  switch (decision.act) {
    case "create":
      return { state: "absent", drift: "none" };
    case "keep":
    case "use":
    case "update":
    case "replace":
    case "remove":
      return { state: "exists", drift };
    case "wait":
      return { state: live === undefined ? "absent" : "in-flight", drift: "unknown" };
    case "refuse":
      return { state: live === undefined ? "absent" : "exists", drift: "refused" };
  }
}

/** The columns STATE and DRIFT. */
function wordsOf(planned: PlannedStep): readonly [string, string] {
  const { decision } = planned;
  const { state } = stateOf(planned);
  switch (decision.act) {
    case "create":
      return [state, ""];
    case "use":
      return [`${state}, bring-your-own`, "none"];
    case "wait":
      return [spoken(state), decision.why];
    case "refuse":
      return [state, decision.failure.message];
    default:
      return [state, pathsOf(driftOf(planned)) || "none"];
  }
}

/** What the next create changes, and what it keeps although it differs. */
function driftOf(planned: PlannedStep): readonly Change[] {
  const { decision } = planned;
  return [...("changes" in decision ? decision.changes : []), ...keptDifferences(planned)];
}

function pathsOf(changes: readonly Change[]): string {
  return changes.map(({ path }) => path).join(", ");
}

function documentRows(steps: readonly PlannedStep[], renderAdvice: RenderAdvice) {
  return steps.map((planned) => {
    const { step, decision } = planned;
    return {
      step: step.id,
      title: step.title,
      resourceId: step.resourceId,
      ...stateOf(planned),
      bringYourOwn: decision.act === "use",
      ...(decision.act === "wait" && { why: decision.why }),
      changes: driftOf(planned),
      ...(decision.act === "refuse" && { failure: failureJson(decision.failure, renderAdvice) }),
    };
  });
}
