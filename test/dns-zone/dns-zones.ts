/** A public DNS zone of the emulator, and the commands for it. */
import { wellKnown } from "../../src/emulator/index.js";
import { createZoneFlags, zoneFlags } from "../../tools/demo-cluster.js";
import type { CliOptions, TestEmulator } from "../harness/test-emulator.js";

export type Flags = readonly string[];

export const name = `blue.${wellKnown.dnsZone}`;
export const home = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups`;
export const zoneIn = (group: string, zone: string) => `${home}/${group}/providers/Microsoft.Network/dnszones/${zone}`;
export const zoneId = zoneIn("blue-dns", name);
export const parentId = zoneIn(wellKnown.dnsGroup, wellKnown.dnsZone);
export const delegationId = `${parentId}/NS/blue`;
export const servers = ["com", "net", "org", "info"].map((suffix, index) => `ns${String(index + 1)}-01.azure-dns.${suffix}.`);

export const create = (azure: TestEmulator, flags: Flags = createZoneFlags, options?: CliOptions) =>
  azure.cli(["create", "dns-zone", ...flags, "--yes"], options);
export const show = (azure: TestEmulator, flags: Flags = createZoneFlags) => azure.cli(["show", "dns-zone", ...flags]);
export const verify = (azure: TestEmulator, flags: Flags) => azure.cli(["verify", "dns-zone", ...flags]);
export const credentials = (azure: TestEmulator): Flags => ["--external-dns-credentials-file", azure.path("azure.json")];
export const destroy = (azure: TestEmulator, flags: Flags = []) =>
  azure.cli(["destroy", "dns-zone", ...zoneFlags, ...credentials(azure), "--yes", ...flags]);
export const principal = (azure: TestEmulator): Flags => [
  ...[...zoneFlags, "--external-dns-identity", "service-principal"],
  ...credentials(azure),
];

/** A record set, written by somebody in the portal. */
export async function addRecord(azure: TestEmulator, id: string, properties: object): Promise<void> {
  await azure.seed({ resources: { [id]: { properties } } });
}
