/** The zone of static websites in each region: `https://<account>.<zone>.web.core.windows.net`. */

/** Of recorded accounts, and of published examples. */
const zones: Readonly<Record<string, string>> = {
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

export function webZoneOf(location: string): string {
  return zones[location] ?? "z1";
}
