/** Reads policy assignments, definitions and exemptions: those of the settings, and seeded resources. */
import { ApiError, type Answer } from "../core/service.js";
import type { AzureState } from "../state/state.js";
import { requireRight } from "./authorization-check.js";
import { findScope } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { knobDefinitions, knobPoliciesIn, type KnobPolicy } from "./knob-policies.js";
import { readFilter } from "./odata-filter.js";
import { page } from "./paging.js";
import { extensionsAround } from "./indexes.js";
import { isWithin, keyOf, nameOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";

export const policyVersions = [
  "2025-03-01",
  "2025-01-01",
  "2024-05-01",
  "2024-04-01",
  "2023-04-01",
  "2022-06-01",
  "2021-06-01",
  "2020-09-01",
  "2019-09-01",
  "2018-05-01",
];
const exemptionVersions = ["2024-12-01-preview", "2022-07-01-preview", "2020-07-01-preview"];

interface Kind {
  readonly name: "policyAssignments" | "policyDefinitions" | "policySetDefinitions" | "policyExemptions";
  readonly versions: readonly string[];
  readonly missing: (name: string) => ApiError;
}

const kinds: readonly Kind[] = [
  {
    name: "policyAssignments",
    versions: policyVersions,
    missing: (name) => new ApiError(404, "PolicyAssignmentNotFound", `The policy assignment '${name}' is not found.`),
  },
  {
    name: "policyDefinitions",
    versions: policyVersions,
    missing: (name) => new ApiError(404, "PolicyDefinitionNotFound", `The policy definition '${name}' could not be found.`),
  },
  {
    name: "policySetDefinitions",
    versions: policyVersions,
    missing: (name) => new ApiError(404, "PolicySetDefinitionNotFound", `The policy set definition '${name}' could not be found.`),
  },
  {
    name: "policyExemptions",
    versions: exemptionVersions,
    missing: (name) => new ApiError(404, "PolicyExemptionNotFound", `The policy exemption '${name}' could not be found.`),
  },
];

export const policyEndpoints: readonly Endpoint[] = kinds.flatMap((kind): Endpoint[] => {
  const collection = `{scope}/providers/Microsoft.Authorization/${kind.name}`;
  return [
    { method: "GET", path: collection, versions: kind.versions, handle: (call, parameters) => list(call, parameters, kind) },
    { method: "GET", path: `${collection}/{name}`, versions: kind.versions, handle: (call, parameters) => get(call, parameters, kind) },
  ];
});

export interface Policy {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Those that apply at the scope, and those below it unless `atScope()` is set. Azure's own definitions are those of the tenant. */
function list(call: ArmCall, { scope = "" }: Parameters, { name: kind }: Kind): Answer {
  requireScope(call, scope, kind);
  const { equals, calls } = readFilter(call.request.query.get("$filter"), [
    "atscope",
    "atexactscope",
    "policydefinitionid",
    "policytype",
    "category",
  ]);
  const definition = equals.get("policydefinitionid");
  const policyType = equals.get("policytype");
  const found = policiesOf(call.state, kind, scope).filter(({ id, properties }) => {
    const held = scopeOf(id);
    if (calls.has("atexactscope") ? keyOf(held) !== keyOf(scope) : !isWithin(scope, held) && calls.has("atscope")) return false;
    if (definition !== undefined && keyOf(String(properties["policyDefinitionId"])) !== keyOf(definition)) return false;
    return policyType === undefined || keyOf(String(properties["policyType"])) === keyOf(policyType);
  });
  return page(call, found);
}

function get(call: ArmCall, { scope = "", name = "" }: Parameters, { name: kind, missing }: Kind): Answer {
  requireScope(call, scope, kind);
  const id = `${scope === "/" ? "" : scope}/providers/Microsoft.Authorization/${kind}/${name}`;
  const policy = policiesOf(call.state, kind, scope).find((one) => keyOf(one.id) === keyOf(id));
  if (policy === undefined) throw missing(name);
  return { status: 200, body: policy, takes: call.sample("read") };
}

/** Everybody may read what the tenant has for all. */
function requireScope(call: ArmCall, scope: string, kind: string): void {
  if (scope === "/") return;
  findScope(call, scope);
  requireRight(call, `Microsoft.Authorization/${kind}/read`, scope);
}

function scopeOf(id: string): string {
  return id.slice(0, id.toLowerCase().lastIndexOf("/providers/"));
}

export function policiesOf(state: AzureState, kind: Kind["name"], scope: string): Policy[] {
  const type = `Microsoft.Authorization/${kind}`;
  const seeded = extensionsAround(state, scope, type, false).map(
    ({ id, name, location, beside, systemData, properties: { provisioningState: _none, ...properties } }) => ({
      id,
      name,
      type,
      ...(location !== undefined && { location }),
      ...beside,
      ...(systemData !== undefined && { systemData }),
      properties,
    }),
  );
  if (kind === "policyDefinitions") return [...knobDefinitions.map(definitionOf), ...seeded];
  const assigned = kind === "policyAssignments" && scope !== "/" ? knobPoliciesIn(state, scope) : [];
  return [...assigned.map(assignmentOf), ...seeded];
}

function assignmentOf({ assignment, definition }: KnobPolicy): Policy {
  const { id, name: displayName } = assignment;
  return {
    id,
    name: nameOf(id),
    type: "Microsoft.Authorization/policyAssignments",
    properties: {
      displayName,
      policyDefinitionId: definition.id,
      scope: id.slice(0, id.indexOf("/providers/")),
      notScopes: [],
      parameters: {},
      metadata: {},
      enforcementMode: "Default",
    },
  };
}

function definitionOf({ id, name: displayName, effect, category, type, condition }: (typeof knobDefinitions)[number]): Policy {
  return {
    id,
    name: nameOf(id),
    type: "Microsoft.Authorization/policyDefinitions",
    properties: {
      displayName,
      policyType: "BuiltIn",
      mode: "Indexed",
      description: displayName,
      metadata: { category },
      parameters: {},
      policyRule: {
        if: {
          allOf: [{ field: "type", equals: type }, condition],
        },
        then: { effect },
      },
    },
  };
}
