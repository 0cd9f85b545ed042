/** A common tenant policy against public blobs: refuses the write, or changes what is written. */
import { ApiError } from "../../../core/service.js";
import type { AzureState } from "../../../state/state.js";
import { extensionsFrom } from "../../indexes.js";
import { keyOf, nameOf } from "../../resource-id.js";

/** Azure's own policy definitions, by effect. */
const definitions = {
  deny: {
    id: "/providers/Microsoft.Authorization/policyDefinitions/4fa4b6c0-31ca-4c0d-b10d-24b96f62a751",
    name: "Storage account public access should be disallowed",
  },
  modify: {
    id: "/providers/Microsoft.Authorization/policyDefinitions/13502221-8df0-4414-9937-de9c5c4e396b",
    name: "Configure your Storage account public access to be disallowed",
  },
} as const;

export const publicBlobDefinitions = [
  { ...definitions.deny, effect: "deny" },
  { ...definitions.modify, effect: "modify" },
] as const;

/** The policy that is assigned in the subscription of `id`. */
export function publicBlobPolicyIn({ knobs }: AzureState, id: string) {
  const effect = knobs?.publicBlobPolicy;
  if (effect === undefined) return undefined;
  const assignment = {
    id: `/subscriptions/${id.split("/")[2] ?? ""}/providers/Microsoft.Authorization/policyAssignments/${effect}-public-blobs`,
    name: effect === "deny" ? "Deny public blob access" : "Switch public blob access off",
  };
  return { effect, assignment, definition: definitions[effect] };
}

/** The policy that denies these properties in the subscription of `id`; undefined if there is none, or an exemption applies. */
export function policyAgainst(state: AzureState, id: string, properties: Readonly<Record<string, unknown>>) {
  const policy = properties["allowBlobPublicAccess"] === true ? publicBlobPolicyIn(state, id) : undefined;
  return policy === undefined || isExempt(state, id, policy.assignment.id) ? undefined : policy;
}

/** Exemptions are seeded like locks, and apply at their scope. */
function isExempt(state: AzureState, id: string, assignment: string): boolean {
  return extensionsFrom(state, id, "Microsoft.Authorization/policyExemptions").some(
    ({ properties }) => keyOf(String(properties["policyAssignmentId"])) === keyOf(assignment),
  );
}

/** The properties of an account as written. @throws ApiError 403 RequestDisallowedByPolicy */
export function underPolicy(state: AzureState, id: string, properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const policy = policyAgainst(state, id, properties);
  if (policy === undefined) return { ...properties };
  if (policy.effect === "modify") return { ...properties, allowBlobPublicAccess: false };
  const { assignment, definition } = policy;
  const name = nameOf(id);
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
