/** Looks up an existing public DNS zone in the resource group of a flag, or else in the subscription. */
import type { Zone } from "@azure/arm-dns";
import type { Azure } from "../azure/azure.js";
import { found } from "../azure/long-running.js";
import { orRefused } from "../azure/or-refused.js";
import { titleOf } from "../domain/resource-catalogue.js";
import { groupNameOf } from "../domain/resource-id.js";
import { resourceTypes } from "../domain/resource-types.js";
import { defineLookup, type Step } from "../engine/step.js";
import { advise, aroHcp, blank, type Advice } from "../errors/advice.js";
import { didYouMean } from "../text/did-you-mean.js";
import { plural } from "../text/plural.js";
import { sameText } from "../text/same-text.js";
import type { ZoneList } from "./listed-zones.js";
import { refuse } from "./ownership-decision.js";

export interface WantedZone {
  readonly name: string;
  /** The value of `--dns-zone-rg-name`. */
  readonly group: string | undefined;
  /** The one that gave the name. */
  readonly flag: "--base-domain" | "--regional-zone";
  /** Why it must exist. */
  readonly because: string;
}

export function existingZone<Output>(
  azure: Azure,
  wanted: WantedZone,
  listed: ZoneList,
  outputOf: (zone: Zone | undefined) => Output,
): Step<Output> {
  const { name, group } = wanted;
  const matching = (zones: readonly Zone[]) => zones.filter((zone) => sameText(zone.name, name) && zone.zoneType !== "Private");
  /** Listed only if the zone is not found: its name or its group may be mistyped. */
  let visible: readonly Zone[] = [];
  return defineLookup({
    id: resourceTypes.publicDnsZone.use.step,
    title: titleOf(resourceTypes.publicDnsZone, name),
    subject: { kind: "resource", type: resourceTypes.publicDnsZone.type, existing: true },
    needs: {},
    async read(): Promise<readonly Zone[] | undefined> {
      const zone = group === undefined ? undefined : await found((await azure.dns()).zones.get(group, name));
      if (zone !== undefined) return [zone];
      visible = (group === undefined ? await listed() : await orRefused(listed())) ?? [];
      const named = group === undefined ? matching(visible) : [];
      return named.length === 0 ? undefined : named;
    },
    decide(live = []) {
      if (live.length === 1) return { act: "use" };
      const where = group === undefined ? `subscription ${azure.connection.subscriptionId}` : `resource group "${group}"`;
      if (live.length === 0) {
        const { because } = wanted;
        const elsewhere = matching(visible);
        return refuse("ARO-DNS-001", `public DNS zone "${name}" not found in ${where}`, {
          because,
          next: elsewhere.length > 0 ? [passGroup(elsewhere)] : correctName(wanted, visible),
        });
      }
      return refuse("ARO-DNS-002", `${plural(live.length, "public DNS zone")} "${name}" found in ${where}`, {
        because: live.map((zone) => zone.id ?? "").join(", "),
        next: ["pass the resource group of the delegated zone as --dns-zone-rg-name"],
      });
    },
    output: ([zone]) => outputOf(zone),
  });
}

function passGroup(elsewhere: readonly Zone[]): Advice {
  const groups = elsewhere.map(({ id }) => `"${groupNameOf(id) ?? ""}"`);
  return `it is in ${groups.length === 1 ? "resource group" : "resource groups"} ${groups.join(" and ")}: correct --dns-zone-rg-name`;
}

function correctName({ name, group, flag }: WantedZone, visible: readonly Zone[]): Advice[] {
  const others = visible.filter(({ id }) => group === undefined || sameText(groupNameOf(id), group)).flatMap((zone) => zone.name ?? []);
  // A parent or child zone is not a misspelling.
  const spellings = others.filter((other) => !name.endsWith(`.${other}`) && !other.endsWith(`.${name}`));
  const create = aroHcp("create dns-zone", { baseDomain: name, dnsZoneRgName: group ?? blank("group") });
  return [`correct ${flag}${didYouMean(name, spellings)}`, advise`or create the zone, and its delegation from the parent: ${create}`];
}
