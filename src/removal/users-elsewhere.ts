/** Resources of others that stop working without what a destroy deletes, and that no tag shows. */
import { resourceTypes } from "../domain/resource-types.js";
import type { Azure } from "../azure/azure.js";
import { oncePerKey } from "../azure/concurrency.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { all } from "../azure/pages.js";
import { labelled, quotedTitleOf } from "../domain/resource-catalogue.js";
import { idKey, isWithin, parseResourceId, sameId, sameType } from "../domain/resource-id.js";
import { infraIdTag, nameTag } from "../domain/ownership.js";
import { tagValue, type Tags } from "../domain/tags.js";
import { clusterResource } from "../domain/cluster-resource.js";
import { grantName } from "../domain/role-assignment-name.js";
import { cryptoServiceUser, cryptoUser } from "../domain/roles.js";
import type { Removal } from "../engine/step.js";
import { advise, withFlag } from "../errors/advice.js";
import { Failure } from "../errors/failure.js";
import { sameText } from "../text/same-text.js";
import { apiVersionLookup } from "./azure-removals.js";

/** One that is deleted, and who uses it: the ID of a resource or of a role assignment. */
interface Use {
  readonly deleted: string;
  readonly user: string;
  /** A network with a peering to the deleted one: operators create such peerings, on both sides. */
  readonly isPeered?: boolean;
}

const keyType = "Microsoft.KeyVault/vaults/keys";
const usedTypes = [resourceTypes.managedIdentity.type, resourceTypes.keyVault.type, keyType, resourceTypes.connectedCluster.type];
const customLocation = { type: "Microsoft.ExtendedLocation/customLocations", apiVersion: "2021-08-15" };

export interface DeletedIds {
  /** The IDs of everything that is deleted. */
  readonly ids: readonly string[];
  /** The IDs of what Azure deletes with it. */
  readonly byAzure: readonly string[];
  /** The ID of a vault of others from which a key is deleted: whoever may use the whole vault need not use the key. */
  readonly sharedVault?: string | undefined;
  /** Whether peerings of others go with their network. */
  readonly deleteForeign?: boolean | undefined;
}

/**
 * Undefined if the caller sees no other user. `say` prints which networks lose a peering.
 * @returns ARO-OWN-010; ARO-OWN-004 for peerings
 */
export async function usedElsewhere(
  azure: Azure,
  { ids, byAzure, sharedVault, deleteForeign }: DeletedIds,
  say: (text: string) => void = () => undefined,
): Promise<Failure | undefined> {
  const ofType = (wanted: string) => ids.filter((id) => sameType(parseResourceId(id).type, wanted));
  const uses = await Promise.all([
    usersOfIdentities(azure, ofType(resourceTypes.managedIdentity.type)),
    usersOfKeys(azure, [...ofType(resourceTypes.keyVault.type), ...ofType(keyType)], sharedVault),
    usersOfConnectedClusters(azure, ofType(resourceTypes.connectedCluster.type)),
    usersOfNetworks(azure, ids),
    usersOfPrivateZones(azure, ofType(resourceTypes.privateDnsZone.type)),
  ]);
  const isDeleted = (id: string) => [...ids, ...byAzure].some((one) => isWithin(id, one));
  const remaining = uses.flat().filter(({ user }) => !isDeleted(user));
  const [first, ...others] = remaining.filter(({ isPeered }) => isPeered !== true);
  if (first === undefined) {
    const peered = peeringsRefusal(remaining);
    if (deleteForeign !== true) return peered;
    if (peered) say(`warning: ${peered.message}: ${peered.because ?? ""}`);
    return undefined;
  }
  const { type, name } = parseResourceId(first.deleted);
  return new Failure("ARO-OWN-010", `${quotedTitleOf(labelled(type), name)} is used by others`, {
    because: [first, ...others].map(({ deleted, user }) => `${user} uses ${parseResourceId(deleted).name}`).join("; "),
  });
}

/** Azure deletes a peering with its network, and leaves that of the other network without effect. */
function peeringsRefusal([first, ...others]: readonly Use[]): Failure | undefined {
  if (first === undefined) return undefined;
  const { type, name } = parseResourceId(first.deleted);
  return new Failure("ARO-OWN-004", `${quotedTitleOf(labelled(type), name)} has peerings that aro-hcp did not create`, {
    because: [first, ...others]
      .map(({ deleted, user }) => `${parseResourceId(deleted).name} is peered with ${user}, whose own peering would stay as Disconnected`)
      .join("; "),
    next: [
      "delete the peerings of both networks first",
      advise`or delete them with the network${withFlag("--delete-foreign", ": --delete-foreign")}`,
    ],
  });
}

/**
 * The removals with a last read of such users before each: somebody may have started to use it since the plan. One read finds those of all identities.
 */
