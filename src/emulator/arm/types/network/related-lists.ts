/** The load balancers of an interface, and the interfaces of a load balancer: those that its configurations or its pools and rules lead to. */
import type { Answer } from "../../../service.js";
import type { StoredResource } from "../../../state/state.js";
import { requireRight } from "../../authorization-check.js";
import { findScope } from "../../containers.js";
import type { Endpoint } from "../../endpoint.js";
import { page } from "../../paging.js";
import { present } from "../../present.js";
import { isWithin } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { sameId, usersOf } from "../uses.js";
import { usesWithin } from "../uses-within.js";
import { networkVersions } from "./resource.js";

const provider = "Microsoft.Network";
const home = `/subscriptions/{subscriptionId}/resourceGroups/{group}/providers/${provider}`;

export const relatedListEndpoints: readonly Endpoint[] = [
  {
    method: "GET",
    path: `${home}/networkInterfaces/{interface}/loadBalancers`,
    versions: networkVersions,
    handle: (call) =>
      list(call, "networkInterfaces", "loadBalancers", ({ id, properties }) => usesWithin(id, properties).map(({ to }) => to)),
  },
  {
    method: "GET",
    path: `${home}/loadBalancers/{balancer}/networkInterfaces`,
    versions: networkVersions,
    handle: (call) => list(call, "loadBalancers", "networkInterfaces", ({ id }) => usersOf(call.state, id).map(({ from }) => from)),
  },
];

function list(call: ArmCall, type: string, wanted: string, related: (resource: StoredResource) => readonly string[]): Answer {
  const path = `/${call.request.path.slice(0, -1).join("/")}`;
  requireRight(call, `${provider}/${type}/${wanted}/read`, path);
  const resource = findScope(call, path);
  const ids = resource === undefined ? [] : related(resource);
  const found = Object.values(call.state.resources).filter(
    (one) => sameId(one.type, `${provider}/${wanted}`) && ids.some((id) => isWithin(id, one.id)),
  );
  return page(
    call,
    found.map((one) => present(call, one)),
  );
}
