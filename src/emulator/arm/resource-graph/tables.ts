/** The tables of Resource Graph: what the caller may read in the scopes of a query, one row for each resource. */
import type { RoleAssignment, StoredResource } from "../../state/state.js";
import { callerOf, hasAnyRole, may } from "../authorization-check.js";
import { groupsAbove, groupScopesAbove } from "../groups-above.js";
import { assignmentsAround, resourcesByScope } from "../indexes.js";
import { isLock } from "../locks.js";
import { present } from "../present.js";
import { groupOf, isWithin, keyOf, nameOf, resourceGroupsType } from "../resource-id.js";
import type { ArmCall } from "../resource-type.js";
import { presentAssignment, roleAssignmentType } from "../role-assignments.js";
import { presentRole } from "../role-definitions.js";
import { rolesAt, roleType } from "../roles.js";
import { presentSubscription } from "../subscriptions.js";
import type { Subscription } from "../scopes.js";
import type { Row, Table } from "./evaluator.js";
import { notInDialect, unknownTable } from "./query-errors.js";
import { seen } from "./unseen-changes.js";

export const authorizationScopes = ["AtScopeAndBelow", "AtScopeAndAbove", "AtScopeExact", "AtScopeAboveAndBelow"] as const;

export interface Scope {
  readonly subscriptions: readonly Subscription[];
  /** Which role assignments the table of them has. */
  readonly authorization: (typeof authorizationScopes)[number];
}

/** In Azure's order. */
const columns = [
  ...["id", "name", "type", "tenantId", "kind", "location", "resourceGroup", "subscriptionId", "managedBy"],
  ...["sku", "plan", "properties", "tags", "identity", "zones", "extendedLocation"],
];

const texts = new Set(columns.slice(0, 9));

/** Tables that Azure has, and whose content the emulator does not keep. */
const notEmulated = [
  ...["advisorresources", "alertsmanagementresources", "appserviceresources", "communityresources", "computeresources"],
  ...["extendedlocationresources", "guestconfigurationresources", "healthresources", "insightsresources", "maintenanceresources"],
  ...["networkresources", "patchassessmentresources", "patchinstallationresources", "policyresources", "quotaresources"],
  ...["recoveryservicesresources", "resourcechanges", "resourcecontainerchanges", "securityresources", "servicehealthresources"],
  ...["spotresources", "supportresources"],
];

type Read = (call: ArmCall, scope: Scope) => Row[];

