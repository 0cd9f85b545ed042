/** Service endpoint policies and their definitions, which subnets refer to without any effect. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { defineType } from "../../resource-type.js";
import { known, networkNames, partName } from "../../body-schema.js";
import { childrenOf, directUsersOf } from "../../uses.js";
import { checkNames, childProperties, replaceChildren, touchParent } from "./children.js";
import { childType, networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";

const definitionProperties = known(
  { description: z.string().max(140).optional(), service: z.string(), serviceResources: z.array(z.string()).optional() },
  ["provisioningState"],
);
const definitionReadOnly = ["id", "etag", "type"];
const definitionBody = known({ name: z.string().optional(), properties: definitionProperties }, definitionReadOnly);

const body = known(
  {
    ...trackedMembers,
    properties: known(
      {
        serviceEndpointPolicyDefinitions: z
          .array(known({ name: partName, properties: definitionProperties }, definitionReadOnly))
          .default([]),
        serviceAlias: z.string().optional(),
        contextualServiceEndpointPolicies: z.array(z.string()).optional(),
      },
      ["provisioningState", "resourceGuid", "subnets"],
    ).prefault({}),
  },
  [...networkReadOnly, "kind"],
);

const policyType = "Microsoft.Network/serviceEndpointPolicies";
const definitionType = `${policyType}/serviceEndpointPolicyDefinitions`;
const latency = { put: "nsg.put", ended: "network.put", delete: "nsg.delete" };

export const serviceEndpointPolicies = defineType<z.output<typeof body>>({
  name: policyType,
  ...trackedType,
  ...networkNames(1, 80),
  body,
  latency,
  put: networkPut("PutServiceEndpointPolicyOperation", 10, 10),
  delete: networkDelete("DeleteServiceEndpointPolicyOperation", 10),
  lock: { on: "self", second: "exclusive" },
  checkPut({ id, body: { properties } }) {
    checkNames(id, properties.serviceEndpointPolicyDefinitions);
  },
  storedProperties({ call, id, body: { properties }, existing }) {
    const { serviceEndpointPolicyDefinitions, ...own } = properties;
    replaceChildren(call, id, definitionType, serviceEndpointPolicyDefinitions);
    return { ...own, resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid() };
  },
  presentedProperties(state, { id, properties }, answered) {
    const subnets = directUsersOf(state, id).map(({ from }) => ({ id: from }));
    const serviceEndpointPolicyDefinitions = childrenOf(state, id, "serviceEndpointPolicyDefinitions").map(answered);
    return { ...properties, serviceEndpointPolicyDefinitions, ...(subnets.length === 0 ? {} : { subnets }) };
  },
  checkDelete(state, { id }) {
    const [user] = directUsersOf(state, id);
    if (user === undefined) return;
    throw new ApiError(
      400,
      "InUseServiceEndpointPolicyCannotBeDeleted",
      `Service endpoint policy ${id} cannot be deleted because it is in use by ${user.from}.`,
    );
  },
});

export const serviceEndpointPolicyDefinitions = defineType<z.output<typeof definitionBody>>({
  name: definitionType,
  ...childType,
  ...networkNames(1, 80),
  body: definitionBody,
  latency,
  put: networkPut("PutServiceEndpointPolicyDefinitionOperation", 10, 10),
  delete: networkDelete("DeleteServiceEndpointPolicyDefinitionOperation", 10),
  lock: { on: "parent", second: "exclusive" },
  storedProperties: ({ body: { properties } }) => properties,
  afterChange: touchParent,
  presentedProperties: childProperties,
});
