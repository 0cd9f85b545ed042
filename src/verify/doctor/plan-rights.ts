/** The permissions that the steps of a plan need, compared with those of the signed-in principal before the first write. */
import type { Azure } from "../../azure/azure.js";
import type { SignedIn } from "../../azure/signed-in.js";
import { rowOf } from "../../domain/resource-catalogue.js";
import { parseResourceId, resourceGroupId, sameId, subscriptionScope } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Plan, PlannedStep } from "../../engine/plan.js";
import type { Advice } from "../../errors/advice.js";
import { grantApplications } from "../../errors/access-failures.js";
import { Failure } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";
import { mayCreateApplications } from "./directory.js";
import { grantAdvice, missingIn, permissionsReader } from "./rights.js";

/** The actions that one step needs, at a resource group or a subscription. */
interface StepNeed {
  readonly scope: string;
  readonly actions: readonly string[];
}

/** One failure for each kind of missing permission. A permission that cannot be read is left to the step itself. */
export async function missingRights(azure: Azure, plan: Plan, caller: SignedIn): Promise<Failure[]> {
  const written = plan.steps.filter(({ decision: { act } }) => act === "create" || act === "update");
  const lacking = await missingActions(azure, plan, written, caller);
  const applications = written.some(({ step, decision }) => step.subject?.kind === "directory-object" && decision.act === "create");
  const mayCreate = !applications || (await mayCreateApplications(azure, caller));
  return [...lacking, ...(mayCreate ? [] : [applicationsDenied(caller)])];
}

function applicationsDenied({ clientId }: SignedIn): Failure {
  return new Failure("ARO-AUTHZ-004", "the signed-in principal has no permission to create applications; nothing was changed", {
    because: "its token has no Microsoft Graph permission and no directory role that allows it",
    ...(clientId !== undefined && { next: grantApplications(clientId) }),
  });
}

/** Permissions that cannot be read count as granted: Azure's own refusal reports what is missing. */
const unknown = [{ actions: ["*"], notActions: [] }];

async function missingActions(azure: Azure, plan: Plan, written: readonly PlannedStep[], caller: SignedIn): Promise<Failure[]> {
  const permissions = permissionsReader(azure);
  const isAbsent = (scope: string) =>
    plan.steps.some(({ step: { resourceId }, live }) => resourceId !== undefined && sameId(resourceId, scope) && live === undefined);
  const missing = new Map<string, { readonly scope: string; readonly actions: Set<string>; steps: number }>();
  for (const need of written.flatMap((planned) => needOf(plan, planned))) {
    const home = subscriptionScope(parseResourceId(need.scope).subscriptionId);
    const inherited = await readable(permissions(home));
    let { scope } = need;
    if (inherited === undefined && (sameId(scope, home) || isAbsent(scope))) continue;
    let lacking = missingIn(inherited ?? [], need.actions);
    if (lacking.length > 0 && !sameId(scope, home)) {
      if (isAbsent(scope)) scope = home;
      else lacking = missingIn((await readable(permissions(scope))) ?? unknown, lacking);
    }
    if (lacking.length === 0) continue;
    const key = scope.toLowerCase();
    const known = missing.get(key) ?? { scope, actions: new Set<string>(), steps: 0 };
    lacking.forEach((action) => known.actions.add(action));
    known.steps += 1;
    missing.set(key, known);
  }
  const found = [...missing.values()].map(({ scope, actions, steps }) => ({ scope, actions: [...actions], steps }));
  const aboutRoles = (action: string) => action.startsWith("Microsoft.Authorization/");
  const only = (wanted: (action: string) => boolean) =>
    found.map((each) => ({ ...each, actions: each.actions.filter(wanted) })).filter(({ actions }) => actions.length > 0);
  const onResources = only((action) => !aboutRoles(action));
  return [
    ...failureOf("ARO-AUTHZ-001", "write resources", onResources, caller),
    ...failureOf("ARO-AUTHZ-002", "assign roles", only(aboutRoles), caller),
  ];
}

function failureOf(
  code: "ARO-AUTHZ-001" | "ARO-AUTHZ-002",
  what: string,
  missing: readonly { readonly scope: string; readonly actions: readonly string[]; readonly steps: number }[],
  caller: SignedIn,
): Failure[] {
  if (missing.length === 0) return [];
  const steps = missing.reduce((sum, each) => sum + each.steps, 0);
  return [
    new Failure(
      code,
      `the signed-in principal has no permission to ${what}: ${plural(steps, "planned step")} would fail; nothing was changed`,
      {
        because: missing.map(({ scope, actions }) => `on ${scope}, ${actions.join(", ")} is not allowed`).join("; "),
        next: missing.map(({ scope, actions }): Advice => grantAdvice(actions, scope, caller)),
      },
    ),
  ];
}

function needOf(plan: Plan, { step, decision }: PlannedStep): StepNeed[] {
  const { subject } = step;
  if (subject?.kind === "role-assignment") {
    const scope = groupOf(step.resourceId ?? outputId(plan, step.within));
    const { type } = resourceTypes.roleAssignment;
    return scope === undefined ? [] : [{ scope, actions: [`${type}/write`, ...(decision.act === "update" ? [`${type}/delete`] : [])] }];
  }
  if (subject?.kind !== "resource" || step.resourceId === undefined) return [];
  const { subscriptionId } = parseResourceId(step.resourceId);
  if (subject.type === resourceTypes.resourceGroup.type) {
    const actions = ["Microsoft.Resources/subscriptions/resourceGroups/write"];
    return decision.act === "create" ? [{ scope: subscriptionScope(subscriptionId), actions }] : [];
  }
  const scope = groupOf(step.resourceId);
  const verbs = rowOf(subject.type)?.use?.verbs.filter((verb) => verb !== "read") ?? [];
  return scope === undefined || verbs.length === 0 ? [] : [{ scope, actions: verbs.map((verb) => `${subject.type}/${verb}`) }];
}

function groupOf(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  const { subscriptionId, resourceGroup } = parseResourceId(id);
  return resourceGroup === undefined ? undefined : resourceGroupId(subscriptionId, resourceGroup);
}

/** The ID in the planned output of a step; undefined if it is known only later. */
function outputId(plan: Plan, id: string | undefined): string | undefined {
  const value = plan.steps.find(({ step }) => step.id === id)?.output?.value;
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" ? value.id : undefined;
}

async function readable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch {
    return undefined;
  }
}
