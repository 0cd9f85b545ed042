/** A public IP address of an AKS cluster with its IP tags: for what leaves the cluster, and for what enters it. */
import type { PublicIPAddress } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finish, found } from "../../azure/long-running.js";
import type { Step } from "../../engine/step.js";
import { advise, shell, type Advice } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import type { AksClusterKey } from "../../domain/cluster-kind.js";
import { formatIpTags, sameIpTags, type IpTag } from "../../domain/ip-tags.js";
import { ownershipTags } from "../../domain/ownership.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { ifUnchanged } from "../../steps/conditional-write.js";
import { defineInGroup } from "../../steps/in-group.js";
import { decideOwned } from "../../steps/ownership-decision.js";
import { withoutOptionTags } from "../../domain/option-tags.js";
import { removedOptionTags } from "../../steps/tag-changes.js";
import type { GroupOutput } from "../../steps/resource-groups.js";

export interface AddressOutput {
  readonly id: string;
  /** Undefined while it is only planned: Azure chooses it. */
  readonly ipAddress: string | undefined;
  readonly ipTags: readonly IpTag[];
}

export interface AddressSpec {
  readonly cluster: AksClusterKey;
  readonly location: string;
  /** ID of the step. */
  readonly id: string;
  readonly name: string;
  readonly ipTags: readonly IpTag[];
  /** The flag of the IP tags. */
  readonly flag: `--${string}`;
  /** How to free the address, before it can be deleted. */
  readonly release: Advice;
}

const row = resourceTypes.publicIpAddress;

/** Standard, static and IPv4. Its IP tags are set at its creation: Azure never changes them. */
export function publicAddress(azure: Azure, spec: AddressSpec, group: Step<GroupOutput>): Step<AddressOutput> {
  const { cluster, location, name } = spec;
  const wanted: PublicIPAddress = {
    location,
    tags: ownershipTags(cluster),
    sku: { name: "Standard", tier: "Regional" },
    publicIPAllocationMethod: "Static",
    publicIPAddressVersion: "IPv4",
    idleTimeoutInMinutes: 4,
    ...(spec.ipTags.length > 0 && { ipTags: spec.ipTags.map(({ type, tag }) => ({ ipTagType: type, tag })) }),
  };
  return defineInGroup({
    id: spec.id,
    row,
    names: [name],
    needs: { group },
    read: async ({ group: { name: groupName } }) => found((await azure.network()).publicIPAddresses.get(groupName, name)),
    wanted: () => wanted,
    decide: (live, _outputs, id) =>
      decideOwned(live, { row, name, owner: cluster, location, otherName: "--name" }, (address) => {
        const refused = addressFault(spec, address, id);
        return refused ?? removedOptionTags(address.tags);
      }),
    async apply(live, { group: { name: groupName } }): Promise<PublicIPAddress> {
      const { publicIPAddresses } = await azure.network();
      const body = live === undefined ? wanted : { ...live, tags: withoutOptionTags(live.tags) };
      return finish(azure, expectedDuration("PUT", row.type), (options) =>
        publicIPAddresses.beginCreateOrUpdate(groupName, name, body, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id, live): AddressOutput => ({ id, ipAddress: live?.ipAddress, ipTags: live === undefined ? spec.ipTags : ipTagsOf(live) }),
  });
}

/** The IP tags of an address, as Azure has them. */
export function ipTagsOf({ ipTags = [] }: PublicIPAddress): IpTag[] {
  return ipTags.map(({ ipTagType = "", tag = "" }) => ({ type: ipTagType, tag }));
}

/** The tags as flags write them; "none" without any. */
export function ipTagsText(tags: readonly IpTag[]): string {
  return formatIpTags(tags) || "none";
}

function addressFault(spec: AddressSpec, live: PublicIPAddress, id: string): Failure | undefined {
  const { name, ipTags, flag, release } = spec;
  const what = quotedTitleOf(row, name);
  const steps = [release, shell`az network public-ip delete --ids ${id}`, "rerun the command: it creates a new address"] as const;
  if (live.sku?.name !== "Standard" || live.publicIPAllocationMethod !== "Static") {
    return new Failure(
      "ARO-OWN-002",
      `${what} is ${live.sku?.name ?? "?"} and ${live.publicIPAllocationMethod ?? "?"}, not Standard and Static`,
      {
        because: "the standard load balancer of AKS requires both, and neither can be changed in place",
        next: steps,
      },
    );
  }
  const had = ipTagsOf(live);
  if (sameIpTags(had, ipTags)) return undefined;
  const keep =
    had.length === 0
      ? advise`to keep the address, omit ${flag} and --environment`
      : advise`to keep the address, pass ${flag} ${formatIpTags(had)}`;
  return new Failure("ARO-OWN-002", `${what} has the IP tags ${ipTagsText(had)}, not ${ipTagsText(ipTags)}`, {
    because: "Azure sets the IP tags of an address at its creation, and never changes them",
    next: [keep, ...steps.map((step, at) => (at === 0 ? advise`for a new address, ${release}` : step))],
  });
}
