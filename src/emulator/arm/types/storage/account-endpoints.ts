/** The endpoints of a storage account: those of its kind, of its second copy, and of its routes. */
import type { StoredResource } from "../../../state/state.js";
import { pairOf } from "../../regions.js";

const servicesOf: Readonly<Record<string, readonly string[]>> = {
  StorageV2: ["blob", "dfs", "file", "queue", "table", "web"],
  BlobStorage: ["blob", "dfs", "table"],
  Storage: ["blob", "file", "queue", "table"],
  BlockBlobStorage: ["blob", "dfs", "web"],
  FileStorage: ["file"],
};

/** Premium accounts of the general kind have page blobs only. */
const premiumServices = ["blob", "web"];
const routedServices = ["blob", "dfs", "file", "web"];

/** The zone of static websites in each region, `https://<account>.<zone>.web.core.windows.net`: of recorded accounts, and of published examples. */
const webZones: Readonly<Record<string, string>> = {
  australiaeast: "z8",
  australiasoutheast: "z26",
  brazilsouth: "z15",
  canadacentral: "z9",
  canadaeast: "z27",
  centralindia: "z29",
  centralus: "z19",
  eastasia: "z7",
  eastus: "z13",
  eastus2: "z20",
  francecentral: "z28",
  japaneast: "z11",
  japanwest: "z31",
  koreacentral: "z12",
  northcentralus: "z14",
  northeurope: "z16",
  southcentralus: "z21",
  southeastasia: "z23",
  southindia: "z30",
  uksouth: "z33",
  ukwest: "z35",
  westcentralus: "z4",
  westeurope: "z6",
  westus: "z22",
  westus2: "z5",
};

type Route = "microsoft" | "internet";

/** The members of an account that say where it is. */
export function endpointsOf({ name, properties, sku, beside }: StoredResource): Record<string, unknown> {
  const location = String(properties["primaryLocation"]);
  const kind = String(beside?.["kind"]);
  const edge = (beside?.["extendedLocation"] as { readonly name: string } | undefined)?.name;
  const skuName = String(sku?.["name"]);
  const services = (kind === "StorageV2" && skuName.startsWith("Premium") ? premiumServices : servicesOf[kind]) ?? [];
  const of = (host: string, some: readonly string[]) =>
    Object.fromEntries(some.map((service) => [service, `https://${host}.${domainOf(service, location, edge)}/`]));
  const all = (copy: "" | "-secondary", some: readonly string[]) => ({
    ...of(`${name}${copy}`, some),
    ...(publishes(properties, "microsoft") && { microsoftEndpoints: of(`${name}-microsoftrouting${copy}`, some) }),
    ...(publishes(properties, "internet") && {
      internetEndpoints: of(
        `${name}-internetrouting${copy}`,
        some.filter((one) => routedServices.includes(one)),
      ),
    }),
  });
  const pair = pairOf(location);
  if (!/_(RA)?GZ?RS$/.test(skuName) || pair === undefined) return { primaryEndpoints: all("", services) };
  // Files have no second copy that can be read.
  const read = services.filter((one) => one !== "file");
  return {
    primaryEndpoints: all("", services),
    secondaryLocation: pair,
    statusOfSecondary: "available",
    ...(skuName.includes("_RA") && { secondaryEndpoints: all("-secondary", read) }),
  };
}

function domainOf(service: string, location: string, edge: string | undefined): string {
  if (edge !== undefined) return `${service}.${edge}.edgestorage.azure.net`;
  return `${service === "web" ? `${webZones[location] ?? "z1"}.web` : service}.core.windows.net`;
}

function publishes({ routingPreference }: Readonly<Record<string, unknown>>, route: Route): boolean {
  const { publishMicrosoftEndpoints, publishInternetEndpoints } = (routingPreference ?? {}) as Record<string, unknown>;
  return (route === "microsoft" ? publishMicrosoftEndpoints : publishInternetEndpoints) === true;
}
