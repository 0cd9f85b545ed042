/** The list of management groups: the tenant's root group, for those who have a right at the root. */
import type { Answer } from "../core/service.js";
import { requireRight } from "./authorization-check.js";
import type { Endpoint } from "./endpoint.js";
import { page } from "./paging.js";
import type { ArmCall } from "./resource-type.js";

const type = "Microsoft.Management/managementGroups";

export const managementGroupEndpoints: readonly Endpoint[] = [
  { method: "GET", path: `/providers/${type}`, versions: ["2023-04-01", "2021-04-01", "2020-05-01", "2020-02-01"], handle: list },
];

function list(call: ArmCall): Answer {
  requireRight(call, `${type}/read`, `/providers/${type}`);
  const { tenantId } = call.state;
  return page(call, [
    { id: `/providers/${type}/${tenantId}`, type, name: tenantId, properties: { tenantId, displayName: "Tenant Root Group" } },
  ]);
}
