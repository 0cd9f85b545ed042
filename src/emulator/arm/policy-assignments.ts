/** Writes and deletes assignments of policies. */
import { z } from "zod";
import type { Answer } from "../core/service.js";
import { requireRight } from "./authorization-check.js";
import { findScope } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { checkLocks } from "./locks.js";
import { policyVersions } from "./policies.js";
import { systemDataOf } from "./present.js";
import { readContent } from "./body-schema.js";
import { keyOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";
import { logOperation } from "../state/operation-log.js";

const type = "Microsoft.Authorization/policyAssignments";
const path = `{scope}/providers/${type}/{name}`;

const body = z.looseObject({
  properties: z.looseObject({
    policyDefinitionId: z.string(),
    displayName: z.string().optional(),
    notScopes: z.array(z.string()).default([]),
    parameters: z.record(z.string(), z.unknown()).default({}),
    metadata: z.record(z.string(), z.unknown()).default({}),
    enforcementMode: z.enum(["Default", "DoNotEnforce"]).default("Default"),
  }),
});

export const policyAssignmentEndpoints: readonly Endpoint[] = [
  { method: "PUT", path, versions: policyVersions, handle: put },
  { method: "DELETE", path, versions: policyVersions, handle: remove },
];

function target(call: ArmCall, { scope = "", name = "" }: Parameters, verb: "write" | "delete"): string {
  findScope(call, scope);
  requireRight(call, `${type}/${verb}`, scope);
  const id = `${scope}/providers/${type}/${name}`;
  checkLocks(call.state, id, verb);
  return id;
}

/** Azure answers 201 to a replacement too. */
function put(call: ArmCall, parameters: Parameters): Answer {
  const id = target(call, parameters, "write");
  const { state, now, request } = call;
  const { properties } = readContent(body, request.body, type);
  const existing = state.resources[keyOf(id)];
  const systemData = systemDataOf(call, existing);
  const stored = { ...properties, scope: parameters["scope"] ?? "" };
  const name = existing?.name ?? parameters["name"] ?? "";
  state.resources[keyOf(id)] = {
    id: existing?.id ?? id,
    name,
    type,
    systemData,
    createdAt: existing?.createdAt ?? now,
    properties: stored,
  };
  logOperation(state, { resource: id, verb: "PUT", seconds: 0 });
  return { status: 201, body: { id, name, type, systemData, properties: stored }, takes: call.sample("read") };
}

function remove(call: ArmCall, parameters: Parameters): Answer {
  const id = target(call, parameters, "delete");
  const existed = keyOf(id) in call.state.resources;
  delete call.state.resources[keyOf(id)];
  if (existed) logOperation(call.state, { resource: id, verb: "DELETE", seconds: 0 });
  return { status: existed ? 200 : 204, takes: call.sample("read") };
}
