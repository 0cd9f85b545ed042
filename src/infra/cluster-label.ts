/** What a HostedCluster's name and infra id are: a DNS label of Kubernetes (RFC 1123). */

export const clusterLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Behind the name of what is none. */
export const noClusterLabel = "is not 1 to 63 lower-case letters, digits and inner hyphens";
