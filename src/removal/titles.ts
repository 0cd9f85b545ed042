/** Resources as people call them. */
import type { FoundResource } from "./inventory.js";

export function titleOf({ type, name }: FoundResource): string {
  return `${kindOf(type)} ${name}`;
}

/** "Microsoft.Network/publicIPAddresses" as people call it: "public IP address"; an uncommon type by its own name. */
function kindOf(type: string): string {
  return kinds[type.toLowerCase()] ?? type;
}

const kinds: Readonly<Record<string, string>> = {
  "microsoft.network/loadbalancers": "load balancer",
  "microsoft.network/publicipaddresses": "public IP address",
  "microsoft.network/networksecuritygroups": "network security group",
  "microsoft.network/virtualnetworks": "virtual network",
  "microsoft.network/privatednszones": "private DNS zone",
  "microsoft.network/privatednszones/virtualnetworklinks": "virtual network link",
  "microsoft.network/networkinterfaces": "network interface",
  "microsoft.compute/virtualmachines": "virtual machine",
  "microsoft.compute/disks": "disk",
};
