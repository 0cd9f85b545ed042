/** The NAT gateway for the egress of a cluster. It has its own public IP address, and the workers' subnet refers to it. */
import type { NatGateway } from "@azure/arm-network";
import type { Azure } from "../azure/azure.js";
import { expectedDuration } from "../azure/expected-durations.js";
import { finish, found } from "../azure/long-running.js";
import type { Step } from "../engine/step.js";
import type { InfraNames } from "../domain/names.js";
import { ownershipTags } from "../domain/ownership.js";
import { sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { ifUnchanged } from "./conditional-write.js";
import { defineInGroup } from "./in-group.js";
import type { InfraStepSpec } from "./lost-tags.js";
import type { PublicIpOutput } from "./load-balancer.js";
import { decideOwned } from "./ownership-decision.js";
import type { GroupOutput } from "./resource-groups.js";

export interface NatGatewayOutput {
  readonly id: string;
}

/** Adds a missing address again. Addresses of others stay, because connections may use them. */
export function natGateway(
  azure: Azure,
  spec: InfraStepSpec,
  names: InfraNames,
  group: Step<GroupOutput>,
  address: Step<PublicIpOutput>,
): Step<NatGatewayOutput> {
  const name = names.natGateway;
  const row = resourceTypes.natGateway;
  const wanted = (publicIp: PublicIpOutput): NatGateway => ({
    location: spec.location,
    tags: ownershipTags(spec.cluster),
    sku: { name: "Standard" },
    idleTimeoutInMinutes: 4,
    publicIpAddresses: [{ id: publicIp.id }],
  });
  const hasAddress = ({ publicIpAddresses = [] }: NatGateway, { id }: PublicIpOutput) =>
    publicIpAddresses.some((live) => sameId(live.id ?? "", id));
  return defineInGroup({
    row,
    lostTags: spec.lostTags,
    names: [name],
    // Azure refuses an address that is still being created, so its step must be complete.
    needs: { group, address },
    read: async ({ group: { name: groupName } }) => found((await azure.network()).natGateways.get(groupName, name)),
    wanted: (outputs) => wanted(outputs.address),
    decide: (live, outputs) =>
      decideOwned(live, { row, name, owner: spec.cluster, location: spec.location }, (gateway) =>
        hasAddress(gateway, outputs.address)
          ? []
          : [{ path: "publicIpAddresses", from: gateway.publicIpAddresses?.map(({ id }) => id), to: outputs.address.id }],
      ),
    async apply(live, outputs): Promise<NatGateway> {
      const { natGateways } = await azure.network();
      const addresses =
        live && !hasAddress(live, outputs.address) ? [...(live.publicIpAddresses ?? []), { id: outputs.address.id }] : undefined;
      const written = live ? { ...live, ...(addresses && { publicIpAddresses: addresses }) } : wanted(outputs.address);
      return finish(azure, expectedDuration("PUT", row.type), (options) =>
        natGateways.beginCreateOrUpdate(outputs.group.name, name, written, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id) => ({ id }),
  });
}
