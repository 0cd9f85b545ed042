/** The last row of each identity: with its token, it reads a resource of the cluster that its role allows it to read. */
import { advise, shell } from "../../errors/advice.js";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { all } from "../../azure/pages.js";
import { toFailure } from "../../azure/to-failure.js";
import type { InfraInput } from "../../files/infra-output.js";
import { parseResourceId, resourceGroupId } from "../../domain/resource-id.js";
import { failed, passed, notChecked, type Finding } from "../../verify/check.js";
import { firstOf, unlessFailed } from "../../verify/check-instance.js";
import { given, type RowKey } from "../../verify/row.js";
import { allows } from "../../domain/allowed-actions.js";
import { federatedSignIn } from "./data-plane.js";
import { signIn, type Acting } from "./entra.js";
import { roleRow, type IdentityReads } from "./reads.js";
import { roleAssigned, roleDefined } from "./roles.js";
import { createOrPassAnother } from "./scopes.js";

interface Read {
  readonly action: string;
  /** What is read, as text. */
  readonly what: string;
  /** ID of the scope that Azure checks the permission against. */
  readonly scope: string;
  ask(azure: Azure): Promise<unknown>;
}

export const azureRead = roleRow(
  "azure-read",
  {
    acting: firstOf<Acting, RowKey>(signIn, federatedSignIn),
    role: roleDefined,
    assigned: unlessFailed(roleAssigned),
    infra: given(({ chain }: IdentityReads) => chain.infra, "--infra-file is not specified, so the resources to read are unknown"),
  },
  ({ acting, role, infra }) => {
    const read = readsOf(infra, acting.azure.connection.subscriptionId).find(({ action }) => allows(role.permissions, action));
    return read ? ask(acting, read) : notChecked(`role ${role.roleName ?? ""} allows no read of the resources in infra.json`);
  },
);

/** The resource group first; the roles of some components do not allow reading it. */
function readsOf({ resourceGroupName, subnetID, subscriptionID }: InfraInput, home: string): Read[] {
  const subscriptionId = subscriptionID ?? home;
  return [...(resourceGroupName ? readsOfGroup(subscriptionId, resourceGroupName) : []), ...(subnetID ? [readOfSubnet(subnetID)] : [])];
}

function readsOfGroup(subscriptionId: string, group: string): Read[] {
  const scope = resourceGroupId(subscriptionId, group);
  return [
    {
      action: "Microsoft.Resources/subscriptions/resourceGroups/read",
      what: `resource group ${group}`,
      scope,
      ask: async (azure) => (await azure.resources(subscriptionId)).resourceGroups.get(group),
    },
    {
      action: "Microsoft.Network/networkInterfaces/read",
      what: `network interfaces in ${group}`,
      scope,
      ask: async (azure) => all((await azure.network(subscriptionId)).networkInterfaces.list(group)),
    },
    {
      action: "Microsoft.Network/loadBalancers/read",
      what: `load balancers in ${group}`,
      scope,
      ask: async (azure) => all((await azure.network(subscriptionId)).loadBalancers.list(group)),
    },
  ];
}

function readOfSubnet(id: string): Read {
  const { subscriptionId, resourceGroup = "", names } = parseResourceId(id);
  const [network = "", subnet = ""] = names;
  return {
    action: "Microsoft.Network/virtualNetworks/subnets/read",
    what: `subnet ${subnet} of ${network}`,
    scope: id,
    ask: async (azure) => (await azure.network(subscriptionId)).subnets.get(resourceGroup, network, subnet),
  };
}

async function ask({ azure, id }: Acting, { what, scope, action, ask: send }: Read): Promise<Finding<unknown>> {
  try {
    await send(azure);
    return passed(`read ${what}`);
  } catch (error) {
    const code = azureCodeOf(error);
    const message = toFailure(error, what).because ?? "";
    if (code === "AuthorizationFailed") {
      return failed(
        `AuthorizationFailed: object ${id} cannot read ${what} (${action}), although its role allows it; Azure's message: ${message}`,
        advise`a role assigned minutes ago might not be in effect yet: wait 10 minutes and verify again; if it persists, look for a deny assignment: ${shell`az rest --method GET --url ${azure.connection.cloud.resourceManager}${scope}/providers/Microsoft.Authorization/denyAssignments?api-version=2022-04-01`}`,
      );
    }
    if (code === "ResourceGroupNotFound" || code === "ResourceNotFound") {
      return failed(`${what} does not exist`, createOrPassAnother);
    }
    throw error;
  }
}
