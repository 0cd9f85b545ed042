/** The part of a HostedCluster that its owner chooses: release, networks, access, availability and the volumes of etcd. */
import { secretNames, type EndpointAccess } from "../../domain/hosted-cluster-choices.js";

/** Checked by the rules of the API: option-checks/hosted-cluster.ts. */
export interface HostedClusterChoices {
  readonly releaseImage: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly hasSshKey: boolean;
  readonly controlPlaneAvailability: string;
  /** Undefined: HyperShift's default. */
  readonly infraAvailability: string | undefined;
  readonly fips: boolean;
  readonly etcdVolume: { readonly size: string; readonly storageClass: string | undefined };
  readonly clusterCidr: readonly string[];
  readonly serviceCidr: readonly string[];
  /** Undefined: the services have no hostnames of their own. */
  readonly externalDnsDomain: string | undefined;
  readonly access: Access;
}

export interface Access {
  readonly topology: EndpointAccess;
  /** All of them are unset for public access. */
  readonly natSubnetId: string | undefined;
  readonly allowedSubscriptions: readonly string[];
  readonly podNetworkInstance: string | undefined;
}

/** Members of `spec`. */
export function chosenSpec(cluster: string, choices: HostedClusterChoices) {
  const { etcdVolume, infraAvailability, clusterCidr, serviceCidr } = choices;
  const ranges = (cidrs: readonly string[]) => cidrs.map((cidr) => ({ cidr }));
  return {
    release: { image: choices.releaseImage },
    pullSecret: { name: secretNames.pullSecret(cluster) },
    ...(choices.hasSshKey && { sshKey: { name: secretNames.sshKey(cluster) } }),
    fips: choices.fips,
    networking: { networkType: "OVNKubernetes", clusterNetwork: ranges(clusterCidr), serviceNetwork: ranges(serviceCidr) },
    services: services(cluster, choices),
    etcd: {
      managementType: "Managed",
      managed: {
        storage: {
          type: "PersistentVolume",
          persistentVolume: {
            size: etcdVolume.size,
            ...(etcdVolume.storageClass !== undefined && { storageClassName: etcdVolume.storageClass }),
          },
        },
      },
    },
    olmCatalogPlacement: "management",
    controllerAvailabilityPolicy: choices.controlPlaneAvailability,
    ...(infraAvailability !== undefined && { infrastructureAvailabilityPolicy: infraAvailability }),
  };
}

/**
 * Members of `spec.platform.azure`. Without a topology, access is public, but the API requires it to be explicit with workload identities, and
 * forbids its removal later.
 */
export function chosenAccess({ topology, natSubnetId, allowedSubscriptions, podNetworkInstance }: Access, hasWorkloadIdentities: boolean) {
  if (topology === "Public") return hasWorkloadIdentities ? { topology } : {};
  if (podNetworkInstance !== undefined) return { topology, private: { type: "Swift", swift: { podNetworkInstance } } };
  const privateLink = {
    ...(natSubnetId !== undefined && { natSubnetID: natSubnetId }),
    ...(allowedSubscriptions.length > 0 && { additionalAllowedSubscriptions: allowedSubscriptions }),
  };
  return { topology, private: { type: "PrivateLink", privateLink } };
}

/** The first part of each service's hostname. Nodes reach two of them through the private link, if there is one. */
const published = [
  { service: "APIServer", host: "api", withPrivateAccess: true },
  { service: "Ignition", host: "ignition", withPrivateAccess: false },
  { service: "Konnectivity", host: "konnectivity", withPrivateAccess: false },
  { service: "OAuthServer", host: "oauth", withPrivateAccess: true },
] as const;

/** Only the API server may have a load balancer of its own: HyperShift publishes everything else of ARO HCP through routes. */
function services(cluster: string, { externalDnsDomain: domain, access: { topology } }: HostedClusterChoices) {
  return published.map(({ service, host, withPrivateAccess }) => {
    const isRoute = service !== "APIServer" || domain !== undefined || topology === "Private";
    const hasHost = domain !== undefined && (topology === "Public" || withPrivateAccess);
    return {
      service,
      servicePublishingStrategy: {
        type: isRoute ? "Route" : "LoadBalancer",
        ...(hasHost && { route: { hostname: `${host}-${cluster}.${domain}` } }),
      },
    };
  });
}

/** The problem of a domain for external-dns; undefined if the cluster can use it. HyperShift makes a private zone of the domain. */
export function shadowingProblem(domain: string, cluster: string, baseDomain: string): string | undefined {
  const own = `${cluster}.${baseDomain}`.toLowerCase();
  const zone = domain.toLowerCase();
  if (own !== zone && !own.endsWith(`.${zone}`)) return undefined;
  return `"${domain}" contains ${own}: its private DNS zone would hide the names of the cluster's applications`;
}
