/** Route tables and their routes, which subnets refer to without any effect. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { defineType } from "../../resource-type.js";
import { known, networkNames, oneOf, partName } from "../../body-schema.js";
import { childrenOf, directUsersOf } from "../../uses.js";
import { checkNames, childProperties, replaceChildren, touchParent } from "./children.js";
import { childType, networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";

const routeProperties = known(
  {
    addressPrefix: z.string().optional(),
    nextHopType: oneOf("VirtualNetworkGateway", "VnetLocal", "Internet", "VirtualAppliance", "None"),
    nextHopIpAddress: z.string().optional(),
  },
  ["provisioningState", "hasBgpOverride"],
);
const routeReadOnly = ["id", "etag", "type"];
const routeBody = known({ name: z.string().optional(), properties: routeProperties }, routeReadOnly);

const body = known(
  {
    ...trackedMembers,
    properties: known(
      {
        routes: z.array(known({ name: partName, properties: routeProperties }, routeReadOnly)).default([]),
        disableBgpRoutePropagation: z.boolean().default(false),
      },
      ["provisioningState", "resourceGuid", "subnets"],
    ).prefault({}),
  },
  networkReadOnly,
);

const tableType = "Microsoft.Network/routeTables";
const routeType = `${tableType}/routes`;
const latency = { put: "nsg.put", ended: "network.put", delete: "nsg.delete" };

export const routeTables = defineType<z.output<typeof body>>({
  name: tableType,
  ...trackedType,
  ...networkNames(1, 80),
  body,
  latency,
  put: networkPut("PutRouteTableOperation", 2, 2),
  delete: networkDelete("DeleteRouteTableOperation", 10),
  lock: { on: "self", second: "exclusive" },
  checkPut({ id, body: { properties } }) {
    checkNames(id, properties.routes);
  },
  storedProperties({ call, id, body: { properties }, existing }) {
    const { routes, ...own } = properties;
    const children = routes.map(({ name, properties: route }) => ({ name, properties: { ...route, hasBgpOverride: false } }));
    replaceChildren(call, id, routeType, children);
    return { ...own, resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid() };
  },
  presentedProperties(state, { id, properties }, answered) {
    const subnets = directUsersOf(state, id).map(({ from }) => ({ id: from }));
    const routes = childrenOf(state, id, "routes").map(answered);
    return { ...properties, routes, ...(subnets.length === 0 ? {} : { subnets }) };
  },
  checkDelete(state, { id }) {
    const users = directUsersOf(state, id).map(({ from }) => from);
    if (users.length === 0) return;
    throw new ApiError(
      400,
      "InUseRouteTableCannotBeDeleted",
      `Route table ${id} cannot be deleted because it is in use by the following resources: ${users.join(", ")}.`,
    );
  },
});

export const routes = defineType<z.output<typeof routeBody>>({
  name: routeType,
  ...childType,
  ...networkNames(1, 80),
  body: routeBody,
  latency,
  put: networkPut("PutRouteOperation", 2, 2),
  delete: networkDelete("DeleteRouteOperation", 10),
  lock: { on: "parent", second: "exclusive" },
  storedProperties: ({ body: { properties } }) => ({ ...properties, hasBgpOverride: false }),
  afterChange: touchParent,
  presentedProperties: childProperties,
});
