/** A fresh state: one tenant, one subscription, one service principal with the documented rights, and the public DNS zone. */
import { createHash, createHmac } from "node:crypto";
import { roleIds, wellKnown } from "./well-known.js";
import type { RoleAssignment, AzureState } from "./state.js";
import { apexRecordSets } from "./zone-apex.js";

const registeredProviders = [
  "Microsoft.Authorization",
  "Microsoft.Compute",
  "Microsoft.ContainerService",
  "Microsoft.KeyVault",
  "Microsoft.ManagedIdentity",
  "Microsoft.Network",
  "Microsoft.PolicyInsights",
  "Microsoft.Resources",
  "Microsoft.Storage",
] as const;

export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

const nameServers = ["ns1-01.azure-dns.com.", "ns2-01.azure-dns.net.", "ns3-01.azure-dns.org.", "ns4-01.azure-dns.info."];

/** The initial state. Tokens for the same credentials stay valid: a client does not ask for another one because the state was reset. */
export function freshState(clientSecret: string): AzureState {
  const { tenantId, subscriptionId, clientId, clientApplicationId, clientPrincipalId, dnsGroup, dnsZone } = wellKnown;
  const subscription = `/subscriptions/${subscriptionId}`;
  const group = `${subscription}/resourceGroups/${dnsGroup}`;
  const zone = `${group}/providers/Microsoft.Network/dnszones/${dnsZone}`;
  return {
    version: 5,
    seed: 1,
    samples: 0,
    tenantId,
    subscriptions: [freshSubscription(subscriptionId, "Azure emulator")],
    tokenKey: createHmac("sha256", clientSecret).update("access tokens").digest("base64url"),
    resources: {
      [group.toLowerCase()]: {
        id: group,
        name: dnsGroup,
        type: "Microsoft.Resources/resourceGroups",
        location: "eastus",
        properties: { provisioningState: "Succeeded" },
      },
      [zone.toLowerCase()]: {
        id: zone,
        name: dnsZone,
        type: "Microsoft.Network/dnszones",
        location: "global",
        tags: {},
        etag: "00000002-0000-0000-0000-000000000001",
        properties: {
          nameServers,
          zoneType: "Public",
        },
      },
      ...apexRecordSets(
        { id: zone, name: dnsZone, nameServers },
        "Microsoft.Network/dnszones",
        () => "00000002-0000-0000-0000-000000000002",
      ),
    },
    operations: {},
    roleAssignments: Object.fromEntries(
      [roleIds.contributor, roleIds.userAccessAdministrator].map((role) => {
        const assignment = clientAssignment(subscription, role, clientPrincipalId);
        return [assignment.id.toLowerCase(), assignment];
      }),
    ),
    applications: {
      [clientId]: {
        appId: clientId,
        id: clientApplicationId,
        displayName: "aro-hcp",
        servicePrincipalId: clientPrincipalId,
        secretHashes: [hashSecret(clientSecret)],
        graphPermissions: ["Application.ReadWrite.OwnedBy", "Application.Read.All"],
        createdAt: 0,
      },
    },
    operationLog: {},
    operationCount: 0,
  };
}

export function freshSubscription(subscriptionId: string, displayName: string): AzureState["subscriptions"][number] {
  const providers = Object.fromEntries(registeredProviders.map((provider) => [provider, "Registered" as const]));
  return { subscriptionId, displayName, providers };
}

/** Named by its role's GUID, which is unique here and the same in every state. */
function clientAssignment(scope: string, role: string, principalId: string): RoleAssignment {
  return {
    id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${role}`,
    name: role,
    scope,
    roleDefinitionId: `${scope}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    principalId,
    principalType: "ServicePrincipal",
    createdOn: "2026-01-01T00:00:00.0000000Z",
  };
}