export function unlessUsedElsewhere(
  azure: Azure,
  removals: readonly Removal[],
  { ids, byAzure, sharedVault, deleteForeign }: DeletedIds,
): Removal[] {
  const reads = oncePerKey<Failure | undefined>();
  const deleted = [...ids, ...byAzure];
  const read = (some: readonly string[]) => usedElsewhere(azure, { ids: some, byAzure: deleted, sharedVault, deleteForeign });
  const identities = ids.filter((id) => sameType(parseResourceId(id).type, resourceTypes.managedIdentity.type));
  return removals.map((removal) => {
    const { resourceId } = removal;
    if (resourceId === undefined) return removal;
    const type = usedTypes.find((one) => sameType(parseResourceId(resourceId).type, one));
    // Azure deletes a network with its peerings, and with its resource group.
    const networks = deleted.filter(
      (id) => isWithin(id, resourceId) && sameType(parseResourceId(id).type, resourceTypes.virtualNetwork.type),
    );
    if (type === undefined && networks.length === 0) return removal;
    const isIdentity = type === resourceTypes.managedIdentity.type;
    return {
      ...removal,
      async remove(io) {
        const used = await (isIdentity ? reads.get(type, () => read(identities)) : read(type === undefined ? networks : [resourceId]));
        if (used) throw used;
        await removal.remove(io);
      },
    };
  });
}

type NetworkUser = Pick<Use, "isPeered"> & { readonly id?: string | undefined };

/**
 * What is in a network or peered with it, uses its security group or NAT gateway, is behind its load balancer, or has its address. Azure would
 * refuse most of these, after the deletion of what does not depend on them.
 */
async function usersOfNetworks(azure: Azure, ids: readonly string[]): Promise<Use[]> {
  const { virtualNetworks, networkSecurityGroups, natGateways, loadBalancers, publicIPAddresses } = await azure.network();
  const readers: Readonly<Record<string, (group: string, name: string) => Promise<readonly (NetworkUser | undefined)[]>>> = {
    [resourceTypes.virtualNetwork.type]: async (group, name) => {
      const { subnets = [], virtualNetworkPeerings = [] } = await virtualNetworks.get(group, name);
      return [
        ...subnets.flatMap(({ ipConfigurations = [], privateEndpoints = [] }) => [...ipConfigurations, ...privateEndpoints]),
        ...virtualNetworkPeerings
          .filter(({ peeringState = "Connected" }) => peeringState === "Connected")
          .map(({ remoteVirtualNetwork }) => ({ id: remoteVirtualNetwork?.id, isPeered: true })),
      ];
    },
    [resourceTypes.networkSecurityGroup.type]: async (group, name) => {
      const { subnets = [], networkInterfaces = [] } = await networkSecurityGroups.get(group, name);
      return [...subnets, ...networkInterfaces];
    },
    [resourceTypes.natGateway.type]: async (group, name) => (await natGateways.get(group, name)).subnets ?? [],
    [resourceTypes.loadBalancer.type]: async (group, name) => {
      const { backendAddressPools = [], inboundNatRules = [] } = await loadBalancers.get(group, name);
      return [
        ...backendAddressPools.flatMap(({ backendIPConfigurations = [] }) => backendIPConfigurations),
        ...inboundNatRules.map(({ backendIPConfiguration }) => backendIPConfiguration),
      ];
    },
    [resourceTypes.publicIpAddress.type]: async (group, name) => {
      const { ipConfiguration, natGateway } = await publicIPAddresses.get(group, name);
      return [ipConfiguration, natGateway];
    },
  };
  const uses = await Promise.all(
    ids.map(async (deleted) => {
      const { type, resourceGroup = "", name } = parseResourceId(deleted);
      const read = Object.entries(readers).find(([one]) => sameType(one, type))?.[1];
      const users = (read && (await orRefused(found(read(resourceGroup, name))))) ?? [];
      return users.flatMap(({ id: user, ...more } = {}) =>
        user === undefined ? [] : [{ deleted, user, ...(more.isPeered && { isPeered: true }) }],
      );
    }),
  );
  return uses.flat();
}

/** Networks that resolve names by the zone: their links would be deleted with it. */
async function usersOfPrivateZones(azure: Azure, zones: readonly string[]): Promise<Use[]> {
  const { virtualNetworkLinks } = await azure.privateDns();
  const uses = await Promise.all(
    zones.map(async (deleted) => {
      const { resourceGroup = "", name } = parseResourceId(deleted);
      const links = (await orRefused(found(all(virtualNetworkLinks.list(resourceGroup, name))))) ?? [];
      return links
        .filter((link) => !isOwnLink(link))
        .flatMap(({ virtualNetwork }) => (virtualNetwork?.id === undefined ? [] : [{ deleted, user: virtualNetwork.id }]));
    }),
  );
  return uses.flat();
}

/** Needs the cluster's tags and its name for a link: a policy may copy the tags to the links of others. */
function isOwnLink({ id = "", tags }: { readonly id?: string; readonly tags?: Tags }): boolean {
  const [name, infraId] = [tagValue(tags, nameTag), tagValue(tags, infraIdTag)];
  if (name === undefined || infraId === undefined) return false;
  return clusterResource({ cluster: { name, infraId }, existingGroups: undefined }, id) !== undefined;
}

