/** The rows of a plan: which ones have a line of their own, and which ones share a line with others of their kind. */
import { labelled, namespaceOf, pluralOf, rowOf } from "../domain/resource-catalogue.js";
import { typeIn } from "../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../domain/resource-types.js";
import type { Plan, PlannedStep } from "../engine/plan.js";
import { resourceOf, type Removal, type Step, type Subject } from "../engine/step.js";
import type { DiagramNode } from "../render/diagram.js";
import type { ListedResource, PlanRow, SharedLine } from "../render/plan-row.js";
import type { ShownAct } from "../render/vocabulary.js";
import type { Failure } from "../errors/failure.js";
import { UnprovenFailure } from "../azure/application-ownership.js";
import { ElsewhereFailure } from "../steps/elsewhere.js";
import { keptDifferences } from "../steps/kept-differences.js";

/** `inFull`: each step has a line of its own, with its reason. */
export function planRows({ steps }: Plan, inFull: boolean): PlanRow[] {
  return steps.map((planned) => {
    const row = planRow(planned);
    if (inFull) return row;
    if (row.act === "replace" || row.act === "wait" || isElsewhere(planned)) return { ...row, line: lineOf(planned.step) };
    const unproven = unprovenIn(planned);
    // The failure below the plan names each of them.
    if (unproven) return { ...row, line: { name: "applications", item: unproven.displayName, why: "nothing proves that they are yours" } };
    const line = keptForNow(planned, row) ?? sharedLine(planned, row);
    if (typeof line === "object" && line.why !== undefined) return { ...row, line };
    // On a shared line, every value is known only later.
    return line === undefined ? row : { title: row.title, act: row.act, line };
  });
}

/** For these, the reason does not name the resource. */
function isElsewhere({ decision }: PlannedStep): boolean {
  return decision.act === "refuse" && decision.failure instanceof ElsewhereFailure;
}

function unprovenIn({ decision }: PlannedStep): UnprovenFailure["application"] | undefined {
  return decision.act === "refuse" && decision.failure instanceof UnprovenFailure ? decision.failure.application : undefined;
}

function planRow(planned: PlannedStep): PlanRow {
  const { step, decision } = planned;
  const { act } = decision;
  const kept = act === "keep" ? keptDifferences(planned) : [];
  const why = kept.length > 0 ? "it differs, and stays as it is, because the change may be intended" : undefined;
  return {
    title: act === "create" ? sizedTitle(step, step.title) : step.title,
    act: shownAct(planned),
    why: "why" in decision ? decision.why : "failure" in decision ? refusalText(decision.failure) : why,
    changes: "changes" in decision ? decision.changes : kept.map(({ path, from, to }) => ({ path, from: to, to: from })),
  };
}

export function shownAct({ step, decision: { act } }: PlannedStep): ShownAct {
  return act === "create" && step.subject?.kind === "sign-in" ? "check" : act;
}

/** "agent pool user (1 to 3 nodes, Standard_D8s_v5)": what costs money has its size in the plan. */
function sizedTitle(step: Step<unknown>, title: string): string {
  const size = resourceOf(step)?.size;
  return size === undefined ? title : `${title} (${size})`;
}

/** What the plan creates that Azure bills while nothing uses it; undefined if nothing is. */
export function billedWhileIdle({ steps }: Plan): string | undefined {
  const created = steps
    .filter(({ decision: { act } }) => act === "create")
    .flatMap(({ step }) => rowOf(resourceOf(step)?.type ?? "") ?? []);
  const billed = [...new Set(created.filter(({ isBilledIdle }) => isBilledIdle))];
  const counted = billed.map((row) => countOf(row, created.filter((one) => one === row).length));
  return counted.length === 0 ? undefined : counted.join(", ");
}

function countOf(row: ResourceType, count: number): string {
  return count === 1 ? row.label : `${String(count)} ${pluralOf(row)}`;
}

function refusalText(failure: Failure): string {
  if (!(failure instanceof ElsewhereFailure)) return failure.message;
  const { live, wanted } = failure.place;
  return `in ${live}, not in ${wanted}`;
}

/** Old keys of several applications, each with its own end, share a line with the reason alone. */
function keptForNow({ step: { subject }, decision: { act } }: PlannedStep, { why }: PlanRow): SharedLine | undefined {
  if (act !== "keep" || why === undefined || subject?.kind !== "directory-object" || subject.noun === undefined) return undefined;
  return { name: `${subject.noun}s`, why: "their overlap has not ended" };
}

/** Steps that only look up what a create needs to know. */
const lookups: readonly (Subject["kind"] | undefined)[] = ["principals", "role-definitions", "offer"];

