/** The policies that knobs assign in every subscription: which writes they refuse, or change. */
import { ApiError } from "../core/service.js";
import type { AzureState } from "../state/state.js";
import type { SeedSettings } from "../state/seed-settings.js";
import { extensionsFrom } from "./indexes.js";
import { keyOf, nameOf } from "./resource-id.js";

type Properties = Readonly<Record<string, unknown>>;

export interface KnobPolicy {
  readonly effect: "deny" | "modify";
  readonly assignment: { readonly id: string; readonly name: string };
  readonly definition: Definition;
}

interface Definition {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  /** The type of the resources that the policy is about. */
  readonly type: string;
  readonly effect: "deny" | "modify";
  readonly condition: object;
  /** Whether the knobs assign it, and it applies to these properties. */
  isAssigned(knobs: SeedSettings): boolean;
  concerns(properties: Properties, knobs: SeedSettings): boolean;
  /** Names its assignment. */
  readonly assigned: { readonly name: string; readonly title: string };
}

const builtIn = (guid: string) => `/providers/Microsoft.Authorization/policyDefinitions/${guid}`;
const accountType = "Microsoft.Storage/storageAccounts";
const vaultType = "Microsoft.KeyVault/vaults";
const assignmentType = "Microsoft.Authorization/roleAssignments";

const publicBlobs = {
  category: "Storage",
  type: accountType,
  condition: { field: `${accountType}/allowBlobPublicAccess`, equals: "true" },
  concerns: ({ allowBlobPublicAccess }: Properties) => allowBlobPublicAccess === true,
} as const;

/** Azure's own definitions. That of roles is no built-in one. */
export const knobDefinitions: readonly Definition[] = [
  {
    ...publicBlobs,
    id: builtIn("4fa4b6c0-31ca-4c0d-b10d-24b96f62a751"),
    name: "Storage account public access should be disallowed",
    effect: "deny",
    isAssigned: ({ publicBlobPolicy }) => publicBlobPolicy === "deny",
    assigned: { name: "deny-public-blobs", title: "Deny public blob access" },
  },
  {
    ...publicBlobs,
    id: builtIn("13502221-8df0-4414-9937-de9c5c4e396b"),
    name: "Configure your Storage account public access to be disallowed",
    effect: "modify",
    isAssigned: ({ publicBlobPolicy }) => publicBlobPolicy === "modify",
    assigned: { name: "modify-public-blobs", title: "Switch public blob access off" },
  },
  {
    id: builtIn("0b60c0b2-2dc2-4e1c-b5c9-abbed971de53"),
    name: "Key vaults should have deletion protection enabled",
    category: "Key Vault",
    type: vaultType,
    effect: "deny",
    condition: {
      allOf: [
        { not: { field: `${vaultType}/createMode`, equals: "recover" } },
        { field: `${vaultType}/enablePurgeProtection`, notEquals: "true" },
      ],
    },
    isAssigned: ({ vaultPolicy }) => vaultPolicy === "deny",
    concerns: ({ createMode, enablePurgeProtection }) => createMode !== "recover" && enablePurgeProtection !== true,
    assigned: { name: "deny-unprotected-vaults", title: "Deny vaults without purge protection" },
  },
  {
    id: builtIn("b1a5ed20-0000-4000-8000-000000000001"),
    name: "Some roles should not be assigned",
    category: "General",
    type: assignmentType,
    effect: "deny",
    condition: { field: `${assignmentType}/roleDefinitionId`, in: "[parameters('roles')]" },
    isAssigned: ({ deniedRoles = [] }) => deniedRoles.length > 0,
    concerns: ({ roleDefinitionId }, { deniedRoles = [] }) =>
      deniedRoles.some((role) => keyOf(String(roleDefinitionId)).endsWith(`/${role.toLowerCase()}`)),
    assigned: { name: "deny-roles", title: "Deny roles" },
  },
];

/** The policies that are assigned in the subscription of `id`. */
export function knobPoliciesIn({ knobs = {} }: AzureState, id: string): KnobPolicy[] {
  return knobDefinitions
    .filter((definition) => definition.isAssigned(knobs))
    .map((definition) => ({
      effect: definition.effect,
      assignment: {
        id: `/subscriptions/${id.split("/")[2] ?? ""}/providers/Microsoft.Authorization/policyAssignments/${definition.assigned.name}`,
        name: definition.assigned.title,
      },
      definition,
    }));
}

/** The policy that concerns these properties of a resource of the type, below `id`; undefined if there is none, or an exemption applies. */
export function policyAgainst(state: AzureState, id: string, type: string, properties: Properties): KnobPolicy | undefined {
  return knobPoliciesIn(state, id).find(
    ({ definition, assignment }) =>
      keyOf(definition.type) === keyOf(type) && definition.concerns(properties, state.knobs ?? {}) && !isExempt(state, id, assignment.id),
  );
}

/** Exemptions are seeded like locks, and apply at their scope. */
function isExempt(state: AzureState, id: string, assignment: string): boolean {
  return extensionsFrom(state, id, "Microsoft.Authorization/policyExemptions").some(
    ({ properties }) => keyOf(String(properties["policyAssignmentId"])) === keyOf(assignment),
  );
}

/** Whether a policy changes what is written. @throws ApiError 403 RequestDisallowedByPolicy */
export function checkPolicies(state: AzureState, id: string, type: string, properties: Properties): "modify" | undefined {
  const policy = policyAgainst(state, id, type, properties);
  if (policy === undefined) return undefined;
  const { effect, assignment, definition } = policy;
  if (effect === "modify") return effect;
  const name = nameOf(id);
  const identifiers = JSON.stringify([{ policyAssignment: assignment, policyDefinition: { id: definition.id, name: definition.name } }]);
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
