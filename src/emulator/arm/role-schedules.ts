/** Privileged Identity Management: who is eligible for a role, and who has one for a time, as seeded under `resources`. */
import type { Answer } from "../core/service.js";
import type { StoredResource } from "../state/state.js";
import { requireRight } from "./authorization-check.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { extensionsAround } from "./indexes.js";
import { readFilter } from "./odata-filter.js";
import { page } from "./paging.js";
import { keyOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";
import { findScope } from "./scopes.js";

const types = ["Microsoft.Authorization/roleEligibilityScheduleInstances", "Microsoft.Authorization/roleAssignmentScheduleInstances"];

export const roleScheduleEndpoints: readonly Endpoint[] = types.map((type) => ({
  method: "GET",
  path: `{scope}/providers/${type}`,
  versions: ["2020-10-01"],
  handle: (call, parameters) => list(call, type, parameters),
}));

/** At the scope and above it, and below it unless `atScope()` is set. */
function list(call: ArmCall, type: string, { scope = "" }: Parameters): Answer {
  findScope(call, scope);
  requireRight(call, `${type}/read`, scope);
  const { equals, calls } = readFilter(call.request.query.get("$filter"), ["atscope", "principalid", "assignedto"]);
  const principal = equals.get("principalid") ?? calls.get("assignedto");
  const found = extensionsAround(call.state, scope, type, calls.has("atscope"));
  return page(
    call,
    found.filter(({ properties }) => principal === undefined || keyOf(String(properties["principalId"])) === keyOf(principal)),
    (one) => present(type, one),
  );
}

function present(type: string, { id, name, properties }: StoredResource): Record<string, unknown> {
  const { provisioningState: _none, ...shown } = properties;
  const scope = id.slice(0, keyOf(id).lastIndexOf("/providers/"));
  return { id, name, type, properties: { scope, status: "Provisioned", memberType: "Direct", ...shown } };
}