/** What is created, used, looked up or kept as usual. Whatever else a run does, and whatever has a reason, has a line of its own. */
function sharedLine({ step, decision: { act }, knownAfter }: PlannedStep, { why, changes = [] }: PlanRow): PlanRow["line"] {
  const isUnknown = act === "create" && knownAfter.length > 0;
  if (changes.length > 0 || (why !== undefined && !isUnknown)) return undefined;
  if (act === "keep") return "counted";
  if (act === "use" && lookups.includes(step.subject?.kind)) return { name: "lookups", item: step.title };
  if (act === "use") return lineOf(step);
  return act === "create" ? sizedLine(step) : undefined;
}

/** What has a size is listed, not counted. */
function sizedLine(step: Step<unknown>): SharedLine {
  const { name, item = step.title, ...counted } = lineOf(step);
  const sized = sizedTitle(step, item);
  return sized === item ? { name, item, ...counted } : { name, item: sized };
}

/** The name of the line of what belongs to no other. */
export const otherLine = "others";

const groupOfOther = `${resourceTypes.resourceGroup.label} of `;

/** The line of a step that is created or used, by what the step is about. */
export function lineOf({ subject, title }: Step<unknown>): SharedLine {
  switch (subject?.kind) {
    case "resource": {
      const { type } = subject;
      // Only Azure knows its name.
      if (title.startsWith(groupOfOther)) return { name: title, item: title };
      // The line says already that they are resource groups.
      if (type === resourceTypes.resourceGroup.type) return { name: "resource groups", item: nameIn(title, resourceTypes.resourceGroup) };
      return { name: lineOfType(type), item: title, items: pluralOf(labelled(type)) };
    }
    case "role-assignment":
      return { name: "role assignments", item: subject.role, items: subject.role };
    case "directory-object":
      return { name: "identities", item: title, ...severalOf(subject) };
    case "vault-object":
    case "vault-access":
      return { name: "Key Vault", item: title, ...severalOf(subject) };
    case "blob":
      return { name: "issuer", item: title };
    case "sign-in":
      return { name: "sign-in tests", item: title };
    case "file":
      return { name: "files", item: title };
    default:
      return { name: otherLine, item: title };
  }
}

export function graphStep(step: Step<unknown>): DiagramNode {
  return { id: step.id, title: step.title, needs: step.needs, section: lineOf(step).name };
}

function severalOf({ noun }: { readonly noun?: string }): Pick<SharedLine, "items"> {
  return noun === undefined ? {} : { items: `${noun}s` };
}

const lineOfNamespace: Readonly<Record<string, string>> = {
  "microsoft.network": "network",
  "microsoft.managedidentity": "identities",
  "microsoft.keyvault": "Key Vault",
  "microsoft.storage": "issuer",
  "microsoft.containerservice": "AKS cluster",
  "microsoft.containerregistry": "container registry",
  "microsoft.kubernetes": "Azure Arc",
  "microsoft.kubernetesconfiguration": "Azure Arc",
};

function lineOfType(type: string): string {
  if (/\/(private)?DnsZones\b/i.test(type)) return "DNS";
  const namespace = namespaceOf({ type });
  return lineOfNamespace[namespace.toLowerCase()] ?? namespace;
}

export interface RemovalList {
  readonly removals: readonly Removal[];
  readonly cascaded: readonly (ListedResource & { readonly origin?: string })[];
  readonly kept: readonly ListedResource[];
}

/**
 * Resources of one type that are deleted or kept for the same reason share a line, with their names. What is lost with a removal, and what belongs to
 * somebody else, has a line of its own.
 */
export function removalRows({ removals, cascaded, kept }: RemovalList, inFull: boolean): PlanRow[] {
  const shared = (line: SharedLine | undefined): Pick<PlanRow, "line"> => (inFull || line === undefined ? {} : { line });
  return [
    ...removals.map((removal): PlanRow => {
      const { title, why } = removal;
      return { title, act: "remove", why, ...(why === undefined && shared(lineOfRemoval(removal))) };
    }),
    ...cascaded.map(({ id, title = id, why, origin }): PlanRow => {
      return { title, act: "remove", cascaded: true, why, ...(origin !== "foreign" && shared(lineOfId(id, title))) };
    }),
    ...kept.map(({ id, title = id, why, line }): PlanRow => ({ title, act: "keep", why, ...shared(line ?? lineOfId(id, title)) })),
  ];
}

export function lineOfRemoval({ label, resourceId, title }: Removal): SharedLine | undefined {
  if (label !== undefined) return { name: `${label.noun}s`, item: label.name };
  const line = resourceId === undefined ? undefined : lineOfId(resourceId, title);
  // Their number is enough: their principals are listed, or belong to somebody else.
  return line?.name === pluralOf(resourceTypes.roleAssignment) ? { name: line.name } : line;
}

/** Undefined for a type without a row. */
export function lineOfId(id: string, title: string): SharedLine | undefined {
  const row = rowOf(typeIn(id) ?? "");
  return row && { name: pluralOf(row), item: nameIn(title, row) };
}

/** "virtual network demo" without its label. */
function nameIn(title: string, { label }: { readonly label: string }): string {
  return title.startsWith(`${label} `) ? title.slice(label.length + 1) : title;
}
