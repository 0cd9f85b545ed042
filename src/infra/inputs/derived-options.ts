/** The settings of an existing cluster, read from its resources. */
import type { Subnet } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { findNamed, type NamedResource } from "../../azure/named-resources.js";
import { clusterPlaces, clusterResource } from "../../domain/cluster-resource.js";
import { plainLocation } from "../../domain/location.js";
import { baseDomainIn, type ClusterKey } from "../../domain/names.js";
import { hasOtherOwner, ownedBy } from "../../domain/ownership.js";
import { groupNameOf, isWithin, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import type { RecordedOptions } from "../../files/recorded-options.js";
import { subnetOf } from "../steps/network.js";
import { shownGroup } from "../../removal/existing-groups.js";
import { sameText } from "../../text/same-text.js";
import { derivedEgress } from "./derived-egress.js";
import type { ClusterInAzure } from "./cluster-in-azure.js";

export interface DerivedOptions {
  /** What has no key is unknown; a key without a value is known to be unset. */
  readonly options: RecordedOptions;
  /** The route table of the workers' subnet. */
  readonly routeTableId: string | undefined;
  /** Groups that may be the existing group: they contain resources with tags and names of the cluster. These may be copies. */
  readonly possibleGroups: readonly string[];
}

/** `given`: settings of the user or of a file, which select one of several values that fit. `existingGroup`: that the user specifies. */
export async function derivedOptions(
  azure: Azure,
  cluster: ClusterKey,
  { groups, resources }: Pick<ClusterInAzure, "groups" | "resources">,
  { existingGroup: givenGroup, given }: { readonly existingGroup: string | undefined; readonly given: RecordedOptions },
): Promise<DerivedOptions> {
  const shownIn = shownGroup(cluster, groups, resources);
  const existingGroup = givenGroup ?? shownIn;
  const places = clusterPlaces(cluster, existingGroup);
  const named = (await findNamed(azure, { cluster, existingGroup })).named.filter(({ tags }) => !hasOtherOwner(tags, cluster));
  const ordered = [...named.filter(({ tags }) => ownedBy(tags, cluster) === "ours"), ...named];
  const zones = ordered.filter(({ row }) => row.type === resourceTypes.privateDnsZone.type);
  const domainOf = ({ name, namings: [naming] }: NamedResource) => naming && baseDomainIn(name, naming, cluster);
  const zone = zones.find((one) => domainOf(one) === given.baseDomain) ?? zones[0];
  const naming = [...(zone ? [zone] : []), ...ordered].find(({ namings }) => namings.length === 1)?.namings[0];
  const isNamed = ({ namings }: NamedResource) => naming === undefined || namings.includes(naming);
  const allOf = ({ type }: ResourceType) => ordered.filter((one) => one.row.type === type && isNamed(one));
  const ofType = (type: ResourceType) => allOf(type)[0];
  const [vnet, nsg] = [ofType(resourceTypes.virtualNetwork), ofType(resourceTypes.networkSecurityGroup)];
  const link = allOf(resourceTypes.virtualNetworkLink).find(({ id }) => zone !== undefined && isWithin(id, zone.id));
  // A resource that is missing, but has a name of the cluster, is not a bring-your-own one.
  const ofOthers = (id: string | undefined) => (id === undefined || clusterResource(places, id) !== undefined ? undefined : id);
  const { subnet, ...ranges } = vnet === undefined ? {} : await readNetwork(azure, vnet.id);
  const location = ordered.find(({ row }) => row.use?.location === "regional")?.location;
  const vnetId = vnet === undefined && link !== undefined ? ofOthers(await linkedNetwork(azure, link.id)) : undefined;
  const networkSecurityGroupId = nsg === undefined ? ofOthers(subnet?.networkSecurityGroup?.id) : undefined;
  const hasOwnGroup = ordered.some(({ row, group }) => row.type === resourceTypes.resourceGroup.type && group === "managed");
  const isSubnetGiven = vnetId !== undefined && given.subnetId !== undefined && isWithin(given.subnetId, vnetId);
  const created = vnet ?? nsg;
  const shown: RecordedOptions = {
    ...(zone && naming && { baseDomain: baseDomainIn(zone.name, naming, cluster) }),
    ...(location !== undefined && { location: plainLocation(location) }),
    ...(naming && { naming }),
    ...((shownIn !== undefined || hasOwnGroup) && { resourceGroupName: shownIn }),
    ...(vnet && { ...ranges, subnetId: undefined }),
    ...(created && { singleResourceGroup: created.group === "managed" }),
    ...((vnet !== undefined || vnetId !== undefined) && !isSubnetGiven && { vnetId }),
    ...((nsg !== undefined || networkSecurityGroupId !== undefined) && { networkSecurityGroupId }),
    ...(await derivedEgress(azure, {
      cluster,
      given,
      subnet,
      ofOthers,
      network: vnet === undefined ? (vnetId === undefined ? "unknown" : "existing") : "own",
      balancer: ofType(resourceTypes.loadBalancer),
      natGateway: ofType(resourceTypes.natGateway),
      addresses: allOf(resourceTypes.publicIpAddress).map(({ name }) => name),
    })),
  };
  return {
    options: shown,
    routeTableId: subnet?.routeTable?.id,
    possibleGroups: groupsOutside(cluster, existingGroup, resources),
  };
}

/** Groups with resources of the cluster that are neither its own nor its existing group. */
function groupsOutside(cluster: ClusterKey, existingGroup: string | undefined, resources: ClusterInAzure["resources"]): string[] {
  const places = clusterPlaces(cluster, existingGroup);
  const outside = resources.flatMap(({ id = "" }) => (clusterResource(places, id) === undefined ? (groupNameOf(id) ?? []) : []));
  return outside.filter((group, at) => outside.findIndex((other) => sameText(other, group)) === at);
}

interface ReadNetwork extends Pick<RecordedOptions, "vnetCidr" | "subnetCidr"> {
  /** The subnet of the workers. */
  readonly subnet?: Subnet | undefined;
}

async function readNetwork(azure: Azure, id: string): Promise<ReadNetwork> {
  const { resourceGroup = "", name } = parseResourceId(id);
  const vnet = await found((await azure.network()).virtualNetworks.get(resourceGroup, name));
  const subnet = vnet && subnetOf(vnet, "default");
  const [vnetCidr, subnetCidr] = [vnet?.addressSpace?.addressPrefixes?.[0], subnet?.addressPrefix ?? subnet?.addressPrefixes?.[0]];
  return { subnet, ...(vnetCidr !== undefined && { vnetCidr }), ...(subnetCidr !== undefined && { subnetCidr }) };
}

/** The network that the private zone is linked to. */
async function linkedNetwork(azure: Azure, linkId: string): Promise<string | undefined> {
  const {
    resourceGroup = "",
    names: [zone = "", link = ""],
  } = parseResourceId(linkId);
  return (await found((await azure.privateDns()).virtualNetworkLinks.get(resourceGroup, zone, link)))?.virtualNetwork?.id;
}
