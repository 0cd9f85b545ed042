/** The settings of a cluster without a record, derived from its resources: create infra finds them again with these. */
import type { Azure } from "../../azure/azure.js";
import { found } from "../../azure/long-running.js";
import { ownResources } from "../../azure/own-resources.js";
import { clusterPlaces, clusterResource } from "../../domain/cluster-resource.js";
import { hasOtherOwner, ownedBy } from "../../domain/ownership.js";
import { plainLocation } from "../../domain/location.js";
import { baseDomainIn } from "../../domain/names.js";
import { groupNameOf, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes, type ResourceType } from "../../domain/resource-types.js";
import { recordedKeys, type RecordedOptions } from "../../files/recorded-options.js";
import type { Option } from "../../settings/option.js";
import { options } from "../../settings/options.js";
import { defaultOf } from "../../settings/parse-value.js";
import { findNamed, type NamedResource, type NameSearch } from "../../azure/named-resources.js";
import { subnetOf } from "../../steps/network.js";

export interface DerivedOptions {
  /** Those that differ from their defaults, and the location. */
  readonly options: RecordedOptions;
  /** The options that the resources show, including those that have their defaults. The others are unknown. */
  readonly known: ReadonlySet<keyof RecordedOptions>;
}

export interface OptionsWithoutRecord extends DerivedOptions {
  /** Groups that may be the existing group: they contain resources with tags and names of the cluster. These may be copies. */
  readonly possibleGroups: readonly string[];
}

/** As far as the resources show them: only the name of the private zone contains the base domain. Those with the ownership tags have precedence. */
export async function derivedOptions(
  azure: Azure,
  { cluster, existingGroup }: NameSearch,
  named: readonly NamedResource[],
): Promise<DerivedOptions> {
  const ordered = [...named.filter(({ tags }) => ownedBy(tags, cluster) === "ours"), ...named];
  const zone = ordered.find(({ row }) => row.type === resourceTypes.privateDnsZone.type);
  const naming = [...(zone ? [zone] : []), ...ordered].find(({ namings }) => namings.length === 1)?.namings[0];
  const ofType = ({ type }: ResourceType) =>
    ordered.find(({ row, namings }) => row.type === type && (naming === undefined || namings.includes(naming)));
  const [vnet, link] = [ofType(resourceTypes.virtualNetwork), ofType(resourceTypes.virtualNetworkLink)];
  const places = clusterPlaces(cluster, existingGroup);
  // A resource that is missing, but has a name of the cluster, is not a bring-your-own one.
  const ofOthers = (id: string | undefined) => (id === undefined || clusterResource(places, id) !== undefined ? undefined : id);
  const { attached, routeTable, ...ranges } = vnet === undefined ? {} : await readNetwork(azure, vnet.id);
  const nsg = ofType(resourceTypes.networkSecurityGroup);
  const location = ordered.find(({ row }) => row.use?.location === "regional")?.location;
  const vnetId = vnet === undefined && link !== undefined ? ofOthers(await linkedNetwork(azure, link.id)) : undefined;
  const networkSecurityGroupId = nsg === undefined ? ofOthers(attached) : undefined;
  const hasOwnGroup = ordered.some(({ row, group }) => row.type === resourceTypes.resourceGroup.type && group === "managed");
  // An option without a value here is known to be unset.
  const shown: RecordedOptions = {
    ...(zone && naming && { baseDomain: baseDomainIn(zone.name, naming, cluster) }),
    ...(location !== undefined && { location: plainLocation(location) }),
    ...(naming && { naming }),
    ...((existingGroup !== undefined || hasOwnGroup) && { resourceGroupName: existingGroup }),
    ...(vnet && {
      ...ranges,
      singleResourceGroup: vnet.group === "managed",
      ...derivedEgress(ofType(resourceTypes.natGateway), routeTable, {
        balancer: ofType(resourceTypes.loadBalancer),
        address: ofType(resourceTypes.publicIpAddress),
      }),
      subnetId: undefined,
    }),
    ...((vnet !== undefined || vnetId !== undefined) && { vnetId }),
    ...((nsg !== undefined || networkSecurityGroupId !== undefined) && { networkSecurityGroupId }),
  };
  return { options: withoutDefaults(shown), known: new Set(recordedKeys.filter((key) => key in shown)) };
}

/**
 * The settings of a cluster whose record was lost, for example because another tool replaced the tags of the managed group. Without the naming
 * scheme, a create would create a second network. `existingGroup`: only a group that the user specifies. In any other, the resources may be
 * copies of others, which a destroy would delete.
 */
export async function optionsWithoutRecord(azure: Azure, search: NameSearch): Promise<OptionsWithoutRecord> {
  const { cluster, existingGroup } = search;
  const places = clusterPlaces(cluster, existingGroup);
  const elsewhere = (await ownResources(azure, cluster)).flatMap(({ id = "" }) =>
    clusterResource(places, id) === undefined ? (groupNameOf(id) ?? []) : [],
  );
  const { named } = await findNamed(azure, search);
  const derived = await derivedOptions(
    azure,
    search,
    named.filter(({ tags }) => !hasOtherOwner(tags, cluster)),
  );
  return { ...derived, possibleGroups: [...new Map(elsewhere.map((group) => [group.toLowerCase(), group])).values()] };
}

/** Only user-defined routing needs no public IP address. */
function derivedEgress(
  natGateway: NamedResource | undefined,
  routeTableId: string | undefined,
  { balancer, address }: { readonly balancer: NamedResource | undefined; readonly address: NamedResource | undefined },
): Pick<RecordedOptions, "egress" | "routeTableId"> {
  if (natGateway !== undefined) return { egress: "nat-gateway" };
  const isRouted = balancer !== undefined && address === undefined && routeTableId !== undefined;
  return isRouted ? { egress: "user-defined-routing", routeTableId } : { egress: "load-balancer" };
}

/** The ranges of the network and of the workers' subnet, and the security group of that subnet. */
async function readNetwork(
  azure: Azure,
  id: string,
): Promise<
  Pick<RecordedOptions, "vnetCidr" | "subnetCidr"> & { readonly attached?: string | undefined; readonly routeTable?: string | undefined }
> {
  const { resourceGroup = "", name } = parseResourceId(id);
  const vnet = await found((await azure.network()).virtualNetworks.get(resourceGroup, name));
  const subnet = vnet && subnetOf(vnet, "default");
  return {
    vnetCidr: vnet?.addressSpace?.addressPrefixes?.[0],
    subnetCidr: subnet?.addressPrefix ?? subnet?.addressPrefixes?.[0],
    attached: subnet?.networkSecurityGroup?.id,
    routeTable: subnet?.routeTable?.id,
  };
}

/** The network that the private zone is linked to. */
async function linkedNetwork(azure: Azure, linkId: string): Promise<string | undefined> {
  const {
    resourceGroup = "",
    names: [zone = "", link = ""],
  } = parseResourceId(linkId);
  return (await found((await azure.privateDns()).virtualNetworkLinks.get(resourceGroup, zone, link)))?.virtualNetwork?.id;
}

/** Base domain and location are always recorded: see `recordOf`. */
function withoutDefaults(values: RecordedOptions): RecordedOptions {
  return Object.fromEntries(
    recordedKeys.flatMap((key) => {
      const value = values[key];
      const option: Option = options[key];
      const isDefault = value === undefined || value === false || value === defaultOf(option);
      return isDefault && key !== "location" ? [] : [[key, value] as const];
    }),
  );
}
