/** The settings of an existing AKS cluster, read from it and from what its create made beside it. */
import { subnetOf } from "../../infra/index.js";
import type { ManagedCluster } from "@azure/arm-containerservice";
import type { NetworkSecurityGroup, PublicIPAddress, VirtualNetwork } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { orRefused } from "../../azure/or-refused.js";
import { formatIpTags } from "../../domain/ip-tags.js";
import { aksClusterNames, type AksClusterNames } from "../domain/cluster-names.js";
import { serviceTags, type Preset } from "../domain/cluster-spec.js";
import type { AksClusterKey, ClusterKind } from "../../domain/cluster-kind.js";
import { presetFacts } from "../domain/presets.js";
import { shownPools } from "../domain/shown-pools.js";
import { plainLocation } from "../../domain/location.js";
import { isInGroup, parseResourceId, sameType } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { acrPull, secretsUser, type Role } from "../../domain/roles.js";
import type { ClusterOptions } from "../../files/aks-cluster-output.js";
import { assignmentsOfPrincipal } from "../../removal/assignments.js";
import { isProven } from "../removal/aks-assignments.js";
import { ipTagsOf } from "../steps/public-address.js";
import { presetOf } from "./derived-preset.js";
import { sameText } from "../../text/same-text.js";

/** The values by the key of their option. */
type Shown = Readonly<Record<string, unknown>>;

interface Live {
  readonly cluster: ManagedCluster | undefined;
  readonly vnet: VirtualNetwork | undefined;
  readonly securityGroup: NetworkSecurityGroup | undefined;
  readonly outbound: PublicIPAddress | undefined;
  readonly ingress: PublicIPAddress | undefined;
  readonly ops: PublicIPAddress | undefined;
  readonly hasEtcdVault: boolean;
}

interface Place {
  readonly group: string;
  readonly isExisting: boolean;
  readonly location: string | undefined;
  /** IDs of what the cluster owns in its group. */
  readonly own: readonly string[];
  /** The name of the security group, if an earlier version chose it. */
  readonly securityGroupName: string | undefined;
  /** Whether to read also who has access to what, for a command that only compares. */
  readonly access: boolean;
}

/** What has no key here is unknown; a key without a value is known to be unset. */
export async function derivedClusterOptions(azure: Azure, key: AksClusterKey, place: Place): Promise<ClusterOptions> {
  const byName = aksClusterNames(key, azure.connection.subscriptionId);
  const names = { ...byName, securityGroup: place.securityGroupName ?? byName.securityGroup };
  const live = await readLive(azure, names, place);
  const { cluster, vnet } = live;
  const location = cluster?.location ?? place.location;
  const preset = presetOf(live, names.podSubnet);
  return {
    ...(location !== undefined && { location: plainLocation(location) }),
    resourceGroupName: place.isExisting && !sameText(place.group, names.group) ? place.group : undefined,
    ...((cluster !== undefined || vnet !== undefined) && { preset }),
    ...(cluster !== undefined && ofCluster(cluster, preset, names, key.kind)),
    ...networkOptions(live, preset, names, place.group),
    ...addressOptions(live, key),
    ...ruleOptions(live, key),
    ...(place.access && cluster !== undefined && (await accessOptions(azure, cluster))),
  } as ClusterOptions;
}

async function readLive(azure: Azure, names: AksClusterNames, { group, own }: Place): Promise<Live> {
  const { virtualNetworks, publicIPAddresses, networkSecurityGroups } = await azure.network();
  const { managedClusters } = await azure.clusters();
  const isOwn = (name: string) => own.some((id) => sameText(parseResourceId(id).name, name));
  const read = async <T>(name: string, get: (group: string, name: string) => PromiseLike<T>): Promise<T | undefined> =>
    isOwn(name) ? orRefused(found(Promise.resolve(get(group, name)))) : undefined;
  const address = (name: string) => read(name, (...place) => publicIPAddresses.get(...place));
  const [cluster, vnet, securityGroup, outbound, ingress, ops] = await Promise.all([
    read(names.cluster, (...place) => managedClusters.get(...place)),
    read(names.vnet, (...place) => virtualNetworks.get(...place)),
    read(names.securityGroup, (...place) => networkSecurityGroups.get(...place)),
    address(names.outboundAddress),
    address(names.ingressAddress),
    address(names.opsIngressAddress),
  ] as const);
  return { cluster, vnet, securityGroup, outbound, ingress, ops, hasEtcdVault: isOwn(names.etcdVault) };
}

