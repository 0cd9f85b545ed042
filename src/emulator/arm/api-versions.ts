/** The api-versions that Azure has released, by provider, and the ranges of them that types and endpoints answer. */

import type { ApiRequest } from "../core/service.js";

/** The part of a provider's released versions in which the emulated shape holds. */
interface VersionRange {
  readonly from: string;
  /** The newest; if absent, the newest that is released. */
  readonly to?: string;
  /** A preview is answered only if it is named: its shape may differ from its neighbors'. */
  readonly preview?: readonly string[];
}

/**
 * Months and days by year. Azure refuses every other date, so a client that invents one fails here as it does there. They are those of
 * Azure's published descriptions, and those that recorded clients were answered.
 */
const released = {
  "Microsoft.Compute": {
    2021: "07-01 11-01",
    2022: "03-01 08-01 11-01",
    2023: "03-01 07-01 09-01",
    2024: "03-01 07-01 11-01",
    2025: "04-01",
  },
  "Microsoft.Compute/disks": { 2022: "03-02 07-02", 2023: "01-02 04-02 10-02", 2024: "03-02", 2025: "01-02" },
  "Microsoft.Compute/skus": { 2017: "03-30 09-01", 2019: "04-01", 2021: "07-01" },
  "Microsoft.ContainerRegistry": { 2019: "05-01", 2021: "09-01", 2022: "12-01", 2023: "07-01", 2025: "04-01 11-01" },
  "Microsoft.ContainerService": {
    2020: "01-01 02-01 03-01 04-01 06-01 07-01 09-01 11-01 12-01",
    2021: "02-01 03-01 05-01 07-01 08-01 09-01 10-01",
    2022: "01-01 02-01 03-01 04-01 06-01 07-01 08-01 09-01 11-01",
    2023: "01-01 02-01 03-01 04-01 05-01 06-01 07-01 08-01 09-01 10-01 11-01",
    2024: "01-01 02-01 05-01 07-01 08-01 09-01 10-01",
    2025: "01-01 02-01 03-01 04-01 05-01 07-01 08-01 09-01 10-01",
    2026: "01-01 02-01 03-01 04-01 05-01",
  },
  "Microsoft.KeyVault": {
    2015: "06-01",
    2016: "10-01",
    2018: "02-14",
    2019: "09-01",
    2021: "10-01",
    2022: "07-01 11-01",
    2023: "02-01 07-01",
    2024: "11-01",
    2025: "05-01",
    2026: "02-01",
  },
  "Microsoft.Kubernetes": { 2021: "03-01 10-01", 2024: "01-01" },
  "Microsoft.KubernetesConfiguration/extensions": { 2022: "03-01 07-01 11-01", 2023: "05-01", 2024: "11-01" },
  "Microsoft.ManagedIdentity": { 2018: "11-30", 2023: "01-31", 2024: "11-30" },
  "Microsoft.Network": {
    2018: "01-01 02-01 03-01 04-01 05-01 06-01 07-01 08-01 10-01 11-01 12-01",
    2019: "02-01 04-01 06-01 07-01 08-01 09-01 11-01 12-01",
    2020: "01-01 03-01 04-01 05-01 06-01 07-01 08-01 11-01",
    2021: "01-01 02-01 03-01 04-01 05-01 06-01 08-01 12-01",
    2022: "01-01 05-01 07-01 09-01 11-01",
    2023: "02-01 04-01 05-01 06-01 09-01 11-01",
    2024: "01-01 03-01 05-01 07-01 10-01",
    2025: "01-01 03-01 05-01",
  },
  "Microsoft.Network/dnsZones": { 2016: "04-01", 2017: "09-01 10-01", 2018: "05-01" },
  "Microsoft.Network/privateDnsZones": { 2018: "09-01", 2020: "01-01 06-01", 2024: "06-01" },
  "Microsoft.RedHatOpenShift": { 2020: "04-30", 2022: "04-01 09-04", 2023: "04-01 09-04 11-22", 2025: "07-25" },
  /** Resource Manager itself: groups, subscriptions, providers, tags, generic resources. */
  "Microsoft.Resources": {
    2015: "01-01 11-01",
    2016: "02-01 06-01 07-01 09-01",
    2017: "03-01 05-01 05-10 06-01 08-01 12-01",
    2018: "01-01 02-01 05-01 06-01 07-01 08-01 09-01 11-01",
    2019: "03-01 05-01 05-10 06-01 07-01 08-01 09-01 10-01 11-01",
    2020: "01-01 05-01 06-01 07-01 08-01 09-01 10-01",
    2021: "01-01 04-01",
    2022: "01-01 05-01 06-01 09-01 12-01",
    2023: "07-01",
    2024: "03-01 07-01 08-01 11-01",
    2025: "03-01 04-01",
  },
  "Microsoft.Storage": {
    2018: "02-01 07-01 11-01",
    2019: "04-01 06-01",
    2021: "01-01 02-01 04-01 05-01 06-01 08-01 09-01",
    2022: "05-01 09-01",
    2023: "01-01 04-01 05-01",
    2024: "01-01",
    2025: "01-01 06-01 08-01",
  },
} satisfies Record<string, Readonly<Record<number, string>>>;

/** The released versions of a range, newest first, as Azure lists them. */
export function versionsOf(provider: keyof typeof released, { from, to, preview = [] }: VersionRange): readonly string[] {
  const stable = Object.entries(released[provider]).flatMap(([year, days]) => days.split(" ").map((day) => `${year}-${day}`));
  for (const end of [from, to]) {
    if (end !== undefined && !stable.includes(end)) throw new Error(`${provider} has no released api-version ${end}`);
  }
  return [...stable.filter((version) => version >= from && (to === undefined || version <= to)), ...preview].sort().reverse();
}

export function versionOf({ query }: Pick<ApiRequest, "query">): string {
  return query.get("api-version") ?? "";
}
