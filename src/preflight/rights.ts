/** Checks of permissions: the effective permissions at each scope, and deny assignments and locks, which override roles. */
import { advise, joinAdvice, shell, type Advice } from "../errors/advice.js";
import type { Azure } from "../azure/azure.js";
import type { SignedIn } from "../azure/signed-in.js";
import type { DenyAssignmentResponse, PermissionResponse } from "../azure/arm-responses.js";
import { deniesOn, deniesPrincipal, listDenyAssignments } from "../azure/deny-assignments.js";
import { listLocks, type ManagementLock } from "../azure/management-locks.js";
import { permissionsReader } from "../azure/permissions.js";
import { groupWrite, requiredActions } from "../domain/required-actions.js";
import { isWithin, resourceGroupId, subscriptionScope } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { orRefused } from "../azure/or-refused.js";
import { plural } from "../text/plural.js";
import { failed, passed, notChecked, type Finding } from "../verify/check.js";
import { checkInstance, endingsOf, type CheckInstance } from "../verify/check-instance.js";
import { allows } from "../domain/allowed-actions.js";
import type { Account } from "./account.js";
import { doctorChecks } from "./checks.js";
import type { DoctorRequest, WantedResources } from "./request.js";
import type { Providers } from "./providers.js";

interface Need {
  /** ID of a resource group or of the subscription. */
  readonly scope: string;
  readonly subject: string;
  readonly actions: readonly string[];
}

export function rightsCheckInstances(
  azure: Azure,
  request: DoctorRequest,
  resources: WantedResources,
  account: CheckInstance<Account>,
  providers: CheckInstance<Providers>,
): CheckInstance[] {
  const { subscriptionId } = azure.connection;
  const home = subscriptionScope(subscriptionId);
  const permissions = permissionsReader(azure);
  const needs = needsOf(request, resources, subscriptionId);
  const groups = needs.filter(({ scope }) => scope !== home);
  const onSubscription = checkInstance(doctorChecks.rights, "subscription", { account, providers }, async (inputs) => {
    // A resource group that does not exist yet will inherit the subscription's permissions, and nothing can be assigned on it.
    const absent = await Promise.all(groups.map(async (need) => ((await permissions(need.scope)) ? [] : need.actions)));
    const own = needs.filter(({ scope }) => scope === home).flatMap(({ actions }) => actions);
    const wanted = [...new Set([...own, ...absent.flat(), ...registering(inputs.providers)])];
    const missing = missingIn((await permissions(home)) ?? [], wanted);
    return missing.length === 0
      ? passed(`allowed: ${plural(wanted.length, "required action")}`)
      : failed(`not allowed: ${missing.join(", ")}`, grantAdvice(missing, home, inputs.account.caller));
  });
  const onGroups = groups.map(({ scope, subject, actions }) => {
    const needs = { account, providers, subscription: endingsOf(onSubscription) };
    return checkInstance(doctorChecks.rights, subject, needs, async ({ account: { caller }, subscription }) => {
      const given = await permissions(scope);
      const wanted = given === undefined ? actions : actions.filter((action) => action !== groupWrite);
      const missing = missingIn(given ?? (await permissions(home)) ?? [], wanted);
      if (missing.length === 0) {
        return passed(`allowed: ${plural(wanted.length, "required action")}${given ? "" : ", inherited from the subscription"}`);
      }
      // The same permission on the subscription includes the group, so it is reported once.
      const hasFailed = subscription.some(({ result }) => result.state === "failed");
      const reported = hasFailed ? missingIn((await permissions(home)) ?? [], missing) : [];
      return given === undefined || reported.length === missing.length
        ? notChecked("check rights of the subscription reports the missing permissions, which this group would inherit")
        : failed(`not allowed: ${missing.join(", ")}`, grantAdvice(missing, scope, caller));
    });
  });
  return [
    onSubscription,
    ...onGroups,
    checkInstance(doctorChecks["deny-assignments"], "subscription", { account }, async ({ account: { caller } }) => {
      const denials = await orRefused(listDenyAssignments(azure, subscriptionId));
      return denials === undefined
        ? notChecked("the signed-in principal has no permission to read deny assignments")
        : checkDenials(denials, needs, caller);
    }),
    checkInstance(doctorChecks.locks, "subscription", { account }, async () => {
      const locks = await orRefused(listLocks(azure, subscriptionId));
      return locks === undefined ? notChecked("the signed-in principal has no permission to read locks") : checkLocks(locks, needs);
    }),
  ];
}

