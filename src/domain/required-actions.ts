/** The Azure RBAC actions that a create needs, by resource type and group. */
import { existingKinds, type ExistingKind, type GroupKind, type Part } from "./create-parts.js";
import { isUsed, rows, type UsedType } from "./resource-catalogue.js";
import { sameType } from "./resource-id.js";
import { resourceTypes } from "./resource-types.js";

export interface RequiredActions {
  readonly type: string;
  /** Needed if the create includes all of these parts. */
  readonly parts: readonly Part[];
  readonly at: GroupKind | "subscription";
  /** Not needed for an existing resource. */
  readonly unlessExisting?: ExistingKind;
  readonly actions: readonly string[];
}

/** Only for resource groups, the path of the actions differs from that of the type. */
const groupActions = "Microsoft.Resources/subscriptions/resourceGroups";
const { resourceGroup, roleAssignment, publicDnsZone } = resourceTypes;

/** The action that creates a resource group. A group that exists is used as it is. */
export const groupWrite = `${groupActions}/write`;

export function deleteAction(type: string): string {
  return `${sameType(type, resourceGroup.type) ? groupActions : type}/delete`;
}

function on(type: string, verbs: readonly string[]): string[] {
  return verbs.map((verb) => `${type}/${verb}`);
}

/** An existing resource is read and referenced, never written. */
function ofType({ type, use }: UsedType): RequiredActions[] {
  const { part, group: at, verbs, subscriptionActions = [], alsoByAks } = use;
  if (part === "several" || at === "several") return [];
  const existing = use.existingFlag === undefined ? undefined : existingKinds.find((kind) => kind === at);
  const split = (wanted: (verb: string) => boolean) => on(type, verbs.filter(wanted));
  const here: RequiredActions[] =
    existing === undefined
      ? [{ type, parts: [part], at, actions: on(type, verbs) }]
      : [
          { type, parts: [part], at, actions: split((verb) => verb !== "write") },
          { type, parts: [part], at, unlessExisting: existing, actions: split((verb) => verb === "write") },
        ];
  const inSubscription = (one: Part): RequiredActions => ({ type, parts: [one], at: "subscription", actions: subscriptionActions });
  if (alsoByAks === undefined) return [...here, inSubscription(part)];
  return [...here, inSubscription(part), { type, parts: ["aks"], at: "aks", actions: on(type, verbs) }, inSubscription("aks")];
}

/** The managed group is read even if it is an existing one. */
const ofGroups: readonly RequiredActions[] = [
  { type: resourceGroup.type, parts: ["infra"], at: "managed", actions: on(groupActions, ["read"]) },
  // What exists shows the settings of the cluster.
  ...(["managed", "vnet", "nsg"] as const).map((at): RequiredActions => ({
    type: resourceGroup.type,
    parts: ["infra"],
    at,
    actions: [`${groupActions}/resources/read`],
  })),
  ...existingKinds.map((kind): RequiredActions => ({
    type: resourceGroup.type,
    parts: ["infra"],
    at: kind,
    unlessExisting: kind,
    actions: on(groupActions, resourceGroup.use.verbs),
  })),
  ...(["identities", "issuer", "aks", "arc", "dns"] as const).map((kind): RequiredActions => ({
    type: resourceGroup.type,
    parts: [kind],
    at: kind,
    actions: on(groupActions, resourceGroup.use.verbs),
  })),
];

/** A cluster uses the zone of its base domain as it is. */
const ofBaseDomain: RequiredActions = { type: publicDnsZone.type, parts: ["infra"], at: "dns", actions: on(publicDnsZone.type, ["read"]) };

/** Roles are assigned to the cluster's identities, if known, and to the caller on the resources whose contents it writes. */
const ofRoles: readonly RequiredActions[] = [
  ...(["managed", "vnet", "nsg", "dns"] as const).map((at) => ({ parts: ["infra", "identities"] as const, at })),
  ...(["identities", "issuer", "aks", "dns"] as const).map((at) => ({ parts: [at], at })),
].map((where) => ({ ...where, type: roleAssignment.type, actions: on(roleAssignment.type, roleAssignment.use.verbs) }));

export const requiredActions: readonly RequiredActions[] = [
  ...ofGroups,
  ofBaseDomain,
  ...rows.filter(isUsed).flatMap(ofType),
  ...ofRoles,
].filter(({ actions }) => actions.length > 0);
