/** Writes and deletes definitions of policies, sets of them, and their assignments. They have no effect. */
import { z } from "zod";
import type { Answer } from "../core/service.js";
import { callerOf, requireRight } from "./authorization-check.js";
import { findScope } from "./scopes.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { checkLocks } from "./locks.js";
import { policyVersions } from "./policies.js";
import { systemDataOf } from "./present.js";
import { readContent } from "./body-schema.js";
import { keyOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";
import { logOperation } from "../state/operation-log.js";

const record = z.record(z.string(), z.unknown());

/** Members that each has. Whatever else a client sends is stored and answered too. */
const common = {
  displayName: z.string().optional(),
  description: z.string().optional(),
  parameters: record.optional(),
  metadata: record.optional(),
};

const bodies = {
  policyAssignments: z.looseObject({
    properties: z.looseObject({
      ...common,
      policyDefinitionId: z.string(),
      notScopes: z.array(z.string()).optional(),
      enforcementMode: z.enum(["Default", "DoNotEnforce"]).default("Default"),
    }),
  }),
  policyDefinitions: z.looseObject({
    properties: z.looseObject({
      ...common,
      policyType: z.literal("Custom").default("Custom"),
      mode: z.string().default("Indexed"),
      policyRule: record,
    }),
  }),
  policySetDefinitions: z.looseObject({
    properties: z.looseObject({ ...common, policyType: z.literal("Custom").default("Custom"), policyDefinitions: z.array(record) }),
  }),
} as const;

type Kind = keyof typeof bodies;

export const policyWriteEndpoints: readonly Endpoint[] = (Object.keys(bodies) as Kind[]).flatMap((kind): Endpoint[] => {
  const path = `{scope}/providers/Microsoft.Authorization/${kind}/{name}`;
  return [
    { method: "PUT", path, versions: policyVersions, handle: (call, parameters) => put(call, parameters, kind) },
    { method: "DELETE", path, versions: policyVersions, handle: (call, parameters) => remove(call, parameters, kind) },
  ];
});

function target(call: ArmCall, { scope = "", name = "" }: Parameters, kind: Kind, verb: "write" | "delete") {
  const type = `Microsoft.Authorization/${kind}`;
  findScope(call, scope);
  requireRight(call, `${type}/${verb}`, scope);
  const id = `${scope}/providers/${type}/${name}`;
  checkLocks(call.state, id, verb);
  return { id, type };
}

/** Azure answers 201 to a replacement too. */
function put(call: ArmCall, parameters: Parameters, kind: Kind): Answer {
  const { id, type } = target(call, parameters, kind, "write");
  const { state, now, request } = call;
  const { properties: sent, ...beside } = readContent(bodies[kind] as z.ZodType<Sent>, request.body, type);
  const existing = state.resources[keyOf(id)];
  const systemData = systemDataOf(call, existing);
  const properties = {
    ...sent,
    metadata: { ...sent.metadata, ...writers(call, existing?.properties["metadata"]) },
    ...(kind === "policyAssignments" && { scope: parameters["scope"] ?? "" }),
  };
  const name = existing?.name ?? parameters["name"] ?? "";
  const { location, identity } = beside as { location?: string; identity?: Record<string, unknown> };
  const stored = {
    id: existing?.id ?? id,
    name,
    type,
    ...(location !== undefined && { location }),
    ...(identity !== undefined && { beside: { identity } }),
    systemData,
    createdAt: existing?.createdAt ?? now,
    properties,
  };
  state.resources[keyOf(id)] = stored;
  logOperation(state, { resource: id, verb: "PUT", seconds: 0 });
  return { status: 201, body: { id, name, type, location, identity, systemData, properties }, takes: call.sample("read") };
}

interface Sent {
  readonly properties: Readonly<Record<string, unknown>> & { readonly metadata?: Readonly<Record<string, unknown>> | undefined };
}

/** Azure adds these to the metadata that a client sends. */
function writers(call: ArmCall, before: unknown): Record<string, unknown> {
  const at = new Date(call.now).toISOString();
  const by = callerOf(call).objectId;
  const { createdBy, createdOn } = (before ?? {}) as { createdBy?: unknown; createdOn?: unknown };
  if (createdBy === undefined) return { createdBy: by, createdOn: at, updatedBy: null, updatedOn: null };
  return { createdBy, createdOn, updatedBy: by, updatedOn: at };
}

function remove(call: ArmCall, parameters: Parameters, kind: Kind): Answer {
  const { id } = target(call, parameters, kind, "delete");
  const existed = keyOf(id) in call.state.resources;
  delete call.state.resources[keyOf(id)];
  if (existed) logOperation(call.state, { resource: id, verb: "DELETE", seconds: 0 });
  return { status: existed ? 200 : 204, takes: call.sample("read") };
}
