/** The template of a resource group. Only that of an empty group is emulated. */
import type { Answer } from "../core/service.js";
import { requireRight } from "./authorization-check.js";
import { findGroup, findSubscription } from "./containers.js";
import type { Endpoint, Parameters } from "./endpoint.js";
import { notEmulated } from "./errors.js";
import { resourcesVersions } from "./resource-groups.js";
import { resourcesByScope } from "./indexes.js";
import { keyOf } from "./resource-id.js";
import type { ArmCall } from "./resource-type.js";

export const groupExportEndpoint: Endpoint = {
  method: "POST",
  path: "/subscriptions/{subscriptionId}/resourceGroups/{group}/exportTemplate",
  versions: resourcesVersions,
  handle: exportTemplate,
};

function exportTemplate(call: ArmCall, { subscriptionId = "", group = "" }: Parameters): Answer {
  findSubscription(call, subscriptionId);
  const { id } = findGroup(call, subscriptionId, group);
  requireRight(call, "Microsoft.Resources/subscriptions/resourceGroups/exportTemplate/action", id);
  const isEmpty = resourcesByScope.count(call.state.resources, keyOf(id)) === 1;
  if (!isEmpty) throw notEmulated("POST", call.request.path);
  const template = {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    contentVersion: "1.0.0.0",
    parameters: {},
    variables: {},
    resources: [],
  };
  return { status: 200, body: { template }, takes: call.sample("read") };
}
