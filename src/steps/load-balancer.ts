/** The egress of the workers: a public IP address and the load balancer whose outbound rule uses it. */
import type { LoadBalancer, PublicIPAddress } from "@azure/arm-network";
import type { Azure } from "../azure/azure.js";
import { expectedDuration } from "../azure/expected-durations.js";
import { finish, found } from "../azure/long-running.js";
import type { Change, Step } from "../engine/step.js";
import { Failure } from "../errors/failure.js";
import type { InfraNames } from "../domain/names.js";
import { ownershipTags } from "../domain/ownership.js";
import { quotedTitleOf } from "../domain/resource-catalogue.js";
import { sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { mergedTags } from "../domain/tags.js";
import { ifUnchanged } from "./conditional-write.js";
import { defineInGroup } from "./in-group.js";
import type { InfraStepSpec } from "./lost-tags.js";
import { decideOwned } from "./ownership-decision.js";
import { missingTags } from "./missing-tags.js";
import type { GroupOutput } from "./resource-groups.js";

export interface PublicIpOutput {
  readonly id: string;
}

/** The public IP address of the load balancer. */
export function publicIp(azure: Azure, spec: InfraStepSpec, names: InfraNames, group: Step<GroupOutput>): Step<PublicIpOutput> {
  // An existing group is not tagged. The tags with the cluster's choices are then on this address, which always exists.
  return address(azure, spec, names.publicIp, group, { tags: spec.existingGroup === undefined ? {} : (spec.optionTags ?? {}) });
}

/** The public IP address of the NAT gateway. */
export function natPublicIp(azure: Azure, spec: InfraStepSpec, names: InfraNames, group: Step<GroupOutput>): Step<PublicIpOutput> {
  return address(azure, spec, names.natPublicIp, group, { id: `nat-${resourceTypes.publicIpAddress.use.step}`, tags: {} });
}

interface AddressOptions {
  readonly id?: string;
  /** Further tags, besides the ownership tags. */
  readonly tags: Readonly<Record<string, string>>;
}

function address(azure: Azure, spec: InfraStepSpec, name: string, group: Step<GroupOutput>, { id: step, tags: recorded }: AddressOptions) {
  const row = resourceTypes.publicIpAddress;
  const what = quotedTitleOf(row, name);
  const wanted: PublicIPAddress = {
    location: spec.location,
    tags: { ...ownershipTags(spec.cluster), ...recorded },
    sku: { name: "Standard" },
    publicIPAllocationMethod: "Static",
    publicIPAddressVersion: "IPv4",
    idleTimeoutInMinutes: 4,
  };
  return defineInGroup({
    ...(step !== undefined && { id: step }),
    row,
    lostTags: spec.lostTags,
    names: [name],
    needs: { group },
    read: async ({ group: { name: groupName } }) => found((await azure.network()).publicIPAddresses.get(groupName, name)),
    wanted: () => wanted,
    decide: (live) =>
      decideOwned(live, { row, name, owner: spec.cluster, location: spec.location }, ({ sku, publicIPAllocationMethod, tags }) =>
        sku?.name === "Standard" && publicIPAllocationMethod === "Static"
          ? missingTags(tags, recorded)
          : new Failure("ARO-OWN-002", `${what} is ${sku?.name ?? "?"} and ${publicIPAllocationMethod ?? "?"}, not Standard and Static`, {
              because: "a Standard load balancer requires both, and neither can be changed in place",
              next: ["delete it and rerun the command"],
            }),
      ),
    async apply(live, { group: { name: groupName } }): Promise<PublicIPAddress> {
      const { publicIPAddresses } = await azure.network();
      const written = live ? { ...live, tags: mergedTags(live.tags, recorded) } : wanted;
      return finish(azure, expectedDuration("PUT", row.type), (options) =>
        publicIPAddresses.beginCreateOrUpdate(groupName, name, written, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id): PublicIpOutput => ({ id }),
  });
}

/** Merges and never replaces: the cloud provider adds its own frontends, pools, probes and rules. */
export function loadBalancer(
  azure: Azure,
  spec: InfraStepSpec,
  names: InfraNames,
  group: Step<GroupOutput>,
  address: Step<PublicIpOutput>,
): Step<unknown> {
  const name = names.loadBalancer;
  const row = resourceTypes.loadBalancer;
  const wanted = (id: string, addressId: string): LoadBalancer => ({
    location: spec.location,
    tags: ownershipTags(spec.cluster),
    sku: { name: "Standard" },
    ...egressParts(id, name, addressId),
  });
  return defineInGroup({
    row,
    lostTags: spec.lostTags,
    names: [name],
    // Azure responds with 429 ReferencedResourceNotProvisioned while the address is being created, so its step must be complete.
    needs: { group, address },
    read: async ({ group: { name: groupName } }) => found((await azure.network()).loadBalancers.get(groupName, name)),
    wanted: (outputs, id) => wanted(id, outputs.address.id),
    decide: (live, outputs, id) =>
      decideOwned(live, { row, name, owner: spec.cluster, location: spec.location }, (balancer) =>
        balancerDifferences(quotedTitleOf(row, name), balancer, name, egressParts(id, name, outputs.address.id)),
      ),
    async apply(live, outputs, id): Promise<LoadBalancer> {
      const { loadBalancers } = await azure.network();
      const written = live ? mergeParts(live, egressParts(id, name, outputs.address.id), name) : wanted(id, outputs.address.id);
      return finish(azure, expectedDuration("PUT", row.type), (options) =>
        loadBalancers.beginCreateOrUpdate(outputs.group.name, name, written, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id) => ({ id }),
  });
}

/** The parts that create sets. Each has the name of the load balancer, which Cluster API and cloud.conf expect. */
function egressParts(balancerId: string, name: string, publicIpId: string) {
  return {
    frontendIPConfigurations: [{ name, publicIPAddress: { id: publicIpId }, privateIPAllocationMethod: "Dynamic" }],
    backendAddressPools: [{ name }],
    probes: [{ name, protocol: "Http", port: 30595, requestPath: "/healthz", intervalInSeconds: 5, probeThreshold: 2 }],
    outboundRules: [
      {
        name,
        protocol: "All",
        allocatedOutboundPorts: 1024,
        enableTcpReset: true,
        idleTimeoutInMinutes: 4,
        backendAddressPool: { id: `${balancerId}/backendAddressPools/${name}` },
        frontendIPConfigurations: [{ id: `${balancerId}/frontendIPConfigurations/${name}` }],
      },
    ],
  } satisfies LoadBalancer;
}

type EgressParts = ReturnType<typeof egressParts>;
const partKinds = resourceTypes.loadBalancer.parts;

/** The kinds of parts that have no part with the name. */
export function missingParts(live: LoadBalancer, name: string): (typeof partKinds)[number][] {
  return partKinds.filter((kind) => !live[kind]?.some((part) => part.name === name));
}

/** Adds missing parts again. Keeps changed parts, because the change may be intended. */
function balancerDifferences(what: string, live: LoadBalancer, name: string, wanted: EgressParts): Change[] | Failure {
  if (live.sku?.name !== "Standard") {
    return new Failure("ARO-OWN-002", `${what} is ${live.sku?.name ?? "Basic"}, not Standard`, {
      because: "only a Standard load balancer has outbound rules, and its SKU cannot be changed in place",
      next: ["delete it and rerun the command"],
    });
  }
  const frontend = live.frontendIPConfigurations?.find((part) => part.name === name);
  const address = frontend?.publicIPAddress?.id;
  if (frontend && !(address !== undefined && sameId(address, wanted.frontendIPConfigurations[0]?.publicIPAddress.id ?? ""))) {
    return new Failure("ARO-OWN-002", `frontend "${name}" of ${what} has a different public IP address`, {
      because: `${address ?? "none"} is attached to it; changing it would change the cluster's outbound address`,
      next: ["attach the cluster's public IP address again, or delete the frontend and rerun the command"],
    });
  }
  return missingParts(live, name).map((kind) => ({ path: `${kind}[${name}]`, from: undefined, to: wanted[kind][0] }));
}

function mergeParts(live: LoadBalancer, wanted: EgressParts, name: string): LoadBalancer {
  return { ...live, ...Object.fromEntries(missingParts(live, name).map((kind) => [kind, [...(live[kind] ?? []), ...wanted[kind]]])) };
}
