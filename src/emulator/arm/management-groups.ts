/** Management groups: the tenant's root group and seeded ones, for those who may read them. */
import { ApiError, type Answer } from "../core/service.js";
import type { AzureState } from "../state/state.js";
import { callerOf, may, requireRight } from "./authorization-check.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { idOfGroup, managementGroupType as type, type ManagementGroup } from "./groups-above.js";
import { page } from "./paging.js";
import { keyOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";

const versions = ["2023-04-01", "2021-04-01", "2020-05-01", "2020-02-01"];

export const managementGroupEndpoints: readonly Endpoint[] = [
  { method: "GET", path: `/providers/${type}`, versions, handle: list },
  { method: "GET", path: `/providers/${type}/{name}`, versions, handle: get },
];

function allGroups({ tenantId, managementGroups = {} }: AzureState): ManagementGroup[] {
  return [{ name: tenantId, displayName: "Tenant Root Group" }, ...Object.values(managementGroups)];
}

/** Without a right on any of them, it is 403. */
function list(call: ArmCall): Answer {
  const { objectId } = callerOf(call);
  const readable = allGroups(call.state).filter(({ name }) => may(call, objectId, `${type}/read`, idOfGroup(name)));
  if (readable.length === 0) requireRight(call, `${type}/read`, `/providers/${type}`);
  return page(call, readable, (one) => present(call.state, one));
}

function get(call: ArmCall, { name = "" }: Parameters): Answer {
  requireRight(call, `${type}/read`, idOfGroup(name));
  const found = allGroups(call.state).find((one) => keyOf(one.name) === keyOf(name));
  if (found === undefined) throw new ApiError(404, "NotFound", `'/providers/${type}/${name}' not found`);
  const { tenantId } = call.state;
  const { properties, ...named } = present(call.state, found);
  const parent = found.parent ?? tenantId;
  const details = keyOf(found.name) === tenantId ? {} : { details: { parent: { id: idOfGroup(parent), name: parent } } };
  return { status: 200, body: { ...named, properties: { ...properties, ...details } }, takes: call.sample("read") };
}

function present({ tenantId }: AzureState, { name, displayName }: ManagementGroup) {
  return { id: idOfGroup(name), type, name, properties: { tenantId, displayName } };
}