/** One for each distinct group. Actions for an unnamed group, or for none, are needed on the subscription. */
function needsOf({ parts, groups, existing }: DoctorRequest, wanted: WantedResources, subscriptionId: string): Need[] {
  const byScope = new Map<string, { readonly scope: string; readonly subject: string; readonly actions: Set<string> }>();
  for (const row of requiredActions) {
    const isNeeded =
      row.parts.every((part) => parts.has(part)) && (wanted.uses(row.type) || row.type === resourceTypes.roleAssignment.type);
    if (!isNeeded || (row.unlessExisting !== undefined && existing.has(row.unlessExisting))) continue;
    const name = row.at === "subscription" ? undefined : groups[row.at];
    const scope = name === undefined ? subscriptionScope(subscriptionId) : resourceGroupId(subscriptionId, name);
    const need = byScope.get(scope.toLowerCase()) ?? {
      scope,
      subject: name === undefined ? "subscription" : `group ${name}`,
      actions: new Set(),
    };
    byScope.set(scope.toLowerCase(), need);
    row.actions.forEach((action) => need.actions.add(action));
  }
  return [...byScope.values()].map(({ actions, ...need }) => ({ ...need, actions: [...actions] }));
}

/** The actions with which a create registers the unregistered providers itself. */
function registering(providers: Providers): string[] {
  return [...providers]
    .filter(([, { registrationState }]) => registrationState !== "Registered")
    .map(([name]) => `${name}/register/action`);
}

export function missingIn(given: readonly PermissionResponse[], wanted: readonly string[]): string[] {
  return wanted.filter((action) => !allows(given, action));
}

export function grantAdvice(missing: readonly string[], scope: string, caller: SignedIn): Advice {
  const aboutRoles = (action: string) => action.startsWith("Microsoft.Authorization/");
  const roles = [...(missing.every(aboutRoles) ? [] : ["Contributor"]), ...(missing.some(aboutRoles) ? ["User Access Administrator"] : [])];
  const commands = roles.map(
    (role) =>
      shell`az role assignment create --role ${role} --assignee-object-id ${caller.objectId} --assignee-principal-type ${caller.principalType} --scope ${scope}`,
  );
  return advise`ask an owner for a role with these actions, or for ${joinAdvice(commands, " and ")}; a role assigned minutes ago might not be in effect yet, and an eligible role of Privileged Identity Management must be activated first`;
}

function checkDenials(denials: readonly DenyAssignmentResponse[], needs: readonly Need[], { objectId }: SignedIn): Finding<undefined> {
  const ofCaller = denials.filter((denial) => deniesPrincipal(denial, objectId));
  const denied = ofCaller.flatMap((denial) => {
    const { denyAssignmentName, permissions, scope } = denial.properties;
    const actions = needs
      .filter((need) => deniesOn(denial, need.scope) || isWithin(scope, need.scope))
      .flatMap((need) => need.actions.filter((action) => allows(permissions, action)));
    return actions.length === 0 ? [] : [`"${denyAssignmentName}" on ${scope} denies ${[...new Set(actions)].join(", ")}`];
  });
  if (denied.length > 0) {
    return failed(
      denied.join("; "),
      "a managed application or a deployment stack owns the deny assignment: use another resource group or subscription, or ask its owner to exclude you",
    );
  }
  const ofGroups = denials.filter(({ properties: { principals } }) => principals.some(({ type }) => type === "Group")).length;
  return passed(
    ofGroups === 0
      ? "none"
      : `none for the signed-in principal; ${plural(ofGroups, "deny assignment")} for groups, whose members are not looked up`,
  );
}

function checkLocks(locks: readonly ManagementLock[], needs: readonly Need[]): Finding<undefined> {
  // A lock on a single resource does not lock its group.
  const here = locks.filter(({ scope }) => needs.some((need) => isWithin(need.scope, scope)));
  const readOnly = here.filter(({ level }) => level === "ReadOnly");
  if (readOnly.length > 0) {
    return failed(
      readOnly.map(({ name, scope }) => `the lock "${name}" makes ${scope} read-only`).join("; "),
      advise`ask the owner of the lock to delete it: ${joinAdvice(
        readOnly.map(({ id }) => shell`az lock delete --ids ${id}`),
        " and ",
      )}`,
    );
  }
  return passed(
    here.length === 0 ? "none" : `${here.map(({ name, scope }) => `"${name}" on ${scope}`).join(", ")}; these locks would block a destroy`,
  );
}
