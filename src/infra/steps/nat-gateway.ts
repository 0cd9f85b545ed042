/** The NAT gateway for the egress of a cluster, with its own public IP addresses or existing prefixes. */
import type { NatGateway } from "@azure/arm-network";
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finish, found } from "../../azure/long-running.js";
import { byId, type Change, type Step } from "../../engine/step.js";
import { outboundNames } from "../../domain/egress.js";
import type { InfraNames } from "../../domain/names.js";
import { ownershipTags } from "../../domain/ownership.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { sameText } from "../../text/same-text.js";
import { ifUnchanged } from "../../steps/conditional-write.js";
import { defineInGroup } from "../../steps/in-group.js";
import type { PrefixOutput } from "./egress-outputs.js";
import { prefixesFault } from "./outbound-prefixes.js";
import type { InfraStepSpec } from "../../steps/lost-tags.js";
import type { OutboundSteps, PublicIpOutput } from "./load-balancer.js";
import { decideOwned } from "../../steps/ownership-decision.js";
import type { GroupOutput } from "../../steps/resource-groups.js";

export interface NatGatewayOutput {
  readonly id: string;
}

interface Sources {
  readonly publicIpAddresses: readonly { readonly id: string }[];
  readonly publicIpPrefixes: readonly { readonly id: string }[];
}

const kinds = ["publicIpAddresses", "publicIpPrefixes"] as const;

/** Adds missing addresses again. Addresses and prefixes of others stay, because connections may use them. */
export function natGateway(
  azure: Azure,
  spec: InfraStepSpec,
  names: InfraNames,
  group: Step<GroupOutput>,
  { addresses, prefixes }: OutboundSteps,
): Step<NatGatewayOutput> {
  const name = names.natGateway;
  const row = resourceTypes.natGateway;
  const needs: { readonly group: Step<GroupOutput> } & Readonly<Record<string, Step<unknown>>> = {
    group,
    ...byId([...addresses, ...prefixes]),
  };
  const idsIn = (outputs: Readonly<Record<string, unknown>>): Sources => {
    const idOf = (step: Step<unknown>) => ({ id: (outputs[step.id] as PublicIpOutput).id });
    return { publicIpAddresses: addresses.map(idOf), publicIpPrefixes: prefixes.map(idOf) };
  };
  const wanted = ({ publicIpAddresses, publicIpPrefixes }: Sources): NatGateway => ({
    location: spec.location,
    tags: ownershipTags(spec.cluster),
    sku: { name: "Standard" },
    idleTimeoutInMinutes: 4,
    ...(publicIpAddresses.length > 0 && { publicIpAddresses: [...publicIpAddresses] }),
    ...(publicIpPrefixes.length > 0 && { publicIpPrefixes: [...publicIpPrefixes] }),
  });
  const ownNames = outboundNames(names.natPublicIp);
  /** The gateway with the missing addresses, and without those of an earlier choice if this run makes one. */
  const merged = (live: NatGateway, sources: Sources) => {
    const listed = (kind: (typeof kinds)[number]) => {
      const has = live[kind] ?? [];
      const isWanted = (id = "") => sources[kind].some((one) => sameId(one.id, id));
      const isOwn = (id: string) => kind === "publicIpPrefixes" || ownNames.some((one) => sameText(one, parseResourceId(id).name));
      const isEarlier = (id = "") => spec.egress.isChosen && !isWanted(id) && isOwn(id);
      const kept = has.filter(({ id }) => !isEarlier(id));
      return [...kept, ...sources[kind].filter(({ id }) => !has.some((one) => sameId(one.id ?? "", id)))];
    };
    return { publicIpAddresses: listed("publicIpAddresses"), publicIpPrefixes: listed("publicIpPrefixes") };
  };
  const changes = (live: NatGateway, sources: Sources): Change[] => {
    const then = merged(live, sources);
    const idsOf = (list: readonly { readonly id?: string }[] = []) => list.map(({ id = "" }) => id);
    return kinds.flatMap((path) => {
      const [from, to] = [idsOf(live[path]), idsOf(then[path])];
      return from.length === to.length && to.every((id) => from.includes(id)) ? [] : [{ path, from, to }];
    });
  };
  return defineInGroup({
    row,
    lostTags: spec.lostTags,
    names: [name],
    // Azure refuses an address that is still being created, so its step must be complete.
    needs,
    read: async ({ group: { name: groupName } }) => found((await azure.network()).natGateways.get(groupName, name)),
    wanted: (outputs) => wanted(idsIn(outputs)),
    decide(live, outputs) {
      const wrong = prefixesFault(
        prefixes.map((step) => outputs[step.id] as PrefixOutput),
        spec.egress,
      );
      if (wrong !== undefined) return { act: "refuse", failure: wrong };
      return decideOwned(live, { row, name, owner: spec.cluster, location: spec.location }, (gateway) => changes(gateway, idsIn(outputs)));
    },
    async apply(live, outputs): Promise<NatGateway> {
      const { natGateways } = await azure.network();
      const sources = idsIn(outputs);
      const written = live ? { ...live, ...merged(live, sources) } : wanted(sources);
      return finish(azure, expectedDuration("PUT", row.type), (options) =>
        natGateways.beginCreateOrUpdate(outputs.group.name, name, written, ifUnchanged(live?.etag, options)),
      );
    },
    output: (id) => ({ id }),
  });
}
