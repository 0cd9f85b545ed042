/** Checks of DNS: which zones resolve the cluster's private names inside the network, and its public names outside. */
import { advise, joinAdvice, shell, type ShellCommand } from "../../errors/advice.js";
import type { Zone } from "@azure/arm-dns";
import type { VirtualNetworkLink } from "@azure/arm-privatedns";
import type { Step } from "../../engine/step.js";
import { sameId, parseResourceId } from "../../domain/resource-id.js";
import { plural } from "../../text/plural.js";
import { failed, passed } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { zoneDelegated } from "../../verify/zone-delegation.js";
import { infraChecks } from "./checks.js";
import { idOf, liveOf } from "../../verify/planned-step.js";
import type { InfraSnapshot } from "./snapshot.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { all } from "../../azure/pages.js";

/** A network can be linked to only one zone of a name, so this check precedes the one for our own link. */
export function zoneOverlap(
  snapshot: InfraSnapshot,
  link: Step<unknown>,
  zone: ResourceLinks,
  vnet: ResourceLinks,
): CheckInstance<readonly LinkedZone[]> {
  return checkInstance(infraChecks["zone-overlap"], zone.subject, { vnet: vnet.exists }, async ({ vnet: network }) => {
    const linked = await linkedZones(snapshot, idOf(network) ?? "", link.resourceId ?? "");
    const { privateZone } = snapshot.names;
    const rivals = linked.filter(({ name, ours }) => !ours && isInDomain(name, privateZone));
    if (rivals.length === 0) return passed(`${plural(linked.length, "linked zone")} of the cluster's domain`, linked);
    return {
      passed: false,
      evidence: `${rivals.map(({ link: rival }) => rival.id ?? "").join(", ")} also links to the network: Azure allows one link per zone name, and a longer name hides the cluster's zone`,
      next: advise`delete it, if no other cluster needs it: ${joinAdvice(rivals.map(unlink), ", ")}; then ${snapshot.create} creates what is missing`,
    };
  });
}

export function publicNamesHidden(
  snapshot: InfraSnapshot,
  zone: ResourceLinks,
  overlapping: CheckInstance<readonly LinkedZone[]>,
): CheckInstance<undefined> {
  return checkInstance(infraChecks["public-names-hidden"], zone.subject, { overlapping }, ({ overlapping: linked }) => {
    const { spec, names } = snapshot;
    const domain = `${spec.cluster.name}.${spec.baseDomain}`;
    const hiding = linked.filter(
      ({ name }) => !isInDomain(name, names.privateZone) && (isInDomain(domain, name) || isInDomain(name, domain)),
    );
    if (hiding.length === 0) return passed(`no private zone at, above or below ${domain} is linked to the network`);
    return failed(
      `${hiding.map(({ name }) => name).join(", ")} is linked to the network, so workers resolve the names of ${domain} there, not in the public zone`,
      advise`add the public records to it, or unlink it: ${joinAdvice(hiding.map(unlink), ", ")}; a link with the resolution policy NxDomainRedirect is harmless`,
    );
  });
}

function unlink({ link: { id = "" } }: LinkedZone): ShellCommand {
  return shell`az network private-dns link vnet delete --ids ${id} --yes`;
}

/** Checks of the link's properties, before the general comparison. */
export function linkChecks(snapshot: InfraSnapshot, link: ResourceLinks, vnet: ResourceLinks): Readonly<Record<string, CheckInstance>> {
  const leads = checkInstance(infraChecks["zone-link-network"], link.subject, { link: link.sound, vnet: vnet.exists }, (outputs) => {
    const { id = "", virtualNetwork } = liveOf<VirtualNetworkLink>(outputs.link);
    const wanted = idOf(outputs.vnet) ?? "";
    if (sameId(virtualNetwork?.id ?? "", wanted)) return passed(wanted);
    return failed(
      `it links to ${virtualNetwork?.id ?? "no network"}, not to ${wanted}, and the network of a link cannot be changed`,
      advise`${shell`az network private-dns link vnet delete --ids ${id} --yes`}, then ${snapshot.create} recreates it`,
    );
  });
  const registers = checkInstance(infraChecks["zone-link-registration"], link.subject, { link: link.sound }, (outputs) => {
    const { registrationEnabled } = liveOf<VirtualNetworkLink>(outputs.link);
    if (registrationEnabled !== true) return passed("registration is off");
    return failed(
      "registrationEnabled: true, not false; Azure registers every virtual machine of the network in the zone",
      advise`${snapshot.create} fixes it`,
    );
  });
  return { leads, registers };
}

export function publicZoneDelegated(snapshot: InfraSnapshot, zone: ResourceLinks): CheckInstance<undefined> {
  return checkInstance(infraChecks["public-zone-delegated"], zone.subject, { zone: zone.exists }, ({ zone: planned }) =>
    zoneDelegated(snapshot.azure, snapshot.spec.baseDomain, liveOf<readonly Zone[]>(planned)),
  );
}

/** The private zones that could resolve the cluster's names inside its network. */
interface LinkedZone {
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
async function linkedZones({ azure, names, spec }: InfraSnapshot, networkId: string, ourLink: string): Promise<LinkedZone[]> {
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
function isInDomain(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
