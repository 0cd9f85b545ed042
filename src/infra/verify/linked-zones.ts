/** The private zones that could resolve the cluster's names inside its network. */
import type { VirtualNetworkLink } from "@azure/arm-privatedns";
import { all } from "../../azure/pages.js";
import { parseResourceId, sameId } from "../../domain/resource-id.js";
import type { InfraSnapshot } from "./snapshot.js";

export interface LinkedZone {
  /** The zone's name, in lower case. */
  readonly name: string;
  readonly link: VirtualNetworkLink;
  /** Whether it is the link that create infra makes. */
  readonly ours: boolean;
}

/**
 * The zones linked to the network whose name is the private zone or the cluster's public domain, or a parent or child of them.
 * Only the links of these are listed, because a network can be linked to a thousand zones.
 */
export async function linkedZones({ azure, names, spec }: InfraSnapshot, networkId: string, ourLink: string): Promise<LinkedZone[]> {
  const { privateZones, virtualNetworkLinks } = await azure.privateDns();
  const domains = [names.privateZone, `${spec.cluster.name}.${spec.baseDomain}`];
  const related = (name: string) => domains.some((domain) => isInDomain(domain, name) || isInDomain(name, domain));
  const zones = (await all(privateZones.list())).filter(({ name }) => name !== undefined && related(name.toLowerCase()));
  const lists = zones.map(async ({ id = "", name = "" }): Promise<LinkedZone[]> => {
    const links = await all(virtualNetworkLinks.list(parseResourceId(id).resourceGroup ?? "", name));
    return links
      .filter(({ virtualNetwork }) => sameId(virtualNetwork?.id ?? "", networkId))
      .map((link) => ({
        name: name.toLowerCase(),
        link,
        ours: sameId(link.id ?? "", ourLink),
      }));
  });
  return (await Promise.all(lists)).flat();
}

/** Whether a name is that of the zone, or in it. */
export function isInDomain(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
