/** The rules for a HostedCluster's name and infra ID. */

export const clusterLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Follows an invalid name in a message. */
export const clusterLabelRule = "must have 1 to 63 lowercase letters, digits and inner hyphens";

/** Labels separated by periods, as in names of Kubernetes objects. */
export const subdomain = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Follows an invalid name in a message. */
export const subdomainRule = "is not a valid Kubernetes name: use lowercase letters, digits, inner hyphens and periods";
