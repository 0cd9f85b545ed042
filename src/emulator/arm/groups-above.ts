/** The management groups that a scope is in. */
import type { AzureState } from "../state/state.js";
import { keyOf } from "./resource-id.js";

export const managementGroupType = "Microsoft.Management/managementGroups";

export type ManagementGroup = NonNullable<AzureState["managementGroups"]>[string];

/** The nearest first, without the root group, which is above all. */
export function groupsAbove({ subscriptions, managementGroups }: AzureState, scope: string): ManagementGroup[] {
  if (managementGroups === undefined) return [];
  const [, root, subscriptionId = ""] = keyOf(scope).split("/");
  const held = root === "subscriptions" ? subscriptions.find((one) => keyOf(one.subscriptionId) === subscriptionId) : undefined;
  const chain: ManagementGroup[] = [];
  for (let name = held?.managementGroup; name !== undefined;) {
    const group: ManagementGroup | undefined = managementGroups[keyOf(name)];
    if (group === undefined || chain.includes(group)) break;
    chain.push(group);
    name = group.parent;
  }
  return chain;
}

/** As the scopes of assignments are compared. */
export function groupScopesAbove(state: AzureState, scope: string): string[] {
  return groupsAbove(state, scope).map(({ name }) => keyOf(idOfGroup(name)));
}

export function idOfGroup(name: string): string {
  return `/providers/${managementGroupType}/${name}`;
}
