/** Reads many subscriptions with Azure Resource Graph: three queries and their pages. */
import type { Azure } from "../../azure/azure.js";
import { allows } from "../../domain/allowed-actions.js";
import { graphAssignment, graphResource, type GraphAssignment, type GraphResource } from "../../azure/arm-responses.js";
import { permissionsReader } from "../../azure/permissions.js";
import { resourceGraphRows } from "../../azure/resource-graph.js";
import { isWithin, subscriptionScope } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Assignment, Contents } from "../domain/estate.js";
import { entryOf, type Listed } from "./by-lists.js";

const ofResource = ["id", "type", "location", "tags", "managedBy", "provisioningState"];
const ofAssignment = [
  ...["scope", "principalId", "principalType", "roleDefinitionId", "createdBy", "createdOn", "updatedOn", "description", "condition"],
  "delegatedManagedIdentityResourceId",
];

const queries = {
  groups: query(
    "resourcecontainers",
    ["where type =~ 'microsoft.resources/subscriptions/resourcegroups'", member("provisioningState")],
    ofResource,
  ),
  resources: query("resources", ["principalId", "provisioningState"].map(member), [...ofResource, "principalId"]),
  assignments: query(
    "authorizationresources",
    ["where type =~ 'microsoft.authorization/roleassignments'", ...ofAssignment.map(member)],
    ["id", "name", ...ofAssignment],
  ),
};

/** Pages go on only if the first column, the ID, is in the answer and orders it. */
function query(table: string, clauses: readonly string[], columns: readonly string[]): string {
  return [table, ...clauses, `project ${columns.join(", ")}`, `order by ${columns[0] ?? ""} asc`].join(" | ");
}

function member(name: string): string {
  return `extend ${name} = tostring(properties.${name})`;
}

/**
 * `read`: the subscriptions that are in `contents` as a whole. Resource Graph leaves out silently what the caller may not read, so others remain to
 * be read in another way. All do if a list is not complete.
 */
export async function readByResourceGraph(
  azure: Azure,
  subscriptions: readonly string[],
): Promise<{ readonly read: readonly string[]; readonly contents: Contents }> {
  const nothing = { read: [], contents: { entries: [], assignments: [], unread: [] } };
  const read = await readableOf(azure, subscriptions);
  if (read.length === 0) return nothing;
  try {
    const [groups, resources, assignments] = await Promise.all([
      resourceGraphRows(azure, read, queries.groups, graphResource),
      resourceGraphRows(azure, read, queries.resources, graphResource),
      resourceGraphRows(azure, read, queries.assignments, graphAssignment),
    ]);
    return {
      read,
      contents: {
        entries: [
          ...groups.flatMap((row) => entryOf(listed({ ...row, type: resourceTypes.resourceGroup.type }))),
          ...resources.flatMap((row) => entryOf(listed(row), row.principalId || undefined)),
        ],
        assignments: assignments.filter(({ scope }) => read.some((id) => isWithin(scope, subscriptionScope(id)))).map(assignmentOf),
        unread: [],
      },
    };
  } catch {
    // Whatever it was, lists answer it, or say why they cannot.
    return nothing;
  }
}

/** Of no provider: only a role with all reads, or with everything, allows it. */
const anyRead = "Any.Provider/anything/read";

/** Those in which a role lets the caller read everything. */
export async function readableOf(azure: Azure, subscriptions: readonly string[]): Promise<readonly string[]> {
  const permissions = permissionsReader(azure);
  const readable = await Promise.all(
    subscriptions.map(async (id) => {
      const held = await permissions(subscriptionScope(id)).catch(() => []);
      return allows(held, anyRead) ? [id] : [];
    }),
  );
  return readable.flat();
}

/** As a list of Azure has it. */
function listed({ id, type, location, tags, managedBy, provisioningState }: GraphResource): Listed {
  const more = { ...(managedBy && { managedBy }), ...(provisioningState && { provisioningState }) };
  return { id, type, ...(location && { location }), ...(tags && { tags }), ...more };
}

function assignmentOf({ id, name, scope, principalId, createdOn, updatedOn, ...row }: GraphAssignment): Assignment {
  return {
    ...{ id, name, scope, principalId },
    principalType: row.principalType || undefined,
    roleDefinitionId: row.roleDefinitionId || undefined,
    createdBy: row.createdBy || undefined,
    createdOn: createdOn ? new Date(createdOn) : undefined,
    updatedOn: updatedOn ? new Date(updatedOn) : undefined,
    description: row.description || undefined,
    condition: row.condition || undefined,
    delegatedManagedIdentityResourceId: row.delegatedManagedIdentityResourceId || undefined,
  };
}
