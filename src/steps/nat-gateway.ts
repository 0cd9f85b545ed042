/** The NAT gateway for the egress of a cluster. It has its own public IP address, and the workers' subnet refers to it. */
import type { NatGateway } from "@azure/arm-network";
import type { Azure } from "../azure/azure.js";
import { finish, found, pollInterval } from "../azure/long-running.js";
import type { Step } from "../engine/step.js";
import type { InfraNames } from "../domain/names.js";
import { ownershipTags } from "../domain/ownership.js";
import { sameId } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import type { InfraSpec } from "../domain/infra-spec.js";
import { ifUnchanged } from "./conditional-write.js";
import { defineInGroup } from "./in-group.js";
import type { PublicIpOutput } from "./load-balancer.js";
import { decideOwned } from "./ownership-decision.js";
import type { GroupOutput } from "./resource-groups.js";

export interface NatGatewayOutput {
  readonly id: string;
}

/** Adds a missing address again. Addresses of others stay, because connections may use them. */
export function natGateway(
  azure: Azure,
  spec: InfraSpec,
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
    names: [name],
    // Azure refuses an address that is still being created, so its step must be complete.
    needs: { group, address },
    read: async ({ group: { name: groupName } }) => found((await azure.network()).natGateways.get(groupName, name)),
    wanted: (up) => wanted(up.address),
    decide: (live, up) =>
      decideOwned(live, { row, name, owner: spec.cluster, location: spec.location }, (gateway) =>
        hasAddress(gateway, up.address)
          ? []
          : [{ path: "publicIpAddresses", from: gateway.publicIpAddresses?.map(({ id }) => id), to: up.address.id }],
      ),
    async apply(live, up): Promise<NatGateway> {
      const { natGateways } = await azure.network();
      const addresses = live && !hasAddress(live, up.address) ? [...(live.publicIpAddresses ?? []), { id: up.address.id }] : undefined;
      const written = live ? { ...live, ...(addresses && { publicIpAddresses: addresses }) } : wanted(up.address);
      return finish(azure, pollInterval.network, (options) =>
        natGateways.beginCreateOrUpdate(up.group.name, name, written, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id) => ({ id }),
  });
}
