/** The address that everything has that leaves an AKS cluster: created with its IP tags, or an existing one. */
import type { PublicIPAddress } from "@azure/arm-network";
import { found } from "../../azure/long-running.js";
import { defineLookup, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { quotedTitleOf, titleOf } from "../../domain/resource-catalogue.js";
import { isInGroup, parseResourceId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { useExisting } from "../../steps/ownership-decision.js";
import type { AksContext } from "./context.js";
import { ipTagsOf, ipTagsText, publicAddress, type AddressOutput } from "./public-address.js";

const row = resourceTypes.publicIpAddress;

export function outboundAddress(context: AksContext): Step<AddressOutput> {
  const { azure, spec, names, group } = context;
  const existingId = spec.existing.outboundAddressId;
  if (existingId !== undefined) return existingAddress(context, existingId);
  const { cluster, location, egressIpTags: ipTags } = spec;
  const name = names.outboundAddress;
  const release = "give the AKS cluster another address first: rerun the command with --outbound-ip-id";
  return publicAddress(
    azure,
    {
      cluster,
      location,
      id: `outbound-${row.use.step}`,
      name,
      ipTags,
      flag: "--egress-ip-tags",
      release,
    },
    group,
  );
}

/** The load balancer of AKS is a standard one, so the address must be too. */
function existingAddress({ azure, spec }: AksContext, id: string): Step<AddressOutput> {
  const { subscriptionId, resourceGroup = "", name } = parseResourceId(id);
  const what = quotedTitleOf(row, name);
  return defineLookup({
    id: `outbound-${row.use.step}`,
    title: titleOf(row, name),
    subject: { kind: "resource", type: row.type, existing: true },
    resourceId: id,
    needs: {},
    read: async () => found((await azure.network(subscriptionId)).publicIPAddresses.get(resourceGroup, name)),
    decide: (live: PublicIPAddress | undefined) =>
      useExisting(live, { row, what, location: spec.location, flag: "--outbound-ip-id" }, (address) => fault(address, what, spec)),
    output: (live): AddressOutput => ({ id: live.id ?? id, ipAddress: live.ipAddress, ipTags: ipTagsOf(live) }),
  });
}

function fault(live: PublicIPAddress, what: string, { egressIpTags: wanted, nodeGroupName }: AksContext["spec"]): Failure | undefined {
  const { sku, publicIPAllocationMethod: method, publicIPAddressVersion: version } = live;
  if (sku?.name !== "Standard" || method !== "Static" || version !== "IPv4") {
    return new Failure("ARO-OWN-003", `${what} is ${sku?.name ?? "?"}, ${method ?? "?"} and ${version ?? "?"}`, {
      because: "the load balancer of AKS needs an address that is Standard, Static and IPv4",
      next: ["pass another address as --outbound-ip-id"],
    });
  }
  // Attached to the load balancer of this cluster, it is in the node resource group.
  const user = [live.natGateway?.id, live.ipConfiguration?.id].find((id) => id !== undefined && !isInGroup(id, nodeGroupName));
  if (user !== undefined) {
    return new Failure("ARO-OWN-003", `${what} is in use`, {
      because: `it is attached to ${user}, and an address has one user`,
      next: ["pass another address as --outbound-ip-id, or detach this one"],
    });
  }
  const [has, wants] = [ipTagsText(ipTagsOf(live)), ipTagsText(wanted)];
  if (wanted.length === 0 || has === wants) return undefined;
  return new Failure("ARO-OWN-003", `${what} has the IP tags ${has}, not ${wants}`, {
    because: "Azure sets the IP tags of an address at its creation, and never changes them",
    next: ["pass an address with these IP tags as --outbound-ip-id", "or omit --environment and --egress-ip-tags"],
  });
}
