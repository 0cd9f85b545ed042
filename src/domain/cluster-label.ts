/** What a HostedCluster's name and infra id are: a DNS label of Kubernetes (RFC 1123); where others made it, the name may be several. */

export const clusterLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Behind the name of what is none. */
export const noClusterLabel = "is not 1 to 63 lower-case letters, digits and inner hyphens";

/** Labels with periods between them: what Kubernetes takes for the name of an object. */
export const subdomain = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Behind the name of what is none. */
export const noSubdomain = "is not a name that Kubernetes takes: lower-case letters, digits, inner hyphens and periods";
