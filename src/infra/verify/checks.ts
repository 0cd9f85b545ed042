/** Every check of the infrastructure, in the order of the output: first each resource, then between resources. */
import { checkCatalogue, error, warning } from "../../verify/check.js";

export const infraChecks = checkCatalogue({
  // Each resource.
  "resource-exists": error("the resource exists"),
  "resource-at-rest": warning("no operation is in flight on the resource"),
  "resource-succeeded": error("its last operation did not fail"),
  "resource-owned": error("its tags show that this cluster owns it, or it is an existing resource that you passed"),
  "resource-location": error("it is in the location of the cluster"),
  "resource-as-wanted": error("create infra would neither change nor refuse it"),
  "resource-as-made": warning("values that create infra sets only at creation are unchanged"),

  // The network.
  "subnet-exists": error("the virtual network has the workers' subnet"),
  "subnet-security-group": error("the subnet has the cluster's network security group"),
  "subnet-delegation": error("the subnet is not delegated to a service"),
  "subnet-addresses": error("the subnet has free addresses"),
  "network-ranges": error("the virtual network does not overlap the cluster's pod or service network"),
  "peering-connected": warning("every peering of the virtual network is connected and in sync with its addresses"),
  "peering-ranges": warning("no peered network overlaps the cluster's pod or service network"),

  // DNS.
  "zone-overlap": error("no other zone with the cluster's private names is linked to the virtual network"),
  "zone-link-network": error("the link is to the cluster's virtual network"),
  "zone-link-registration": error("the link does not register virtual machines in the zone"),
  "public-names-hidden": warning("no private zone on the virtual network hides the cluster's public names"),
  "public-zone-delegated": error("the parent zone delegates to the public zone's name servers"),

  // Outbound traffic.
  "outbound-rules": error("no rule of the subnet's network security group denies the workers' traffic to the internet"),
  "outbound-routes": error("no route of the subnet drops the workers' traffic to the internet"),
  "outbound-precedence": warning("no NAT gateway on the subnet has precedence over the outbound rule of the load balancer"),
  "outbound-ports": warning("the ports of the outbound rule are enough for the expected workers"),
  "balancer-parts": error("frontend, backend pool, probe and outbound rule exist, each named exactly as the infra ID"),

  // Roles and obstacles.
  "principals-exist": error("every identity has a service principal in the directory"),
  "file-set": error("the identity file is of the set that has the roles of the cluster"),
  "roles-defined": error("the roles of hosted control planes exist in this tenant"),
  "role-assigned": error("the identity has its role on the resource group"),
  "deny-assignments": error("no deny assignment takes away what the roles of the identities allow"),
  "no-locks": warning("no management lock is on the infrastructure or above it"),
});

export type InfraCheckId = keyof typeof infraChecks;

export const infraCheckIds = Object.keys(infraChecks);
