/** Reads one subscription with Azure's lists, which show every change at once, and when a resource was created. */
import type { RoleAssignment } from "@azure/arm-authorization";
import type { GenericResourceExpanded } from "@azure/arm-resources";
import { datedGroup } from "../../azure/arm-responses.js";
import type { Azure } from "../../azure/azure.js";
import { distinct } from "../../azure/distinct.js";
import { all } from "../../azure/pages.js";
import { toFailure } from "../../azure/to-failure.js";
import { documentedId, groupNameOf, isWithin, subscriptionScope } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Assignment, Contents, Entry, Unread } from "../domain/estate.js";

/** A list that fails leaves what it would have shown unknown, and the others as they are. */
export async function readByLists(azure: Azure, subscriptionId: string): Promise<Contents> {
  const unread: Unread[] = [];
  const read = async <T>(what: string, list: Promise<AsyncIterable<T> | readonly T[]>): Promise<T[]> => {
    try {
      const listed = await list;
      return Symbol.asyncIterator in listed ? await all(listed) : [...listed];
    } catch (error) {
      unread.push({ subscriptionId, failure: toFailure(error, `reading the ${what} of subscription ${subscriptionId}`) });
      return [];
    }
  };
  const [groups, resources, identities, assignments] = await Promise.all([
    read(
      "resource groups",
      azure
        .manager()
        .then((manager) =>
          manager.list(`${subscriptionScope(subscriptionId)}/resourcegroups?$expand=createdTime`, "2021-04-01", datedGroup),
        ),
    ),
    read(
      "resources",
      azure.resources(subscriptionId).then((client) => client.resources.list({ expand: "createdTime,provisioningState" })),
    ),
    read(
      "managed identities",
      azure.identities(subscriptionId).then((client) => client.userAssignedIdentities.listBySubscription()),
    ),
    read(
      "role assignments",
      azure.authorization(subscriptionId).then(({ roleAssignments }) => roleAssignments.listForSubscription()),
    ),
  ]);
  const principals = new Map(identities.map(({ id = "", principalId }) => [id.toLowerCase(), principalId]));
  const scope = subscriptionScope(subscriptionId);
  return {
    entries: distinct([
      ...groups.flatMap(({ id, location, tags = {}, managedBy = "", createdTime, properties: { provisioningState = "" } = {} }) =>
        entryOf({
          ...{ id, location, tags, managedBy, provisioningState, type: resourceTypes.resourceGroup.type },
          ...(createdTime !== undefined && { createdTime: new Date(createdTime) }),
        }),
      ),
      ...resources.flatMap((one) => entryOf(one, principals.get(one.id?.toLowerCase() ?? ""))),
    ]),
    // Azure also lists those of management groups.
    assignments: assignments.flatMap(assignmentOf).filter((one) => isWithin(one.scope, scope)),
    unread,
  };
}

export type Listed = Pick<GenericResourceExpanded, "id" | "type" | "location" | "tags" | "createdTime" | "managedBy" | "provisioningState">;

/** No entry without an ID. A list has "zone/link" as the name of a child. */
export function entryOf(
  { id, type, location = "", tags = {}, createdTime, managedBy, provisioningState = "" }: Listed,
  principalId?: string,
): Entry[] {
  const group = groupNameOf(id);
  if (id === undefined || type === undefined || group === undefined) return [];
  return [
    {
      // Resource Graph and lists spell it differently.
      id: documentedId(id),
      type: type.toLowerCase(),
      name: id.split("/").at(-1) ?? "",
      subscriptionId: id.split("/")[2]?.toLowerCase() ?? "",
      group: group.toLowerCase(),
      location,
      tags,
      createdAt: createdTime,
      principalId,
      managedBy: managedBy || undefined,
      unready: ["", "Succeeded"].includes(provisioningState) ? undefined : provisioningState,
    },
  ];
}

function assignmentOf({ id, name, scope, principalId, ...more }: RoleAssignment): Assignment[] {
  if (id === undefined || name === undefined || scope === undefined || principalId === undefined) return [];
  const { principalType, roleDefinitionId, createdBy, createdOn, updatedOn, description, condition, delegatedManagedIdentityResourceId } =
    more;
  return [
    {
      ...{ id, name, scope, principalId, principalType, roleDefinitionId, createdOn, updatedOn },
      createdBy: createdBy || undefined,
      description: description || undefined,
      condition: condition || undefined,
      delegatedManagedIdentityResourceId: delegatedManagedIdentityResourceId || undefined,
    },
  ];
}