const tables: Readonly<Record<string, Read>> = {
  resources: ofResources(({ types }, one) => types.of(one).kind === "tracked" && one.type !== resourceGroupsType && !isLock(one.type)),
  resourcecontainers: (call, scope) => [
    ...subscriptionRows(call, scope),
    ...ofResources((_, { type }) => type === resourceGroupsType)(call, scope),
  ],
  authorizationresources: (call, scope) => [...assignmentRows(call, scope), ...roleRows(call, scope)],
  dnsresources: ofResources((_, { type }) => recordSet.test(type)),
  kubernetesconfigurationresources: ofResources((_, { type }) => /^microsoft\.kubernetesconfiguration\//i.test(type)),
  managedserviceresources: ofResources((_, { type }) => /^microsoft\.managedservices\//i.test(type)),
};

/** Those that Resource Graph has: neither NS nor CAA. */
const recordSet = /^microsoft\.network\/(?:private)?dnszones\/(?:a|aaaa|cname|mx|ptr|soa|srv|txt)$/i;

/** @throws QueryError for a table that Azure does not have either */
export function tableNamed(call: ArmCall, scope: Scope, name: string): Table {
  const read = Object.hasOwn(tables, name) ? tables[name] : undefined;
  if (read !== undefined) return { columns, rows: read(call, scope) };
  if (notEmulated.includes(name)) throw notInDialect(`The table '${name}'`);
  throw unknownTable(name);
}

function ofResources(belongs: (call: ArmCall, resource: StoredResource) => boolean): Read {
  return (call, { subscriptions }) =>
    subscriptions.flatMap((subscription) => {
      const scope = `/subscriptions/${subscription.subscriptionId}`;
      return seen(call, "resources", resourcesByScope.find(call.state.resources, keyOf(scope)), (one) => isWithin(one.id, scope))
        .filter((one) => belongs(call, one) && mayRead(call, one))
        .map((one) => rowOf(call, presentNewest(call, one), subscription));
    });
}

function mayRead(call: ArmCall, { type, id }: Pick<StoredResource, "type" | "id">): boolean {
  const action = type === resourceGroupsType ? "Microsoft.Resources/subscriptions/resourceGroups/read" : `${type}/read`;
  return may(call, callerOf(call).objectId, action, id);
}

/** In the shape of the newest api-version of its type, whatever the version of the query. */
function presentNewest(call: ArmCall, resource: StoredResource): Row {
  const [version = ""] = call.types.of(resource).apiVersions;
  return present({ ...call, request: { ...call.request, query: new URLSearchParams({ "api-version": version }) } }, resource);
}

function rowOf(call: ArmCall, presented: Row, subscription: Subscription | undefined): Row {
  const id = String(presented["id"]);
  const known = {
    ...presented,
    id,
    type: typeIn(String(presented["type"])),
    tenantId: subscription?.tenantId ?? call.state.tenantId,
    resourceGroup: nameOf(groupOf(id) ?? "/").toLowerCase(),
    subscriptionId: subscription?.subscriptionId,
  };
  return Object.fromEntries(columns.map((name) => [name, (known as Row)[name] ?? (texts.has(name) ? "" : null)]));
}

/** Groups are contained in subscriptions here. */
function typeIn(type: string): string {
  return type === resourceGroupsType ? "microsoft.resources/subscriptions/resourcegroups" : keyOf(type);
}

function subscriptionRows(call: ArmCall, { subscriptions }: Scope): Row[] {
  return subscriptions.map((one) => {
    const { id, displayName, tags, state, managedByTenants, authorizationSource } = presentSubscription(call.state, one);
    const chain = groupsAbove(call.state, String(id)).map(({ name, displayName: shown }) => ({ name, displayName: shown }));
    const root = { name: call.state.tenantId, displayName: "Tenant Root Group" };
    const properties = {
      managementGroupAncestorsChain: [...chain, root],
      managedByTenants,
      authorizationSource,
      subscriptionPolicies: {},
      state,
    };
    return rowOf(call, { id, name: displayName, type: "microsoft.resources/subscriptions", tags, properties }, one);
  });
}

/** Resource Graph spells the IDs of roles without a subscription, and in words of its own. */
const idOfRole = (id: string): string => `/providers/Microsoft.Authorization/RoleDefinitions/${nameOf(id)}`;

function assignmentRows(call: ArmCall, { subscriptions, authorization }: Scope): Row[] {
  const withBelow = /Below$/.test(authorization);
  const withAbove = /Above/.test(authorization);
  const found = subscriptions.flatMap((subscription) => {
    const scope = `/subscriptions/${subscription.subscriptionId}`;
    const above = groupScopesAbove(call.state, scope);
    const isAround = ({ scope: held }: RoleAssignment) => isWithin(held, scope) || isWithin(scope, held) || above.includes(keyOf(held));
    return seen(call, "roleAssignments", assignmentsAround(call.state, scope, !withBelow), isAround)
      .filter((one) => keyOf(one.scope) === keyOf(scope) || (isWithin(one.scope, scope) ? withBelow : withAbove))
      .map((one) => [one, isWithin(one.scope, scope) ? subscription : undefined] as const);
  });
  // Nobody has a right on an assignment that is not one on its scope.
  const readable = new Map<string, boolean>();
  const mayReadAt = (scope: string): boolean => {
    const known = readable.get(scope) ?? may(call, callerOf(call).objectId, `${roleAssignmentType}/read`, scope);
    readable.set(scope, known);
    return known;
  };
  return [...new Map(found.map((entry) => [entry[0].id, entry])).values()]
    .filter(([one]) => mayReadAt(one.scope))
    .map(([one, subscription]) => {
      const { properties, ...presented } = presentAssignment("2022-04-01", one);
      const { roleDefinitionId } = properties;
      return rowOf(call, { ...presented, properties: { ...properties, roleDefinitionId: idOfRole(roleDefinitionId) } }, subscription);
    });
}

/** Built-in roles, and the custom ones that can be assigned in the subscriptions. */
function roleRows(call: ArmCall, { subscriptions }: Scope): Row[] {
  const readable = subscriptions
    .map(({ subscriptionId }) => `/subscriptions/${subscriptionId}`)
    .filter((scope) => {
      return may(call, callerOf(call).objectId, `${roleType}/read`, scope);
    });
  const roles = new Map(readable.flatMap((scope) => rolesAt(call.state, scope, true).map((role) => [role.guid, role])));
  return [...roles.values()].map((role) => rowOf(call, { ...presentRole("/", role), id: idOfRole(role.guid) }, undefined));
}

interface Named {
  readonly subscriptions?: readonly string[] | undefined;
  readonly managementGroups?: readonly string[] | undefined;
}

/** Those of the query that the caller can read: any role in it makes a subscription visible. Without a scope, the query is about all. */
export function readableSubscriptions(call: ArmCall, { subscriptions, managementGroups }: Named): Subscription[] {
  const [ids, groups] = [subscriptions?.map(keyOf), managementGroups?.map(keyOf)];
  const isIn = (scope: string) => [call.state.tenantId, ...groupsAbove(call.state, scope).map(({ name }) => keyOf(name))];
  return call.state.subscriptions.filter(({ subscriptionId }) => {
    const scope = `/subscriptions/${subscriptionId}`;
    const isNamed = ids?.includes(keyOf(subscriptionId)) ?? (groups === undefined || isIn(scope).some((name) => groups.includes(name)));
    return isNamed && hasAnyRole(call, scope);
  });
}
