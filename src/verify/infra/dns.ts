/** Checks of DNS: who answers the cluster's private names inside the network, and its public names outside. */
import { advise, joinAdvice, shell, type ShellCommand } from "../../errors/advice.js";
import type { Zone } from "@azure/arm-dns";
import type { VirtualNetworkLink } from "@azure/arm-privatedns";
import type { Step } from "../../engine/step.js";
import { sameId } from "../../domain/resource-id.js";
import { broken, holds } from "../check.js";
import { checkInstance, type CheckInstance } from "../check-instance.js";
import { zoneDelegated } from "../zone-delegation.js";
import { infraChecks } from "./checks.js";
import { idOf, liveOf, type InfraSnapshot } from "./snapshot.js";
import type { ResourceLinks } from "./resources.js";
import { liesIn, linkedZones, type LinkedZone } from "./linked-zones.js";

/** Azure admits one link of a network to zones of one name: before ours is missed, it must be known that none is in its way. */
export function zoneOverlap(
  snapshot: InfraSnapshot,
  link: Step<unknown>,
  zone: ResourceLinks,
  vnet: ResourceLinks,
): CheckInstance<readonly LinkedZone[]> {
  return checkInstance(infraChecks["zone-overlap"], zone.subject, { vnet: vnet.exists }, async ({ vnet: network }) => {
    const linked = await linkedZones(snapshot, idOf(network) ?? "", link.resourceId ?? "");
    const { privateZone } = snapshot.names;
    const rivals = linked.filter(({ name, ours }) => !ours && liesIn(name, privateZone));
    if (rivals.length === 0) return holds(`${String(linked.length)} zones of the cluster's domain are linked to the network`, linked);
    return {
      holds: false,
      evidence: `${rivals.map(({ link: rival }) => rival.id ?? "").join(", ")} leads to the network, too: Azure admits one link to zones of one name, and a longer name hides the cluster's`,
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
    const hiding = linked.filter(({ name }) => !liesIn(name, names.privateZone) && (liesIn(domain, name) || liesIn(name, domain)));
    if (hiding.length === 0) return holds(`no private zone at, above or below ${domain} is linked to the network`);
    return broken(
      `${hiding.map(({ name }) => name).join(", ")} is linked to the network: workers ask it for the names of ${domain}, and not the public zone`,
      advise`keep the public records in it, too, or unlink it: ${joinAdvice(hiding.map(unlink), ", ")}; a link with the resolution policy NxDomainRedirect is harmless`,
    );
  });
}

function unlink({ link: { id = "" } }: LinkedZone): ShellCommand {
  return shell`az network private-dns link vnet delete --ids ${id} --yes`;
}

/** What the link must be, before it is compared as a whole. */
export function linkChecks(snapshot: InfraSnapshot, link: ResourceLinks, vnet: ResourceLinks): Readonly<Record<string, CheckInstance>> {
  const leads = checkInstance(infraChecks["zone-link-network"], link.subject, { link: link.sound, vnet: vnet.exists }, (up) => {
    const { id = "", virtualNetwork } = liveOf<VirtualNetworkLink>(up.link);
    const wanted = idOf(up.vnet) ?? "";
    if (sameId(virtualNetwork?.id ?? "", wanted)) return holds(wanted);
    return broken(
      `it leads to ${virtualNetwork?.id ?? "nothing"}, not to ${wanted}, and a link cannot be pointed elsewhere`,
      advise`${shell`az network private-dns link vnet delete --ids ${id} --yes`}, then ${snapshot.create} recreates it`,
    );
  });
  const registers = checkInstance(infraChecks["zone-link-registration"], link.subject, { link: link.sound }, (up) => {
    const { registrationEnabled } = liveOf<VirtualNetworkLink>(up.link);
    if (registrationEnabled !== true) return holds("registration is off");
    return broken(
      "registrationEnabled: true, not false: Azure writes every machine of the network into the zone",
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
