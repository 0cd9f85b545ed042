/** The api-versions that Azure has released, by provider, and the ranges of them that types and endpoints answer. */

import type { ApiRequest, Call } from "../core/service.js";

/** The part of a provider's released versions in which the emulated shape holds. */
interface VersionRange {
  readonly from: string;
  /** Previews whose own shape is emulated. */
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

/** Released previews that clients send, and whose own shape is not emulated. */
const previews: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  "Microsoft.Authorization": {
    2018: "01-01 05-01 07-01 09-01",
    2019: "08-01",
    2020: "03-01 04-01 07-01 08-01 10-01",
    2021: "01-01 03-01 04-01 07-01 12-01",
    2022: "04-01 05-01 07-01 08-01",
  },
  "Microsoft.ContainerService": {
    2022: "01-02 02-02 03-02 04-02 05-02 06-02 07-02 08-02 08-03 09-02 10-02 11-02",
    2023: "01-02 02-02 03-02 04-02 05-02 06-02 07-02 08-02 09-02 10-02 11-02",
    2024: "01-02 02-02 03-02 04-02 05-02 06-02 07-02 09-02 10-02",
    2025: "01-02 02-02 03-02 04-02 05-02 06-02 07-02 08-02 09-02 10-02",
    2026: "01-02 02-02 03-02 04-02",
  },
  "Microsoft.KeyVault": { 2018: "02-14", 2020: "04-01", 2021: "04-01 06-01 11-01", 2022: "02-01", 2023: "08-01", 2024: "04-01 12-01" },
  "Microsoft.Kubernetes": { 2020: "01-01", 2021: "04-01", 2022: "05-01 10-01", 2023: "11-01", 2024: "02-01 06-01 07-01 07-15 12-01" },
  "Microsoft.KubernetesConfiguration/extensions": { 2020: "07-01", 2021: "05-01 11-01", 2022: "01-01 04-02" },
  "Microsoft.ManagedIdentity": { 2015: "08-31", 2021: "09-30", 2022: "01-31", 2023: "07-31", 2025: "01-31 05-31" },
  "Microsoft.RedHatOpenShift": { 2023: "07-01", 2024: "06-10 08-12" },
};

const datesIn = (byYear: Readonly<Record<number, string>>): string[] =>
  Object.entries(byYear).flatMap(([year, days]) => days.split(" ").map((day) => `${year}-${day}`));

/** The released versions of a range, newest first, as Azure lists them. */
export function versionsOf(provider: keyof typeof released, { from, preview = [] }: VersionRange): readonly string[] {
  const stable = datesIn(released[provider]);
  if (!stable.includes(from)) throw new Error(`${provider} has no released api-version ${from}`);
  return [...stable.filter((version) => version >= from), ...preview].sort().reverse();
}

/**
 * The version, of those that a type or an endpoint knows (newest first), whose shape answers the one that was sent. One that is newer than all
 * of them is answered as the newest: clients are newer than this list. A released preview is answered as the version before it. Undefined for
 * any other, which Azure would refuse.
 */
export function answeredVersion(type: string, known: readonly string[], sent: string): string | undefined {
  const [newest] = known;
  if (newest === undefined || known.includes(sent)) return sent;
  if (!isVersion(sent)) return undefined;
  if (sent > newest) return newest;
  const isReleased = Object.entries(previews).some(
    ([released, byYear]) => type.startsWith(released) && datesIn(byYear).some((date) => sent === `${date}-preview`),
  );
  return isReleased ? known.find((version) => version < sent) : undefined;
}

/** Whether the version of a request is answered; one that is answered in the shape of another is noted. */
export function acceptsVersion(call: Pick<Call, "request" | "noteVersion">, type: string, known: readonly string[]): boolean {
  const version = versionOf(call.request);
  const answeredAs = answeredVersion(type, known, version);
  if (answeredAs !== undefined && answeredAs !== version) call.noteVersion?.({ type, version, answeredAs });
  return answeredAs !== undefined;
}

/** A date of the calendar, and perhaps the word for a preview. */
function isVersion(text: string): boolean {
  const [, date] = /^(\d{4}-\d\d-\d\d)(?:-(?:private)?preview)?$/i.exec(text) ?? [];
  const time = Date.parse(`${date ?? ""}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === date;
}

export function versionOf({ query }: Pick<ApiRequest, "query">): string {
  return query.get("api-version") ?? "";
}
