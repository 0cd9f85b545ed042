/** A policy of the tenant against public blobs, as many have: it refuses the write, or changes what is written. */
import { ApiError } from "../../../service.js";
import type { World } from "../../../world/world.js";
import { nameOf } from "../../resource-id.js";

/** Azure's own definition for it. */
const definition = {
  id: "/providers/Microsoft.Authorization/policyDefinitions/4fa4b6c0-31ca-4c0d-b10d-24b96f62a751",
  name: "Storage account public access should be disallowed",
};

/** What of an account's properties is written. @throws ApiError 403 RequestDisallowedByPolicy */
export function underPolicy(world: World, id: string, properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const policy = world.knobs?.publicBlobPolicy;
  if (policy === undefined || properties["allowBlobPublicAccess"] !== true) return { ...properties };
  if (policy === "modify") return { ...properties, allowBlobPublicAccess: false };
  const name = nameOf(id);
  const assignment = {
    id: `/subscriptions/${id.split("/")[2] ?? ""}/providers/Microsoft.Authorization/policyAssignments/deny-public-blobs`,
    name: "Deny public blob access",
  };
  const identifiers = JSON.stringify([{ policyAssignment: assignment, policyDefinition: definition }]);
  throw new ApiError(
    403,
    "RequestDisallowedByPolicy",
    `Resource '${name}' was disallowed by policy. Policy identifiers: '${identifiers}'.`,
    {
      beside: {
        target: name,
        additionalInfo: [
          {
            type: "PolicyViolation",
            info: {
              policyDefinitionDisplayName: definition.name,
              policyDefinitionId: definition.id,
              policyDefinitionName: nameOf(definition.id),
              policyDefinitionEffect: "deny",
              policyAssignmentId: assignment.id,
              policyAssignmentName: nameOf(assignment.id),
              policyAssignmentDisplayName: assignment.name,
              policyAssignmentScope: assignment.id.split("/").slice(0, 3).join("/"),
            },
          },
        ],
      },
    },
  );
}
