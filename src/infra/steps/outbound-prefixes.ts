/** Whether the addresses of all existing prefixes together can be used for outbound connections. */
import { fewestPorts, mostAddresses, neededAddresses, portsPerNode, type Egress } from "../../domain/egress.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { Failure } from "../../errors/failure.js";
import { plural } from "../../text/plural.js";
import type { PrefixOutput } from "./egress-outputs.js";

/** Why the addresses of the prefixes together cannot be used: too many, or not enough for the expected workers. */
export function prefixesFault(prefixes: readonly PrefixOutput[], egress: Egress): Failure | undefined {
  if (prefixes.length === 0) return undefined;
  const count = prefixes.reduce((sum, { addresses }) => sum + addresses, 0);
  const { existingFlag } = resourceTypes.publicIpPrefix.use;
  const has = `the public IP prefixes have ${plural(count, "address", "addresses")}`;
  if (count > mostAddresses) {
    const because = `an outbound rule or a NAT gateway has at most ${String(mostAddresses)}`;
    return new Failure("ARO-OWN-003", has, { because, next: [`pass fewer or smaller prefixes as ${existingFlag}`] });
  }
  const { expectedNodes } = egress;
  if (expectedNodes === undefined || portsPerNode(egress, count) >= fewestPorts) return undefined;
  return new Failure("ARO-OWN-003", has, {
    because: `${plural(expectedNodes, "worker")} of --expected-nodes would get fewer than ${plural(fewestPorts, "port")} each`,
    next: [`pass prefixes with ${plural(neededAddresses(expectedNodes), "address", "addresses")} or more as ${existingFlag}`],
  });
}
