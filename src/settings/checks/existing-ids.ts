/** The ids of what the user brings: of the right type, in one subscription, and of one network. */
import { Failure } from "../../errors/failure.js";
import { isWithin, parentId, parseResourceId, sameType, type ResourceId } from "../../domain/resource-id.js";
import type { Check } from "./check.js";

const existingTypes = {
  vnetId: "Microsoft.Network/virtualNetworks",
  subnetId: "Microsoft.Network/virtualNetworks/subnets",
  networkSecurityGroupId: "Microsoft.Network/networkSecurityGroups",
} as const;

type ExistingKey = keyof typeof existingTypes;

export const checkExistingIds: Check = ({ values, problem }) => {
  const ids = new Map<ExistingKey, ResourceId>();
  for (const [key, type] of Object.entries(existingTypes) as [ExistingKey, string][]) {
    const text = values[key];
    if (text === undefined) continue;
    const id = readId(text, type);
    if (typeof id === "string") problem(key, id);
    else ids.set(key, id);
  }
  const { vnetId, subnetId } = values;
  if (vnetId !== undefined && subnetId !== undefined && ids.has("vnetId") && ids.has("subnetId") && !isWithin(subnetId, vnetId)) {
    problem("subnetId", `the subnet is in ${parentId(subnetId) ?? "another network"}, not in the network that --vnet-id names`);
  }
  // Azure attaches nothing across subscriptions, and a HostedCluster names one for all.
  const [first] = ids.values();
  const subscription = values.subscription ?? first?.subscriptionId;
  for (const [key, id] of ids) {
    const wrong = subscription === undefined ? undefined : otherSubscription(id, subscription);
    if (wrong !== undefined) problem(key, wrong);
  }
};

/** That an id is of another subscription, in words; undefined where it is not. */
export function otherSubscription({ subscriptionId }: ResourceId, wanted: string): string | undefined {
  if (subscriptionId.toLowerCase() === wanted.toLowerCase()) return undefined;
  return `is in subscription ${subscriptionId}, not in ${wanted}`;
}

/** `--single-resource-group` says that everything is in one group: what is brought as well. */
export const checkSingleGroup: Check = ({ values, problem }) => {
  if (values.singleResourceGroup !== true) return;
  for (const key of Object.keys(existingTypes) as ExistingKey[]) {
    const text = values[key];
    const id = text === undefined ? undefined : readId(text, existingTypes[key]);
    if (typeof id !== "object") continue;
    if (values.resourceGroupName === undefined) {
      problem(key, "cannot be in the group that --single-resource-group makes; name the existing group with --resource-group-name");
    } else if (id.resourceGroup?.toLowerCase() !== values.resourceGroupName.toLowerCase()) {
      problem(key, `is in group "${id.resourceGroup}", --single-resource-group puts everything into "${values.resourceGroupName}"`);
    }
  }
};

/** The id, or what is wrong with it. */
function readId(text: string, type: string): ResourceId | string {
  try {
    const id = parseResourceId(text);
    return id.resourceGroup !== undefined && sameType(id.type, type) ? id : `"${text}" is the id of a ${id.type}, expected a ${type}`;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}