/** Azure lists which identities each resource has, but not which resources an identity has. */
async function usersOfIdentities(azure: Azure, identities: readonly string[]): Promise<Use[]> {
  const subscriptions = new Set(identities.map((id) => parseResourceId(id).subscriptionId.toLowerCase()));
  const listed = await Promise.all(
    [...subscriptions].map(async (subscription) => {
      const { resources } = await azure.resources(subscription);
      return (await orRefused(all(resources.list()))) ?? [];
    }),
  );
  return listed.flat().flatMap(({ id: user = "", identity }) => {
    const has = new Set(Object.keys(identity?.userAssignedIdentities ?? {}).map(idKey));
    return identities.filter((id) => has.has(idKey(id))).map((deleted) => ({ deleted, user }));
  });
}

/** What encrypts with a key, such as a disk encryption set, has a principal with such a role on the key, its vault, or a scope above. */
const keyRoles = [cryptoServiceUser, cryptoUser].map(({ id }) => id);

/** Includes users of a key's whole vault. Principals to which a create assigned a role are not others: the names of these assignments are computed. */
async function usersOfKeys(azure: Azure, scopes: readonly string[], sharedVault: string | undefined): Promise<Use[]> {
  const uses = await Promise.all(
    scopes.map(async (deleted) => {
      const { roleAssignments } = await azure.authorization(parseResourceId(deleted).subscriptionId);
      const listed = (await orRefused(found(all(roleAssignments.listForScope(deleted))))) ?? [];
      const roleOf = ({ roleDefinitionId = "" }: (typeof listed)[number]) => roleDefinitionId.split("/").at(-1)?.toLowerCase() ?? "";
      const [vault = "", key] = deleted.split("/keys/");
      const isShared = key !== undefined && sharedVault !== undefined && sameId(vault, sharedVault);
      const using = listed.filter((one) => keyRoles.includes(roleOf(one)));
      const inside = using.filter(({ scope = "" }) => isWithin(scope, isShared ? deleted : vault));
      const own = inside.flatMap((one) => {
        const { name, principalId = "", scope = "" } = one;
        return sameText(name, grantName(principalId, roleOf(one), scope)) ? [principalId] : [];
      });
      const others = inside.flatMap(({ principalId = "", principalType }) =>
        principalType === "ServicePrincipal" && !own.includes(principalId) ? [`principal ${principalId}`] : [],
      );
      const inherited = using.filter((one) => !inside.includes(one)).flatMap(({ principalId = "" }) => principalId.toLowerCase());
      const users = [...others, ...(await resourcesNaming(azure, { vault, key: isShared ? key : undefined }, inherited))];
      return users.map((user) => ({ deleted, user }));
    }),
  );
  return uses.flat();
}

interface NamedKey {
  /** The ID of the vault. */
  readonly vault: string;
  /** The name of the key; undefined for any key of the vault. */
  readonly key: string | undefined;
}

/** An inherited role allows the use of every vault or key, so it counts only for the identity of a resource that names this one. */
async function resourcesNaming(azure: Azure, { vault: vaultId, key = "" }: NamedKey, principals: readonly string[]): Promise<string[]> {
  if (principals.length === 0) return [];
  const { subscriptionId, name } = parseResourceId(vaultId);
  const { resources } = await azure.resources(subscriptionId);
  const listed = (await orRefused(all(resources.list()))) ?? [];
  const candidates = listed.filter(({ identity }) => {
    const ids = [identity, ...Object.values(identity?.userAssignedIdentities ?? {})].flatMap((one) => one?.principalId ?? []);
    return ids.some((id) => principals.includes(id.toLowerCase()));
  });
  const apiVersions = apiVersionLookup(azure);
  const url = `//${name}.`.toLowerCase();
  const named = await Promise.all(
    candidates.map(async ({ id = "", type = "" }) => {
      const live = await orRefused(found(resources.getById(id.slice(1), await apiVersions(type))));
      const text = JSON.stringify(live ?? {}).toLowerCase();
      const isNamed = (text.includes(url) || text.includes(idKey(vaultId))) && text.includes(key.toLowerCase());
      return isNamed ? [id] : [];
    }),
  );
  return named.flat();
}

async function usersOfConnectedClusters(azure: Azure, clusters: readonly string[]): Promise<Use[]> {
  const uses = await Promise.all(
    clusters.map(async (deleted) => {
      const { resources } = await azure.resources(parseResourceId(deleted).subscriptionId);
      const listed = (await orRefused(all(resources.list({ filter: `resourceType eq '${customLocation.type}'` })))) ?? [];
      const read = await Promise.all(
        listed.map(({ id = "" }) => orRefused(found(resources.getById(id.slice(1), customLocation.apiVersion)))),
      );
      return read.flatMap((live) => {
        const { hostResourceId = "" } = (live?.properties ?? {}) as { hostResourceId?: string };
        return live?.id !== undefined && idKey(hostResourceId) === idKey(deleted) ? [{ deleted, user: live.id }] : [];
      });
    }),
  );
  return uses.flat();
}
