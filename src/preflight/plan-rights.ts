/** The permissions that the steps of a plan need, compared with those of the signed-in principal before the first write. */
import type { Azure } from "../azure/azure.js";
import type { PermissionsReader } from "../azure/permissions.js";
import type { SignedIn } from "../azure/signed-in.js";
import { parseResourceId, sameId, subscriptionScope } from "../domain/resource-id.js";
import { isWritten, type Plan, type PlannedStep } from "../engine/plan.js";
import type { Advice } from "../errors/advice.js";
import { grantApplications } from "../errors/access-failures.js";
import { Failure } from "../errors/failure.js";
import { plural } from "../text/plural.js";
import { mayCreateApplications } from "./directory-checks.js";
import { needsOf, type StepNeed } from "./plan-needs.js";
import { grantAdvice, missingIn } from "./rights.js";

/** One failure for each kind of missing permission. A permission that cannot be read is left to the step itself. */
export async function missingRights(azure: Azure, permissions: PermissionsReader, plan: Plan, caller: SignedIn): Promise<Failure[]> {
  const written = plan.steps.filter(isWritten);
  const lacking = await lackingActions(permissions, plan, written);
  const onRoles = lacking.filter(({ actions }) => actions.some((action) => action.startsWith("Microsoft.Authorization/")));
  const onResources = lacking.filter((one) => !onRoles.includes(one));
  const applications = written.some(({ step, decision }) => step.subject?.kind === "directory-object" && decision.act === "create");
  const mayCreate = !applications || (await mayCreateApplications(azure, caller));
  return [
    ...failureOf("ARO-AUTHZ-001", "write resources", onResources, caller),
    ...failureOf("ARO-AUTHZ-002", "assign roles", onRoles, caller),
    ...(mayCreate ? [] : [applicationsDenied(caller)]),
  ];
}

function applicationsDenied({ clientId }: SignedIn): Failure {
  return new Failure("ARO-AUTHZ-004", "the signed-in principal has no permission to create applications; nothing was changed", {
    because: "its token has no Microsoft Graph permission and no directory role that allows it",
    ...(clientId !== undefined && { next: grantApplications(clientId) }),
  });
}

/** Permissions that cannot be read count as granted: Azure's own refusal reports what is missing. */
const unknown = [{ actions: ["*"], notActions: [] }];

/** What the signed-in principal lacks, one entry for each step. */
async function lackingActions(permissions: PermissionsReader, plan: Plan, written: readonly PlannedStep[]): Promise<StepNeed[]> {
  const isAbsent = (scope: string) =>
    plan.steps.some(({ step: { resourceId }, live }) => resourceId !== undefined && sameId(resourceId, scope) && live === undefined);
  const needs = written.flatMap((planned) => needsOf(plan, planned));
  const lacking = await Promise.all(needs.map((need) => lackOf(need, permissions, isAbsent)));
  return lacking.filter(({ actions }) => actions.length > 0);
}

/** The actions of the need that are not allowed, at the scope to grant them on: for an absent group, its subscription. A role on the resource alone is enough. */
async function lackOf(
  { scope, resource = scope, actions }: StepNeed,
  permissions: PermissionsReader,
  isAbsent: (scope: string) => boolean,
): Promise<StepNeed> {
  const subscription = subscriptionScope(parseResourceId(scope).subscriptionId);
  const inherited = await readable(permissions(subscription));
  if (sameId(scope, subscription) || isAbsent(scope)) return { scope: subscription, actions: missingIn(inherited ?? unknown, actions) };
  let missing = missingIn(inherited ?? [], actions);
  for (const within of scopesTo(scope, resource)) {
    if (missing.length === 0 || isAbsent(within)) break;
    missing = missingIn((await readable(permissions(within))) ?? unknown, missing);
  }
  return { scope, actions: missing };
}

/** The group, the resource in it that contains the given one, and each part between them. */
function scopesTo(group: string, resource: string): string[] {
  const segments = resource.split("/");
  const ends = [9, 11, 13].filter((end) => end <= segments.length);
  return [group, ...ends.map((end) => segments.slice(0, end).join("/"))];
}

function failureOf(code: "ARO-AUTHZ-001" | "ARO-AUTHZ-002", what: string, lacking: readonly StepNeed[], caller: SignedIn): Failure[] {
  if (lacking.length === 0) return [];
  const missing = byScope(lacking);
  return [
    new Failure(
      code,
      `the signed-in principal has no permission to ${what}: ${plural(lacking.length, "planned step")} would fail; nothing was changed`,
      {
        because: missing.map(({ scope, actions }) => `on ${scope}, ${actions.join(", ")} is not allowed`).join("; "),
        next: missing.map(({ scope, actions }): Advice => grantAdvice(actions, scope, caller)),
      },
    ),
  ];
}

/** One entry for each scope, with the actions of all its needs. */
function byScope(needs: readonly StepNeed[]): StepNeed[] {
  const merged = new Map<string, StepNeed>();
  for (const { scope, actions } of needs) {
    const known = merged.get(scope.toLowerCase()) ?? { scope, actions: [] };
    merged.set(scope.toLowerCase(), { scope: known.scope, actions: [...new Set([...known.actions, ...actions])] });
  }
  return [...merged.values()];
}

async function readable<T>(read: Promise<T>): Promise<T | undefined> {
  try {
    return await read;
  } catch {
    return undefined;
  }
}
