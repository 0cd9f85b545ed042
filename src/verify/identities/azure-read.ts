/** The last link of each identity: with the token that it got, it reads of the cluster what its role lets it read. */
import { advise, shell } from "../../errors/advice.js";
import type { RoleDefinition } from "@azure/arm-authorization";
import type { Azure } from "../../azure/azure.js";
import { azureCodeOf } from "../../azure/azure-error.js";
import { all } from "../../azure/pages.js";
import { toFailure } from "../../azure/to-failure.js";
import type { InfraInput } from "../../files/infra-output.js";
import { parseResourceId, resourceGroupId } from "../../domain/resource-id.js";
import { broken, holds, notChecked, notCheckedFor, type Finding } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { allows } from "../../domain/action-pattern.js";
import { identityChecks } from "./checks.js";
import type { Acting } from "./entra.js";
import { makeOrGiveAnother } from "./scopes.js";

interface Read {
  readonly action: string;
  /** What is read, for people. */
  readonly what: string;
  /** Id of what Azure holds the right against. */
  readonly scope: string;
  ask(azure: Azure): Promise<unknown>;
}

export interface ReadNeeds {
  readonly signIn: CheckInstance<Acting>;
  readonly role: CheckInstance<RoleDefinition>;
}

export function azureRead(subject: string, needs: ReadNeeds, assigned: CheckInstance, infra: InfraInput | undefined): CheckInstance {
  return checkInstance(
    identityChecks["azure-read"],
    subject,
    { ...needs },
    ({ signIn, role }, results) => {
      if (results.assigned.result.state === "failed") return notCheckedFor(results.assigned.result);
      if (infra === undefined) return notChecked("no --infra-json is given, so it is not known what there is to read");
      const read = readsOf(infra, signIn.azure.connection.subscriptionId).find(({ action }) => allows(role.permissions, action));
      return read ? ask(signIn, read) : notChecked(`role ${role.roleName ?? ""} lets it read nothing that infra.json tells of`);
    },
    { assigned },
  );
}

/** The group first; the roles of some components do not let them read that. */
function readsOf({ resourceGroupName, subnetID, subscriptionID }: InfraInput, home: string): Read[] {
  const subscriptionId = subscriptionID ?? home;
  return [...(resourceGroupName ? readsOfGroup(subscriptionId, resourceGroupName) : []), ...(subnetID ? [readOfSubnet(subnetID)] : [])];
}

function readsOfGroup(subscriptionId: string, group: string): Read[] {
  const scope = resourceGroupId(subscriptionId, group);
  return [
    {
      action: "Microsoft.Resources/subscriptions/resourceGroups/read",
      what: `group ${group}`,
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

async function ask({ azure, objectId }: Acting, { what, scope, action, ask: send }: Read): Promise<Finding<unknown>> {
  try {
    await send(azure);
    return holds(`read ${what}`);
  } catch (error) {
    const code = azureCodeOf(error);
    const said = toFailure(error, what).because ?? "";
    if (code === "AuthorizationFailed") {
      return broken(
        `AuthorizationFailed: object ${objectId} may not read ${what} (${action}), though its role allows it; Azure said: ${said}`,
        advise`a role assigned minutes ago may not be in effect yet: wait 10 minutes and verify again; otherwise look for a deny assignment: ${shell`az rest --method GET --url ${azure.connection.cloud.resourceManager}${scope}/providers/Microsoft.Authorization/denyAssignments?api-version=2022-04-01`}`,
      );
    }
    if (code === "ResourceGroupNotFound" || code === "ResourceNotFound") {
      return broken(`there is no ${what}`, makeOrGiveAnother);
    }
    throw error;
  }
}
