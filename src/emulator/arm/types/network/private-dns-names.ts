/** The public names of what private endpoints are for, and the zones that hold them privately. */

import type { AzureState, StoredResource } from "../../../state/state.js";
import { keyOf, nameOf, typeOf } from "../../resource-id.js";

/** By lower-case type: the domain of the public name of a group of the resource's functions. */
const domains: Readonly<Record<string, (groupId: string) => string | undefined>> = {
  "microsoft.storage/storageaccounts": (groupId) =>
    ["blob", "file", "queue", "table", "web", "dfs"].includes(groupId) ? `${groupId}.core.windows.net` : undefined,
  "microsoft.keyvault/vaults": () => "vault.azure.net",
  "microsoft.containerregistry/registries": () => "azurecr.io",
};

/** Undefined for what has no public name, as a private link service. */
function dnsNameOf(type: string, name: string, groupId: string): string | undefined {
  const domain = domains[keyOf(type)]?.(keyOf(groupId));
  return domain === undefined ? undefined : `${keyOf(name)}.${domain}`;
}

/** The domain whose names a private zone holds: "privatelink.vaultcore.azure.net" those of "vault.azure.net". */
export function domainOfZone(zone: string): string {
  return keyOf(zone)
    .replace(/^privatelink\./, "")
    .replace(/^vaultcore\./, "vault.");
}

interface Endpoint {
  readonly privateLinkServiceConnections: readonly {
    readonly properties: { readonly privateLinkServiceId: string; readonly groupIds?: readonly string[] | undefined };
  }[];
  readonly ipConfigurations: readonly { readonly properties: { readonly groupId?: string; readonly privateIPAddress: string } }[];
  readonly networkInterfaces: readonly { readonly id: string }[];
}

/** The names that resolve to a private endpoint's addresses. */
export function dnsConfigs(state: AzureState, { properties }: StoredResource): { fqdn: string; ipAddresses: string[] }[] {
  const { privateLinkServiceConnections, ipConfigurations, networkInterfaces } = properties as unknown as Endpoint;
  const nic = state.resources[keyOf(networkInterfaces[0]?.id ?? "")];
  const held = (nic?.properties["ipConfigurations"] ?? []) as Endpoint["ipConfigurations"];
  return privateLinkServiceConnections.flatMap(({ properties: { privateLinkServiceId: target, groupIds = [] } }) =>
    groupIds.flatMap((groupId) => {
      const fqdn = dnsNameOf(typeOf(target), nameOf(target), groupId);
      const { properties: own } = ipConfigurations.find((one) => one.properties.groupId === groupId) ?? held[0] ?? {};
      return fqdn === undefined || own === undefined ? [] : [{ fqdn, ipAddresses: [own.privateIPAddress] }];
    }),
  );
}
