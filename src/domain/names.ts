/** The names of the resources of one cluster, and their groups. */

export type Naming = "documented" | "hypershift";

export interface ClusterKey {
  readonly name: string;
  readonly infraId: string;
}

export interface GroupNames {
  readonly managed: string;
  readonly vnet: string;
  readonly nsg: string;
}

export interface InfraNames {
  readonly groups: GroupNames;
  readonly vnet: string;
  readonly subnet: string;
  readonly nsg: string;
  readonly privateZone: string;
  readonly privateZoneLink: string;
  readonly publicIp: string;
  /** The frontend, backend pool, probe and outbound rule have it too: Cluster API and cloud.conf expect exactly the infra ID. */
  readonly loadBalancer: string;
  readonly natGateway: string;
  /** The address of the NAT gateway, which cannot share that of the load balancer. */
  readonly natPublicIp: string;
}

interface NamingScheme {
  vnetGroup(cluster: ClusterKey): string;
  nsgGroup(cluster: ClusterKey): string;
  privateZone(name: string, baseDomain: string): string;
  /** The group of the private zone and its link, if aro-hcp creates the network. */
  readonly privateZoneGroup: keyof GroupNames;
}

/** The names that differ between the two naming schemes. */
const schemes: Readonly<Record<Naming, NamingScheme>> = {
  documented: {
    vnetGroup: ({ name, infraId }) => `${name}-${infraId}-vnet`,
    nsgGroup: ({ name, infraId }) => `${name}-${infraId}-nsg`,
    privateZone: (name, baseDomain) => `${name}-azurecluster.${baseDomain}`,
    privateZoneGroup: "vnet",
  },
  hypershift: {
    vnetGroup: ({ name, infraId }) => `${name}-vnet-${infraId}`,
    nsgGroup: ({ name, infraId }) => `${name}-nsg-${infraId}`,
    privateZone: (name, baseDomain) => `${name}.${baseDomain}`,
    privateZoneGroup: "managed",
  },
};

export function groupNames(naming: Naming, cluster: ClusterKey): GroupNames {
  return {
    managed: `${cluster.name}-${cluster.infraId}`,
    vnet: schemes[naming].vnetGroup(cluster),
    nsg: schemes[naming].nsgGroup(cluster),
  };
}

/** The names of all created resources of a cluster. */
export function infraNames(naming: Naming, cluster: ClusterKey & { readonly baseDomain: string }): InfraNames {
  const { name, infraId, baseDomain } = cluster;
  return {
    groups: groupNames(naming, cluster),
    vnet: `${name}-${infraId}`,
    subnet: "default",
    nsg: `${name}-${infraId}-nsg`,
    privateZone: schemes[naming].privateZone(name, baseDomain),
    privateZoneLink: `${name}-${infraId}`,
    publicIp: infraId,
    loadBalancer: infraId,
    natGateway: `${infraId}-nat`,
    natPublicIp: `${infraId}-nat`,
  };
}

/** The group of the private zone and its link, if aro-hcp creates the network. */
export function privateZoneGroup(naming: Naming): keyof GroupNames {
  return schemes[naming].privateZoneGroup;
}

/** The base domain in the name of a private zone of the cluster. */
export function baseDomainIn(zone: string, naming: Naming, cluster: ClusterKey): string {
  return zone.slice(infraNames(naming, { ...cluster, baseDomain: "" }).privateZone.length).toLowerCase();
}
