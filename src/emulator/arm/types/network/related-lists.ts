/** The lists of an interface's load balancers, and of a load balancer's interfaces. */
import type { Answer } from "../../../core/service.js";
import type { StoredResource } from "../../../state/state.js";
import { requireRight } from "../../authorization-check.js";
import { findScope } from "../../scopes.js";
import type { Endpoint } from "../../endpoint.js";
import { page } from "../../paging.js";
import { present } from "../../present.js";
import { keyOf } from "../../resource-id.js";
import type { ArmCall } from "../../resource-type.js";
import { sameId, usersOf } from "../../uses.js";
import { usesWithin } from "../../uses-within.js";
import { networkVersions } from "./provider.js";

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

function list(call: ArmCall, own: string, wanted: string, related: (resource: StoredResource) => readonly string[]): Answer {
  const path = `/${call.request.path.slice(0, -1).join("/")}`;
  requireRight(call, `${provider}/${own}/${wanted}/read`, path);
  const resource = findScope(call, path);
  const ids = resource === undefined ? [] : related(resource);
  // The ID of a part has that of its resource in front.
  const keys = new Set(ids.map((id) => keyOf(id.split("/", 9).join("/"))));
  const found = [...keys].flatMap((key) => call.state.resources[key] ?? []).filter(({ type }) => sameId(type, `${provider}/${wanted}`));
  return page(call, found, (one) => present(call, one));
}
