/** Sampled durations against what public recordings of Azure show. */
import { expect, test } from "vitest";
import { groupDeletionSeconds } from "../../src/emulator/arm/resource-groups.js";
import { emulatedTypes } from "../../src/emulator/arm/types/index.js";
import { durationSampler } from "../../src/emulator/state/sampling.js";

const seeds = Array.from({ length: 1000 }, (_, seed) => seed);

/** The durations of 1000 states, the shortest first. */
function sampled(take: (sample: (key: string) => number) => number): number[] {
  return seeds.map((seed) => take(durationSampler(seed, "recorded", "PUT /a"))).sort((a, b) => a - b);
}

const share = (durations: readonly number[], holds: (seconds: number) => boolean) => durations.filter(holds).length / durations.length;

/** Of the durations, at least `least` and at most `most` of them, are at most `within` seconds; none is shorter than `from`. */
interface Recorded {
  readonly key: string;
  readonly from?: number;
  readonly within: number;
  readonly least: number;
  readonly most?: number;
}

test.each<Recorded>([
  { key: "keyVault.put", from: 9, within: 23, least: 1 },
  { key: "keyVault.put", within: 18, least: 0.5, most: 0.95 },
  { key: "vnetLink.put", within: 30, least: 29 / 47 - 0.08, most: 29 / 47 + 0.08 },
  { key: "vnetLink.put", from: 3, within: 62, least: 1 },
  { key: "vnetLink.delete", within: 30, least: 6 / 8 - 0.08, most: 6 / 8 + 0.08 },
  { key: "vnetLink.delete", within: 60, least: 1 },
  { key: "privateDnsZone.put", within: 36, least: 0.88, most: 0.99 },
  { key: "privateDnsZone.put", within: 124, least: 1 },
  { key: "privateDnsZone.put", within: 30, least: 0.87 },
  { key: "privateDnsZone.delete", within: 31, least: 1 },
  { key: "loadBalancer.put", from: 0.3, within: 0.7, least: 0.85 },
  { key: "nic.put", from: 0.3, within: 0.7, least: 0.85 },
  { key: "vnet.put", within: 5, least: 0.95 },
  { key: "subnet.put", within: 5, least: 0.95 },
  { key: "storage.put", within: 23, least: 0.6, most: 0.85 },
  { key: "storage.put", within: 41, least: 0.95 },
  { key: "identity.delete", from: 5, within: 13, least: 0.9 },
  { key: "fic.put", from: 1.4, within: 2.3, least: 1 },
  { key: "aks.create", within: 303, least: 0.47, most: 0.53 },
  { key: "aks.create", within: 1357, least: 1 },
  { key: "aks.stop", from: 83, within: 124, least: 1 },
  { key: "aks.start", from: 170, within: 357, least: 1 },
  { key: "agentPool.update", within: 7.7, least: 0.47, most: 0.53 },
  { key: "agentPool.update", within: 206, least: 0.88, most: 0.92 },
  { key: "agentPool.delete", within: 33, least: 0.5 },
  { key: "agentPool.delete", within: 67, least: 1 },
  { key: "arc.put", within: 7, least: 0.47, most: 0.53 },
])("$key takes at most $within s as often as recorded", ({ key, from = 0, within, least, most = 1 }) => {
  const durations = sampled((sample) => sample(key));
  expect(durations[0]).toBeGreaterThanOrEqual(from);
  expect(share(durations, (seconds) => seconds <= within)).toBeGreaterThanOrEqual(least);
  expect(share(durations, (seconds) => seconds <= within)).toBeLessThanOrEqual(most);
});

const contents = {
  storage: "Microsoft.Storage/storageAccounts",
  network: "Microsoft.Network/virtualNetworks",
  vault: "Microsoft.KeyVault/vaults",
  identity: "Microsoft.ManagedIdentity/userAssignedIdentities",
  address: "Microsoft.Network/publicIPAddresses",
  zone: "Microsoft.Network/privateDnsZones",
} as const;

test.each<{ readonly of: readonly (keyof typeof contents)[]; readonly from: number; readonly to: number }>([
  { of: [], from: 0, to: 16 },
  { of: ["storage"], from: 47, to: 63 },
  { of: ["network"], from: 46, to: 75 },
  { of: ["vault"], from: 31, to: 64 },
  { of: ["identity"], from: 61, to: 76 },
  { of: ["address"], from: 46, to: 75 },
  { of: ["identity", "vault"], from: 62, to: 80 },
  { of: ["zone", "network"], from: 121, to: 136 },
])("half of the deletions of a group with $of take at most $from to $to s", ({ of, from, to }) => {
  const latencies = of.map((kind) => emulatedTypes.named(contents[kind])?.latency ?? expect.fail(kind));
  const median = sampled((sample) => groupDeletionSeconds(latencies, sample))[seeds.length / 2];
  expect(median).toBeGreaterThanOrEqual(from);
  expect(median).toBeLessThanOrEqual(to);
});
