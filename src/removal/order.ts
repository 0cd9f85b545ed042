/** Which kinds of resource hold which: what must be gone before what, as data. */

/**
 * A type, and the types that may refer to it: those are removed first. Azure refuses otherwise (InUseSubnetCannotBeDeleted,
 * InUseNetworkSecurityGroupCannotBeDeleted, PublicIPAddressCannotBeDeleted, NicInUse, CannotDeleteResource). Lower case, as ids are compared.
 */
const heldBy: Readonly<Record<string, readonly string[]>> = {
  "microsoft.compute/virtualmachines": [],
  "microsoft.compute/virtualmachinescalesets": [],
  "microsoft.compute/availabilitysets": ["microsoft.compute/virtualmachines"],
  "microsoft.compute/snapshots": [],
  "microsoft.compute/disks": [
    "microsoft.compute/virtualmachines",
    "microsoft.compute/virtualmachinescalesets",
    "microsoft.compute/snapshots",
  ],
  "microsoft.network/privateendpoints": [],
  "microsoft.network/networkinterfaces": [
    "microsoft.compute/virtualmachines",
    "microsoft.compute/virtualmachinescalesets",
    "microsoft.network/privateendpoints",
    "microsoft.network/privatelinkservices",
  ],
  "microsoft.network/privatelinkservices": ["microsoft.network/privateendpoints"],
  "microsoft.network/loadbalancers": [
    "microsoft.compute/virtualmachinescalesets",
    "microsoft.network/networkinterfaces",
    "microsoft.network/privatelinkservices",
  ],
  "microsoft.network/natgateways": ["microsoft.network/virtualnetworks"],
  "microsoft.network/publicipaddresses": [
    "microsoft.network/loadbalancers",
    "microsoft.network/natgateways",
    "microsoft.network/networkinterfaces",
  ],
  "microsoft.network/privatednszones/virtualnetworklinks": [],
  "microsoft.network/privatednszones": ["microsoft.network/privatednszones/virtualnetworklinks"],
  "microsoft.network/virtualnetworks": [
    "microsoft.compute/virtualmachinescalesets",
    "microsoft.network/loadbalancers",
    "microsoft.network/networkinterfaces",
    "microsoft.network/privateendpoints",
    "microsoft.network/privatelinkservices",
    "microsoft.network/privatednszones/virtualnetworklinks",
  ],
  "microsoft.network/networksecuritygroups": ["microsoft.network/networkinterfaces", "microsoft.network/virtualnetworks"],
  "microsoft.network/routetables": ["microsoft.network/virtualnetworks"],
  "microsoft.storage/storageaccounts": ["microsoft.network/privateendpoints"],
};

/** Whether we know where in the order a type stands. What is in no row is left to the deletion of its group, which Azure orders itself. */
export function isOrdered(type: string): boolean {
  return type.toLowerCase() in heldBy;
}

/** Whether every `first` must be gone before any `then`. Not transitive: through a kind that is not there nothing is held. */
export function goesBefore(first: string, then: string): boolean {
  return (heldBy[then.toLowerCase()] ?? []).includes(first.toLowerCase());
}
