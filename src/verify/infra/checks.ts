/** Every check of the infrastructure, in the order they are told: what holds for each resource, then what holds between them. */
import { checkCatalogue, type Words } from "../catalogue.js";

const error = (sentence: string): Words => ({ sentence, severity: "error" });
const warning = (sentence: string): Words => ({ sentence, severity: "warning" });

export const infraChecks = checkCatalogue({
  // Each resource.
  "resource-exists": error("it exists"),
  "resource-at-rest": warning("no operation is in flight on it"),
  "resource-succeeded": error("its last operation did not fail"),
  "resource-owned": error("it is the cluster's own by its tags, or was brought"),
  "resource-location": error("it is in the location of the cluster"),
  "resource-as-wanted": error("create infra would change nothing about it, and refuse nothing"),
  "resource-as-made": warning("what create infra set, and would not set again, was not changed since"),

  // The network.
  "subnet-exists": error("the network has the subnet of the workers"),
  "subnet-security-group": error("the subnet carries the cluster's security group"),
  "subnet-delegation": error("the subnet is delegated to no service"),
  "subnet-addresses": error("the subnet has free addresses"),
  "network-ranges": error("no address of the network is one of the cluster's pod or service network"),
  "peering-connected": warning("every peering of the network is connected, and knows all addresses"),
  "peering-ranges": warning("no address of a peered network is one of the cluster's pod or service network"),

  // DNS.
  "zone-overlap": error("no other link to the network leads to a zone of the cluster's private names"),
  "zone-link-network": error("the link leads to the cluster's network"),
  "zone-link-registration": error("the link registers no machines in the zone"),
  "public-names-hidden": warning("no private zone on the network hides the cluster's public names"),
  "public-zone-delegated": error("the zone above delegates to the public zone's name servers"),

  // The way out.
  "balancer-parts": error("frontend, backend pool, probe and outbound rule are there, each under exactly the infra id"),

  // Roles, and what would be in the way.
  "principals-exist": error("every identity has its service principal in the directory"),
  "roles-defined": error("the roles of the hosted control planes exist in this tenant"),
  "role-assigned": error("the identity has its role on the group"),
  "no-locks": warning("no management lock is on the infrastructure, or above it"),
});

export type InfraCheckId = keyof typeof infraChecks;

export const infraCheckIds = Object.keys(infraChecks);
