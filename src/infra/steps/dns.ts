/** DNS: looks up the public zone, and creates the private zone with its link to the network. */
import type { PrivateZone, VirtualNetworkLink } from "@azure/arm-privatedns";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finishUnread, found } from "../../azure/long-running.js";
import type { Step } from "../../engine/step.js";
import { Failure } from "../../errors/failure.js";
import type { InfraNames } from "../../domain/names.js";
import { ownershipTags } from "../../domain/ownership.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { InfraSpec } from "../../domain/infra-spec.js";
import { existingZone } from "../../steps/existing-zone.js";
import { defineInGroup } from "../../steps/in-group.js";
import { listedZones } from "../../steps/listed-zones.js";
import type { InfraStepSpec } from "../../steps/lost-tags.js";
import type { VirtualNetworkOutput } from "./network.js";
import { decideOwned } from "../../steps/ownership-decision.js";
import type { GroupOutput } from "../../steps/resource-groups.js";
import { ifMatching } from "../../steps/conditional-write.js";

export interface ZoneOutput {
  readonly id: string;
}

type PublicZoneSpec = Pick<InfraSpec, "baseDomain" | "dnsZoneGroup">;

export function publicZone(azure: Azure, { baseDomain: name, dnsZoneGroup: group }: PublicZoneSpec): Step<ZoneOutput> {
  const because = "the cluster's addresses are published in the DNS zone of its base domain";
  return existingZone(azure, { name, group, flag: "--base-domain", because }, listedZones(azure), (zone) => ({ id: zone?.id ?? "" }));
}

export function privateZone(azure: Azure, spec: InfraStepSpec, names: InfraNames, group: Step<GroupOutput>): Step<ZoneOutput> {
  const name = names.privateZone;
  const wanted: PrivateZone = { location: "global", tags: ownershipTags(spec.cluster) };
  return defineInGroup({
    row: resourceTypes.privateDnsZone,
    lostTags: spec.lostTags,
    names: [name],
    needs: { group },
    read: async ({ group: { name: groupName } }) => found((await azure.privateDns()).privateZones.get(groupName, name)),
    wanted: () => wanted,
    decide: (live) => decideOwned(live, { row: resourceTypes.privateDnsZone, name, owner: spec.cluster }, () => []),
    async apply(live, { group: { name: groupName } }): Promise<PrivateZone> {
      const { privateZones } = await azure.privateDns();
      const whole = live ?? wanted;
      await finishUnread(azure, expectedDuration("PUT", resourceTypes.privateDnsZone.type), (options) =>
        privateZones.beginCreateOrUpdate(groupName, name, whole, ifMatching(live?.etag, options)),
      );
      return whole;
    },
    output: (id) => ({ id }),
  });
}

export function privateZoneLink(
  azure: Azure,
  spec: InfraStepSpec,
  names: InfraNames,
  group: Step<GroupOutput>,
  zone: Step<ZoneOutput>,
  vnet: Step<VirtualNetworkOutput>,
): Step<unknown> {
  const { privateZoneLink: name, privateZone: zoneName } = names;
  const row = resourceTypes.virtualNetworkLink;
  const what = `${quotedTitleOf(row, name)} of ${quotedTitleOf(resourceTypes.privateDnsZone, zoneName)}`;
  const wanted = (vnetId: string): VirtualNetworkLink => ({
    location: "global",
    tags: ownershipTags(spec.cluster),
    virtualNetwork: { id: vnetId },
    registrationEnabled: false,
  });
  return defineInGroup({
    row,
    lostTags: spec.lostTags,
    names: [zoneName, name],
    needs: { group, zone, vnet },
    within: "zone",
    read: async ({ group: { name: groupName } }) => found((await azure.privateDns()).virtualNetworkLinks.get(groupName, zoneName, name)),
    wanted: ({ vnet: { id } }) => wanted(id),
    decide: (live, { vnet: { id: vnetId } }) =>
      decideOwned(live, { row, name, owner: spec.cluster }, ({ virtualNetwork, registrationEnabled = false }) => {
        if (sameId(virtualNetwork?.id ?? "", vnetId)) {
          return registrationEnabled ? [{ path: "registrationEnabled", from: true, to: false }] : [];
        }
        return new Failure("ARO-OWN-002", `${what} links a different virtual network`, {
          because: `it links ${virtualNetwork?.id ?? "nothing"}, and the network of a link cannot be changed`,
          next: ["delete the link, or use the network that it links"],
        });
      }),
    async apply(live, { group: { name: groupName }, vnet: { id } }): Promise<VirtualNetworkLink> {
      const { virtualNetworkLinks } = await azure.privateDns();
      const whole = { ...live, ...wanted(id), ...(live?.tags && { tags: live.tags }) };
      await finishUnread(azure, expectedDuration("PUT", row.type), (options) =>
        virtualNetworkLinks.beginCreateOrUpdate(groupName, zoneName, name, whole, ifMatching(live?.etag, options)),
      );
      return whole;
    },
    output: (id) => ({ id }),
  });
}
