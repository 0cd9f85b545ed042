/** The load balancer whose outbound rule the workers use, and the public IP addresses for outbound connections. */
import type { LoadBalancer, PublicIPAddress } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finish, found } from "../../azure/long-running.js";
import { byId, type Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import { outboundNames } from "../../domain/egress.js";
import type { InfraNames } from "../../domain/names.js";
import { ownershipTags } from "../../domain/ownership.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { balancerDifferences, egressParts, mergeParts } from "./balancer-parts.js";
import { ifUnchanged } from "../../steps/conditional-write.js";
import type { PrefixOutput } from "./egress-outputs.js";
import { prefixesFault } from "./outbound-prefixes.js";
import { defineInGroup } from "../../steps/in-group.js";
import type { InfraStepSpec } from "../../steps/lost-tags.js";
import { decideOwned } from "../../steps/ownership-decision.js";
import { withoutOptionTags } from "../../domain/option-tags.js";
import { removedOptionTags } from "../../steps/tag-changes.js";
import type { GroupOutput } from "../../steps/resource-groups.js";

export interface PublicIpOutput {
  readonly id: string;
}

/** The public IP addresses of the load balancer. */
export function publicIps(
  azure: Azure,
  spec: InfraStepSpec,
  names: InfraNames,
  group: Step<GroupOutput>,
  count: number,
): Step<PublicIpOutput>[] {
  const { step } = resourceTypes.publicIpAddress.use;
  return outboundNames(names.publicIp, count).map((name, at) =>
    address(azure, spec, name, group, at === 0 ? step : `${step}-${String(at + 1)}`),
  );
}

/** The public IP addresses of the NAT gateway. */
export function natPublicIps(
  azure: Azure,
  spec: InfraStepSpec,
  names: InfraNames,
  group: Step<GroupOutput>,
  count: number,
): Step<PublicIpOutput>[] {
  const step = `nat-${resourceTypes.publicIpAddress.use.step}`;
  return outboundNames(names.natPublicIp, count).map((name, at) =>
    address(azure, spec, name, group, at === 0 ? step : `${step}-${String(at + 1)}`),
  );
}

function address(azure: Azure, spec: InfraStepSpec, name: string, group: Step<GroupOutput>, id: string) {
  const row = resourceTypes.publicIpAddress;
  const what = quotedTitleOf(row, name);
  const wanted: PublicIPAddress = {
    location: spec.location,
    tags: ownershipTags(spec.cluster),
    sku: { name: "Standard" },
    publicIPAllocationMethod: "Static",
    publicIPAddressVersion: "IPv4",
    idleTimeoutInMinutes: 4,
  };
  return defineInGroup({
    id,
    row,
    lostTags: spec.lostTags,
    names: [name],
    needs: { group },
    read: async ({ group: { name: groupName } }) => found((await azure.network()).publicIPAddresses.get(groupName, name)),
    wanted: () => wanted,
    decide: (live) =>
      decideOwned(live, { row, name, owner: spec.cluster, location: spec.location }, ({ sku, publicIPAllocationMethod, tags }) =>
        sku?.name === "Standard" && publicIPAllocationMethod === "Static"
          ? removedOptionTags(tags)
          : new Failure("ARO-OWN-002", `${what} is ${sku?.name ?? "?"} and ${publicIPAllocationMethod ?? "?"}, not Standard and Static`, {
              because: "a Standard load balancer requires both, and neither can be changed in place",
              next: ["delete it and rerun the command"],
            }),
      ),
    async apply(live, { group: { name: groupName } }): Promise<PublicIPAddress> {
      const { publicIPAddresses } = await azure.network();
      const written = live ? { ...live, tags: withoutOptionTags(live.tags) } : wanted;
      return finish(azure, expectedDuration("PUT", row.type), (options) =>
        publicIPAddresses.beginCreateOrUpdate(groupName, name, written, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id): PublicIpOutput => ({ id }),
  });
}

/** The sources of the outbound rule's addresses; none with user-defined routing. */
export interface OutboundSteps {
  readonly addresses: readonly Step<PublicIpOutput>[];
  readonly prefixes: readonly Step<PrefixOutput>[];
}

/** Merges and never replaces: the cloud provider adds its own frontends, pools, probes and rules. */
export function loadBalancer(
  azure: Azure,
  spec: InfraStepSpec,
  names: InfraNames,
  group: Step<GroupOutput>,
  { addresses, prefixes }: OutboundSteps,
): Step<unknown> {
  const name = names.loadBalancer;
  const row = resourceTypes.loadBalancer;
  const what = quotedTitleOf(row, name);
  const needed = [...addresses, ...prefixes];
  const needs: { readonly group: Step<GroupOutput> } & Readonly<Record<string, Step<unknown>>> = {
    group,
    ...byId(needed),
  };
  type Outputs = Readonly<Record<string, unknown>>;
  const partsIn = (outputs: Outputs, id: string) =>
    egressParts(id, name, {
      addressIds: addresses.map((step) => (outputs[step.id] as PublicIpOutput).id),
      prefixes: prefixes.map((step) => outputs[step.id] as PrefixOutput),
      egress: spec.egress,
    });
  const wanted = (outputs: Outputs, id: string): LoadBalancer => ({
    location: spec.location,
    tags: ownershipTags(spec.cluster),
    sku: { name: "Standard" },
    ...partsIn(outputs, id),
  });
  return defineInGroup({
    row,
    lostTags: spec.lostTags,
    names: [name],
    // Azure responds with 429 ReferencedResourceNotProvisioned while an address is being created, so its step must be complete.
    needs,
    read: async ({ group: { name: groupName } }) => found((await azure.network()).loadBalancers.get(groupName, name)),
    wanted: (outputs, id) => wanted(outputs, id),
    decide(live, outputs, id) {
      const wrong = prefixesFault(
        prefixes.map((step) => outputs[step.id] as PrefixOutput),
        spec.egress,
      );
      if (wrong !== undefined) return { act: "refuse", failure: wrong };
      return decideOwned(live, { row, name, owner: spec.cluster, location: spec.location }, (balancer) => {
        const changes = balancerDifferences(what, balancer, name, partsIn(outputs, id), spec.egress);
        return changes instanceof Failure ? changes : [...removedOptionTags(balancer.tags), ...changes];
      });
    },
    async apply(live, outputs, id): Promise<LoadBalancer> {
      const { loadBalancers } = await azure.network();
      const written = live
        ? { ...mergeParts(live, partsIn(outputs, id), name, spec.egress), tags: withoutOptionTags(live.tags) }
        : wanted(outputs, id);
      return finish(azure, expectedDuration("PUT", row.type), (options) =>
        loadBalancers.beginCreateOrUpdate(outputs.group.name, name, written, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id) => ({ id }),
  });
}
