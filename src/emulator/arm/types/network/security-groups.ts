/** Network security groups with their rules, and application security groups. */
import { z } from "zod";
import { ApiError } from "../../../core/service.js";
import { defineType } from "../../resource-type.js";
import { known, networkNames } from "../../body-schema.js";
import { typeOf } from "../../resource-id.js";
import { childrenOf, directUsersOf, parentResource, sameId } from "../../uses.js";
import { checkNames, childProperties, replaceChildren, touchParent } from "./children.js";
import { childType, networkDelete, networkPut, networkReadOnly, trackedMembers, trackedType } from "./provider.js";
import { checkRules, defaultRules, inlineRule, ruleBody, type SecurityRule } from "./security-rules.js";

const body = known(
  {
    ...trackedMembers,
    properties: known({ securityRules: z.array(inlineRule).default([]), flushConnection: z.boolean().optional() }, [
      "defaultSecurityRules",
      "flowLogs",
      "networkInterfaces",
      "provisioningState",
      "resourceGuid",
      "subnets",
    ]).prefault({}),
  },
  networkReadOnly,
);

const groupType = "Microsoft.Network/networkSecurityGroups";
const ruleType = `${groupType}/securityRules`;

export const networkSecurityGroups = defineType<z.output<typeof body>>({
  name: groupType,
  ...trackedType,
  ...networkNames(1, 80),
  partLists: { defaultSecurityRules: "read" },
  body,
  latency: { put: "nsg.put", ended: "network.put", delete: "nsg.delete" },
  put: networkPut("PutNetworkSecurityGroupOperation", 1, 1),
  delete: networkDelete("DeleteNetworkSecurityGroupOperation", 1),
  lock: { on: "self", second: "supersede" },
  checkPut({ id, body: { properties } }) {
    checkNames(id, properties.securityRules);
    checkRules(properties.securityRules);
  },
  storedProperties({ call, id, body: { properties }, existing }) {
    const { securityRules, ...own } = properties;
    replaceChildren(call, id, ruleType, securityRules);
    return { ...own, resourceGuid: existing?.properties["resourceGuid"] ?? call.uuid() };
  },
  presentedProperties(state, { id, etag, properties }, answered) {
    const users = directUsersOf(state, id).map(({ from }) => from);
    const subnets = users.filter((from) => sameId(typeOf(from), "Microsoft.Network/virtualNetworks/subnets"));
    const interfaces = users.filter((from) => sameId(typeOf(from), "Microsoft.Network/networkInterfaces"));
    return {
      ...properties,
      securityRules: childrenOf(state, id, "securityRules").map(answered),
      defaultSecurityRules: defaultRules.map((rule) => ({
        id: `${id}/defaultSecurityRules/${rule.name}`,
        name: rule.name,
        type: `${groupType}/defaultSecurityRules`,
        etag,
        properties: { provisioningState: properties["provisioningState"], ...rule.properties },
      })),
      ...(subnets.length === 0 ? {} : { subnets: subnets.map((from) => ({ id: from })) }),
      ...(interfaces.length === 0 ? {} : { networkInterfaces: interfaces.map((from) => ({ id: from })) }),
    };
  },
  checkDelete(state, group) {
    const users = directUsersOf(state, group.id).map(({ from }) => from);
    if (users.length > 0) {
      throw new ApiError(
        400,
        "InUseNetworkSecurityGroupCannotBeDeleted",
        `Network security group ${group.id} cannot be deleted because it is in use by the following resources: ${users.join(", ")}. In order to delete the Network security group, remove the association with the resource(s). To learn how to do this, see aka.ms/deletensg.`,
      );
    }
  },
});

export const securityRules = defineType<z.output<typeof ruleBody>>({
  name: ruleType,
  ...childType,
  ...networkNames(1, 80),
  body: ruleBody,
  latency: { put: "nsg.put", ended: "network.put", delete: "nsg.delete" },
  put: networkPut("PutSecurityRuleOperation", 1, 1),
  delete: networkDelete("DeleteSecurityRuleOperation", 1),
  lock: { on: "parent", second: "supersede" },
  checkPut({ state, id, name, body: { properties } }) {
    const others = childrenOf(state, parentResource(state, id).id, "securityRules").filter((rule) => !sameId(rule.id, id));
    checkRules([...others.map((rule) => ({ name: rule.name, properties: rule.properties }) as SecurityRule), { name, properties }]);
  },
  storedProperties: ({ body: { properties } }) => properties,
  afterChange: touchParent,
  presentedProperties: childProperties,
});

/** Application security groups: names for sets of interfaces, which rules refer to. They have no effect. */
const applicationBody = known(
  { ...trackedMembers, properties: known({}, ["provisioningState", "resourceGuid"]).prefault({}) },
  networkReadOnly,
);

export const applicationSecurityGroups = defineType<z.output<typeof applicationBody>>({
  name: "Microsoft.Network/applicationSecurityGroups",
  ...trackedType,
  ...networkNames(1, 80),
  body: applicationBody,
  latency: { put: "nsg.put", ended: "network.put", delete: "nsg.delete" },
  put: networkPut("PutApplicationSecurityGroupOperation", 10, 10),
  delete: networkDelete("DeleteApplicationSecurityGroupOperation", 10),
  lock: { on: "self", second: "exclusive" },
  checkDelete(state, { id }) {
    const [user] = directUsersOf(state, id);
    if (user === undefined) return;
    throw new ApiError(
      400,
      "InUseApplicationSecurityGroupCannotBeDeleted",
      `Application security group ${id} cannot be deleted because it is in use by ${user.from}.`,
    );
  },
});
