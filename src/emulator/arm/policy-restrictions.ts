/** What policies would do to a resource that is not written yet: those that the emulator has (knobs). */
import type { ArmCall } from "./resource-type.js";
import { z } from "zod";
import type { Answer } from "../core/service.js";
import { requireRight } from "./authorization-check.js";
import { findGroup, findSubscription } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { policyAgainst, type KnobPolicy } from "./knob-policies.js";
import { invalidRequestContent, missingRegistration } from "./errors.js";

const namespace = "Microsoft.PolicyInsights";
const home = "/subscriptions/{subscriptionId}";
const versions = ["2024-10-01", "2023-03-01", "2022-03-01", "2020-07-01"];

export const policyRestrictionEndpoints: readonly Endpoint[] = [home, `${home}/resourceGroups/{group}`].map((scope) => ({
  method: "POST",
  path: `${scope}/providers/${namespace}/checkPolicyRestrictions`,
  versions,
  handle: check,
}));

const body = z.strictObject({
  resourceDetails: z.strictObject({
    resourceContent: z.looseObject({ type: z.string().optional(), properties: z.record(z.string(), z.unknown()).default({}) }),
    apiVersion: z.string().optional(),
    scope: z.string().optional(),
  }),
  pendingFields: z.array(z.strictObject({ field: z.string(), values: z.array(z.string()).optional() })).default([]),
  includeAuditEffect: z.boolean().optional(),
});

const alias = "Microsoft.Storage/storageAccounts/allowBlobPublicAccess";

function check(call: ArmCall, { subscriptionId = "", group }: Parameters): Answer {
  const { subscriptionId: id, providers } = findSubscription(call, subscriptionId);
  const subscription = `/subscriptions/${id}`;
  const scope = group === undefined ? subscription : findGroup(call, id, group).id;
  requireRight(call, `${namespace}/checkPolicyRestrictions/read`, scope);
  if (providers[namespace] !== "Registered") throw missingRegistration(namespace);
  const read = body.safeParse(call.request.body);
  if (!read.success) throw invalidRequestContent(read.error.issues[0]?.message ?? "not a resource");
  const { resourceDetails, pendingFields } = read.data;
  const { type, properties } = resourceDetails.resourceContent;
  const pending = pendingFields.find(({ field }) => field.toLowerCase() === alias.toLowerCase());
  const against = (given: Record<string, unknown>) => policyAgainst(call.state, scope, type ?? "", given);
  const ofField = pending && against({ allowBlobPublicAccess: true });
  return {
    status: 200,
    body: {
      fieldRestrictions: ofField ? [{ field: alias, restrictions: [restriction(ofField)] }] : [],
      contentEvaluationResult: { policyEvaluations: [against(properties)].flatMap((policy) => (policy ? [evaluation(policy)] : [])) },
    },
    takes: call.sample("read"),
  };
}

function reference({ assignment, definition }: KnobPolicy) {
  return { policyDefinitionId: definition.id, policyAssignmentId: assignment.id };
}

function restriction(policy: KnobPolicy) {
  const { effect } = policy;
  const ruled = effect === "deny" ? { result: "Deny", values: ["true"] } : { result: "Required", defaultValue: "False", values: ["False"] };
  return { ...ruled, policy: reference(policy), policyEffect: effect };
}

function evaluation(policy: KnobPolicy) {
  return {
    policyInfo: reference(policy),
    evaluationResult: "NonCompliant",
    evaluationDetails: {
      evaluatedExpressions: [
        {
          result: "True",
          expressionKind: "field",
          expression: "type",
          path: "type",
          expressionValue: policy.definition.type,
          targetValue: policy.definition.type,
          operator: "Equals",
        },
      ],
    },
    effectDetails: { policyEffect: policy.effect },
  };
}