function ofCluster(live: ManagedCluster, preset: Preset, names: AksClusterNames, kind: ClusterKind): Shown {
  const { sku, nodeResourceGroup, networkProfile, identity, identityProfile, agentPoolProfiles = [], securityProfile } = live;
  const group = parseResourceId(live.id ?? "").resourceGroup ?? "";
  const ofOthers = (id: string | undefined, name: string) =>
    id === undefined || (isInGroup(id, group) && sameText(parseResourceId(id).name, name)) ? undefined : id;
  const encryption = securityProfile?.azureKeyVaultKms;
  const [outbound] = networkProfile?.loadBalancerProfile?.outboundIPs?.publicIPs ?? [];
  return {
    tier: sku?.tier === presetFacts[preset].features.tier ? undefined : sku?.tier,
    nodeResourceGroupName: sameText(nodeResourceGroup, names.nodeGroup) ? undefined : nodeResourceGroup,
    ...(networkProfile?.serviceCidr !== undefined && { aksServiceCidr: networkProfile.serviceCidr }),
    clusterIdentityId: ofOthers(Object.keys(identity?.userAssignedIdentities ?? {})[0], names.clusterIdentity),
    kubeletIdentityId: ofOthers(identityProfile?.["kubeletidentity"]?.resourceId, names.kubeletIdentity),
    etcdKeyId: encryption?.enabled === true && !isKeyOf(encryption.keyId, names.etcdVault) ? encryption.keyId : undefined,
    outboundIpId: ofOthers(outbound?.id, names.outboundAddress),
    ...shownPools(kind, agentPoolProfiles, preset),
  };
}

function isKeyOf(keyId: string | undefined, vault: string): boolean {
  return keyId !== undefined && sameText(keyId.split("/")[2]?.split(".")[0], vault);
}

/** An own network has ranges; otherwise the subnets of the pools are those of others. */
function networkOptions({ cluster, vnet }: Live, preset: Preset, names: AksClusterNames, group: string): Shown {
  const [pool] = cluster?.agentPoolProfiles ?? [];
  if (vnet === undefined) return pool === undefined ? {} : { nodeSubnetId: pool.vnetSubnetID, podSubnetId: pool.podSubnetID };
  const [nodes, pods] = [names.nodeSubnet, names.podSubnet].map((name) => subnetOf(vnet, name));
  const rangeOf = (subnet: typeof nodes) => subnet?.addressPrefix ?? subnet?.addressPrefixes?.[0];
  const [vnetCidr] = vnet.addressSpace?.addressPrefixes ?? [];
  const nsg = nodes?.networkSecurityGroup?.id;
  const isOwn = nsg === undefined || (isInGroup(nsg, group) && sameText(parseResourceId(nsg).name, names.securityGroup));
  return {
    ...(vnetCidr !== undefined && { vnetCidr }),
    ...(nodes !== undefined && { nodeSubnetCidr: rangeOf(nodes) }),
    ...(pods !== undefined && { podSubnetCidr: rangeOf(pods) === presetFacts[preset].podSubnetCidr ? undefined : rangeOf(pods) }),
    nodeSubnetId: undefined,
    podSubnetId: undefined,
    networkSecurityGroupId: isOwn ? undefined : nsg,
  };
}

/** Azure never changes the IP tags of an address. */
function addressOptions({ outbound, ingress, ops }: Live, { kind }: AksClusterKey): Shown {
  const tagsOf = (address: PublicIPAddress) => formatIpTags(ipTagsOf(address)) || undefined;
  return {
    ...(outbound !== undefined && { egressIpTags: tagsOf(outbound) }),
    ...(ingress !== undefined && { ingressIpTags: tagsOf(ingress) }),
    ...(ingress !== undefined && kind === "management-cluster" && { ingressAddress: true }),
    ...(ingress !== undefined && kind === "service-cluster" && { opsIngress: ops !== undefined }),
  };
}

const tagRules = [
  ["genevaServiceTag", serviceTags.geneva, "admin-in-geneva"],
  ["sreServiceTag", serviceTags.sre, "sre-in-ops"],
] as const;

/** The sources of the operators' rules. */
function ruleOptions({ securityGroup }: Live, { kind }: AksClusterKey): Shown {
  if (kind !== "service-cluster" || securityGroup === undefined) return {};
  return Object.fromEntries(
    tagRules.flatMap(([key, usual, name]) => {
      const source = securityGroup.securityRules?.find((rule) => sameText(rule.name, name))?.sourceAddressPrefix;
      return source === undefined ? [] : [[key, source === usual ? undefined : source] as const];
    }),
  );
}

/** The vaults that the secrets provider reads, the registries that the nodes pull from, and the groups of administrators. */
async function accessOptions(azure: Azure, { addonProfiles, identityProfile, aadProfile }: ManagedCluster): Promise<Shown> {
  const scopesOf = async (principal: string | undefined, role: Role, type: string): Promise<string[]> => {
    const listed = principal && (await orRefused(assignmentsOfPrincipal(azure, azure.connection.subscriptionId, principal)));
    const own = (listed || []).filter((one) => isProven(one) && sameText(one.roleDefinitionId?.split("/").at(-1), role.id));
    return own.flatMap(({ scope = "" }) => (sameType(parseResourceId(scope).type, type) ? [scope] : []));
  };
  const [keyVaultId, registryId] = await Promise.all([
    scopesOf(addonProfiles?.["azureKeyvaultSecretsProvider"]?.identity?.objectId, secretsUser, resourceTypes.keyVault.type),
    scopesOf(identityProfile?.["kubeletidentity"]?.objectId, acrPull, resourceTypes.containerRegistry.type),
  ]);
  return { keyVaultId, registryId, adminGroupId: aadProfile?.adminGroupObjectIDs ?? [] };
}
