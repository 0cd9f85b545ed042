/** What private endpoints can connect to at a storage account or vault, with the zones for its names. */
import { ofResource, type Endpoint } from "../endpoint.js";
import { vaultVersions } from "./key-vaults/provider.js";
import { accountType, storageVersions } from "./storage/account-body.js";

interface Group {
  readonly groupId: string;
  readonly member: string;
  readonly zone: string;
}

const ofAccounts = ["blob", "table", "queue", "file", "web", "dfs"].map((groupId) => ({
  groupId,
  member: groupId,
  zone: `privatelink.${groupId}.core.windows.net`,
}));
const ofVaults = [{ groupId: "vault", member: "default", zone: "privatelink.vaultcore.azure.net" }];

function listOf(type: string, versions: readonly string[], groups: readonly Group[]): Endpoint {
  return ofResource({
    method: "GET",
    type,
    path: "privateLinkResources",
    versions,
    right: "privateLinkResources/read",
    handle: (call, { id }) => {
      const value = groups.map(({ groupId, member, zone }) => ({
        id: `${id}/privateLinkResources/${groupId}`,
        name: groupId,
        type: `${type}/privateLinkResources`,
        properties: { groupId, requiredMembers: [member], requiredZoneNames: [zone] },
      }));
      return { status: 200, body: { value }, takes: call.sample("read") };
    },
  });
}

export const privateLinkResourceEndpoints: readonly Endpoint[] = [
  listOf(accountType, storageVersions, ofAccounts),
  listOf("Microsoft.KeyVault/vaults", vaultVersions, ofVaults),
];
