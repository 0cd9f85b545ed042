/** The settings of an existing cluster, read from its resources. */
import type { Subnet } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { findNamed, type NamedResource } from "../../azure/named-resources.js";
import { clusterPlaces, clusterResource } from "../../domain/cluster-resource.js";
import { plainLocation } from "../../domain/location.js";
import { baseDomainIn, type ClusterKey, type Naming } from "../../domain/names.js";
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
  const named = await namedResources(azure, cluster, existingGroup, given);
  const facts = { shownIn, ...(await clusterFacts(azure, cluster, { existingGroup, given, named })) };
  return {
    options: shownOptions(facts),
    routeTableId: facts.subnet?.routeTable?.id,
    possibleGroups: groupsOutside(cluster, existingGroup, resources),
  };
}

interface NamedResources {
  readonly zone: NamedResource | undefined;
  readonly naming: Naming | undefined;
  /** Those with the tags of the cluster come first. */
  readonly all: readonly NamedResource[];
  /** Those of a type whose names are of the naming scheme. */
  ofType(type: ResourceType): readonly NamedResource[];
}

/** The resources with names of the cluster that no other owner has. The naming scheme is that of a name that only one scheme gives. */
async function namedResources(
  azure: Azure,
  cluster: ClusterKey,
  existingGroup: string | undefined,
  given: RecordedOptions,
): Promise<NamedResources> {
  const named = (await findNamed(azure, { cluster, existingGroup })).named.filter(({ tags }) => !hasOtherOwner(tags, cluster));
  const all = [...named.filter(({ tags }) => ownedBy(tags, cluster) === "ours"), ...named];
  const zones = all.filter(({ row }) => row.type === resourceTypes.privateDnsZone.type);
  const domainOf = ({ name, namings: [naming] }: NamedResource) => naming && baseDomainIn(name, naming, cluster);
  const zone = zones.find((one) => domainOf(one) === given.baseDomain) ?? zones[0];
  const naming = [...(zone ? [zone] : []), ...all].find(({ namings }) => namings.length === 1)?.namings[0];
  const isNamed = ({ namings }: NamedResource) => naming === undefined || namings.includes(naming);
  return { zone, naming, all, ofType: ({ type }) => all.filter((one) => one.row.type === type && isNamed(one)) };
}

interface ClusterFacts extends ReadNetwork {
  readonly cluster: ClusterKey;
  readonly given: RecordedOptions;
  readonly named: NamedResources;
  /** The existing group that the resources show. */
  readonly shownIn: string | undefined;
  readonly vnet: NamedResource | undefined;
  readonly nsg: NamedResource | undefined;
  /** Those that are bring-your-own. */
  readonly existing: { readonly vnetId: string | undefined; readonly networkSecurityGroupId: string | undefined };
  readonly egress: RecordedOptions;
}

async function clusterFacts(
  azure: Azure,
  cluster: ClusterKey,
  {
    existingGroup,
    given,
    named,
  }: { readonly existingGroup: string | undefined; readonly given: RecordedOptions; readonly named: NamedResources },
): Promise<Omit<ClusterFacts, "shownIn">> {
  const first = (type: ResourceType) => named.ofType(type)[0];
  const [vnet, nsg] = [first(resourceTypes.virtualNetwork), first(resourceTypes.networkSecurityGroup)];
  const { zone } = named;
  const link = named.ofType(resourceTypes.virtualNetworkLink).find(({ id }) => zone !== undefined && isWithin(id, zone.id));
  const places = clusterPlaces(cluster, existingGroup);
  // A resource that is missing, but has a name of the cluster, is not a bring-your-own one.
  const ofOthers = (id: string | undefined) => (id === undefined || clusterResource(places, id) !== undefined ? undefined : id);
  const network = vnet === undefined ? {} : await readNetwork(azure, vnet.id);
  const { subnet } = network;
  const vnetId = vnet === undefined && link !== undefined ? ofOthers(await linkedNetwork(azure, link.id)) : undefined;
  const networkSecurityGroupId = nsg === undefined ? ofOthers(subnet?.networkSecurityGroup?.id) : undefined;
  const egress = await derivedEgress(azure, {
    ...{ cluster, given, subnet, ofOthers },
    network: vnet === undefined ? (vnetId === undefined ? "unknown" : "existing") : "own",
    balancer: first(resourceTypes.loadBalancer),
    natGateway: first(resourceTypes.natGateway),
    addresses: named.ofType(resourceTypes.publicIpAddress).map(({ name }) => name),
  });
  return { cluster, given, named, vnet, nsg, ...network, existing: { vnetId, networkSecurityGroupId }, egress };
}

/** Undefined if nothing shows the setting. `value` is undefined if what exists shows that it is unset. */
type Reader<K extends keyof RecordedOptions> = (facts: ClusterFacts) => { readonly value: RecordedOptions[K] } | undefined;

const notShown = () => undefined;

function ofEgress<K extends keyof RecordedOptions>(key: K): Reader<K> {
  return ({ egress }) => (key in egress ? { value: egress[key] } : undefined);
}

/** How what exists shows each setting, so that a rerun without its flag keeps it. */
const readers: { readonly [K in keyof Required<RecordedOptions>]: Reader<K> } = {
  identitiesName: notShown,
  baseDomain: ({ cluster, named: { zone, naming } }) => zone && naming && { value: baseDomainIn(zone.name, naming, cluster) },
  location({ named }) {
    const location = named.all.find(({ row }) => row.use?.location === "regional")?.location;
    return location === undefined ? undefined : { value: plainLocation(location) };
  },
  naming: ({ named: { naming } }) => naming && { value: naming },
  resourceGroupName({ shownIn, named }) {
    const hasOwnGroup = named.all.some(({ row, group }) => row.type === resourceTypes.resourceGroup.type && group === "managed");
    return shownIn !== undefined || hasOwnGroup ? { value: shownIn } : undefined;
  },
  singleResourceGroup({ vnet, nsg }) {
    const created = vnet ?? nsg;
    return created && { value: created.group === "managed" };
  },
  resourceGroupTags: notShown,
  vnetCidr: ({ vnetCidr }) => (vnetCidr === undefined ? undefined : { value: vnetCidr }),
  subnetCidr: ({ subnetCidr }) => (subnetCidr === undefined ? undefined : { value: subnetCidr }),
  vnetId({ vnet, existing: { vnetId }, given: { subnetId } }) {
    const isSubnetGiven = vnetId !== undefined && subnetId !== undefined && isWithin(subnetId, vnetId);
    return (vnet !== undefined || vnetId !== undefined) && !isSubnetGiven ? { value: vnetId } : undefined;
  },
  subnetId: ({ vnet }) => vnet && { value: undefined },
  networkSecurityGroupId: ({ nsg, existing: { networkSecurityGroupId: value } }) =>
    nsg !== undefined || value !== undefined ? { value } : undefined,
  egress: ofEgress("egress"),
  outboundAddresses: ofEgress("outboundAddresses"),
  publicIpPrefixId: ofEgress("publicIpPrefixId"),
  natGatewayId: ofEgress("natGatewayId"),
  routeTableId: ofEgress("routeTableId"),
  expectedNodes: ofEgress("expectedNodes"),
  dnsZoneRgName: notShown,
  assignIdentityRoles: notShown,
  assignCustomHcpRoles: notShown,
  disableClusterCapabilities: notShown,
};

function shownOptions(facts: ClusterFacts): RecordedOptions {
  const shown = Object.entries(readers).flatMap(([key, read]) => {
    const found = read(facts);
    return found ? [[key, found.value] as const] : [];
  });
  return Object.fromEntries(shown);
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
