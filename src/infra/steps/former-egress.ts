/** Removes what an earlier choice of egress left: a NAT gateway and public IP addresses that nothing uses. */
import type { Azure } from "../../azure/azure.js";
import { expectedDuration } from "../../azure/expected-durations.js";
import { finish, found } from "../../azure/long-running.js";
import { all } from "../../azure/pages.js";
import { outboundNames } from "../../domain/egress.js";
import type { InfraSpec } from "../../domain/infra-spec.js";
import type { InfraNames } from "../../domain/names.js";
import { ownedBy, type Owner } from "../../domain/ownership.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { sameId } from "../../domain/resource-id.js";
import { resourceTypes } from "../../domain/resource-types.js";
import type { Tags } from "../../domain/tags.js";
import { byId, defineStep, type Step } from "../../engine/step.js";
import { Stale } from "../../errors/stale.js";
import { sameText } from "../../text/same-text.js";
import type { GroupOutput } from "../../steps/resource-groups.js";

interface Found {
  readonly natGateways: readonly string[];
  readonly addresses: readonly string[];
}

interface Listed {
  readonly id?: string;
  readonly name?: string;
  readonly tags?: Tags;
}

const { natGateway, publicIpAddress } = resourceTypes;

/** `wanted`: the steps of the resources that stay. `users`: the steps after which nothing refers to the others. */
export function formerEgress(
  azure: Azure,
  { cluster }: Pick<InfraSpec, "cluster">,
  names: InfraNames,
  group: Step<GroupOutput>,
  { wanted, users }: { readonly wanted: readonly Step<unknown>[]; readonly users: readonly Step<unknown>[] },
): Step<unknown> {
  const ids = wanted.flatMap(({ resourceId }) => resourceId ?? []);
  const addressNames = [...outboundNames(names.publicIp), ...outboundNames(names.natPublicIp)];
  const isFormer = ({ id = "", name, tags }: Listed, own: readonly string[]) =>
    isOwn(tags, cluster) && own.some((one) => sameText(one, name)) && !ids.some((one) => sameId(one, id));
  const needs: { readonly group: Step<GroupOutput> } & Readonly<Record<string, Step<unknown>>> = {
    group,
    ...byId(users),
  };
  const read = async (groupName: string): Promise<Found> => {
    const { natGateways, publicIPAddresses } = await azure.network();
    const [gateways = [], addresses = []] = await Promise.all([
      found(all(natGateways.list(groupName))),
      found(all(publicIPAddresses.list(groupName))),
    ]);
    const namesOf = (listed: readonly Listed[], own: readonly string[]) =>
      listed.flatMap((one) => (isFormer(one, own) ? [one.name ?? ""] : []));
    return { natGateways: namesOf(gateways, [names.natGateway]), addresses: namesOf(addresses, addressNames) };
  };
  return defineStep({
    id: "former-egress",
    title: "resources of an earlier egress",
    subject: { kind: "former-resources" },
    needs,
    preview: () => ({ act: "keep" }),
    read: ({ group: { name } }) => read(name),
    decide(live) {
      const titles = titlesOf(live);
      if (titles.length === 0) return { act: "keep" };
      return {
        act: "remove",
        why: `nothing uses them any more: ${titles.join(", ")}`,
        changes: titles.map((path) => ({ path, from: "exists", to: undefined })),
      };
    },
    async apply(live, { group: { name: groupName } }): Promise<Found> {
      const network = await azure.network();
      // The NAT gateway first: Azure refuses to delete its addresses before.
      for (const name of live?.natGateways ?? []) {
        await found(
          finish(azure, expectedDuration("DELETE", natGateway.type), (options) =>
            network.natGateways.beginDelete(groupName, name, options),
          ),
        );
      }
      for (const name of live?.addresses ?? []) {
        const expected = expectedDuration("DELETE", publicIpAddress.type);
        await found(finish(azure, expected, (options) => network.publicIPAddresses.beginDelete(groupName, name, options)));
      }
      // Azure may report a deletion that it did not do. Later runs look only if they choose the egress again.
      const left = await read(groupName);
      if (titlesOf(left).length > 0) throw new Stale(`after its deletion, Azure still has ${titlesOf(left).join(", ")}`);
      return left;
    },
    output: () => undefined,
  });
}

function titlesOf({ natGateways, addresses }: Found = { natGateways: [], addresses: [] }): string[] {
  return [...natGateways.map((name) => titleOf(natGateway, name)), ...addresses.map((name) => titleOf(publicIpAddress, name))];
}

function isOwn(tags: Tags, owner: Owner): boolean {
  return ownedBy(tags, owner) === "ours";
}
