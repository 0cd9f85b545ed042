/** Samples durations and IDs from the seed of the state, the same ones for the same requests. */
import { createHash } from "node:crypto";
import type { AzureState } from "./state.js";

export type Latency = "none" | "recorded";

/**
 * Samples the durations of one request, in seconds; 0 if latency is "none". They depend on the seed and the request, not on the
 * number of earlier samples: parallel requests that arrive in another order take as long as before.
 */
export function durationSampler(seed: number, latency: Latency, request: string): (key: string) => number {
  let nth = 0;
  return (key) => {
    const spread = latencyProfile[key];
    if (spread === undefined) throw new Error(`the latency profile has no "${key}"`);
    if (latency === "none") return 0;
    return quantile(spread, fraction(`${seed} ${key} ${request} ${nth++}`));
  };
}

/** A version-4 UUID; counts up `samples`. */
export function sampleUuid(state: AzureState): string {
  const hex = createHash("sha256").update(`${state.seed} uuid ${state.samples++}`).digest("hex");
  const variant = "89ab".charAt(parseInt(hex.charAt(16), 16) % 4);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The duration at quantile `p`: straight lines through (0, min), (0.5, typical), (0.9, p90), (1, max). */
export function quantile([min, typical, p90, max]: Spread, p: number): number {
  if (p < 0.5) return min + (p / 0.5) * (typical - min);
  if (p < 0.9) return typical + ((p - 0.5) / 0.4) * (p90 - typical);
  return p90 + ((p - 0.9) / 0.1) * (max - p90);
}

/** From 0 up to, but not including, 1. */
function fraction(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0) / 2 ** 32;
}

/**
 * How long Azure takes, in seconds: min, typical, p90, max for each kind of call, fitted to public recordings of 2018 to 2026.
 *
 * A recording bounds a duration: it is longer than the last poll that found the operation running, and no longer than the first one that
 * found it ended. Comments give these bounds, and in parentheses how many recordings show them.
 *
 * Estimates: `read`, `token`, secrets, deletions in vaults, public DNS, machines, disks, and where a comment says so.
 */
export type Spread = readonly [min: number, typical: number, p90: number, max: number];

export const latencyProfile: Readonly<Record<string, Spread>> = {
  read: [0.03, 0.08, 0.15, 0.4],
  token: [0.1, 0.2, 0.4, 1],
  // 0.2 to 4.4 (11).
  "resourceGroup.put": [0.2, 2, 4, 5],
  // Deletion of a group: the base, and the longest chain of what its contents add. Half of the recorded deletions of an empty group took
  // 0 to 16 (34).
  "resourceGroup.delete.base": [2, 10, 15, 16],
  // Half of the deletions: 61 to 76 (45); with a vault 62 to 80 (135).
  "resourceGroup.delete.add.identity": [48, 57, 62, 66],
  // 31 to 64 (105).
  "resourceGroup.delete.add.keyVault": [25, 38, 48, 54],
  // 47 to 63 (105).
  "resourceGroup.delete.add.storageAccount": [38, 45, 50, 54],
  // 46 to 75 (115).
  "resourceGroup.delete.add.vnet": [38, 50, 60, 66],
  // With a virtual network, which goes after the zone, 121 to 136 (175).
  "resourceGroup.delete.add.privateDns": [60, 68, 74, 80],
  // 46 to 75 (35).
  "resourceGroup.delete.add.publicIp": [38, 50, 60, 66],
  // Estimate: no recording has a load balancer without an address or a network.
  "resourceGroup.delete.add.loadBalancer": [20, 35, 45, 60],
  // Estimate, from the deletion of a cluster by itself.
  "resourceGroup.delete.add.aks": [200, 230, 300, 400],
  // A write of the network that has ended when it is answered: 0.34 to 0.67.
  "network.put": [0.34, 0.45, 0.6, 0.67],
  "nsg.put": [0.3, 1, 3, 14],
  "nsg.delete": [0.3, 1, 10, 11],
  // Ended at the first poll (70 of 70), nearly always within 5.
  "vnet.put": [0.5, 2, 4, 5.5],
  "vnet.delete": [0.5, 2, 10, 12],
  // Ended at the first poll (33 of 33), nearly always within 5.
  "subnet.put": [0.3, 1, 3.5, 5.5],
  "subnet.delete": [0.5, 1, 10, 12],
  "publicIp.put": [0.5, 1, 3, 25],
  "publicIp.delete": [8, 12, 25, 100],
  // Mostly ended with the first answer, which took 0.34 to 0.67 (9 of 10).
  "loadBalancer.put": [0.3, 0.5, 0.7, 4],
  "loadBalancer.delete": [0.5, 5, 11, 60],
  "natGateway.put": [2, 8, 12, 15],
  "natGateway.delete": [2, 8, 12, 15],
  // Mostly ended with the first answer (46 of 46 creations).
  "nic.put": [0.3, 0.5, 0.7, 4],
  "nic.delete": [0.3, 1, 5, 30],
  // At most 30 (4), later than the first poll. The tails are estimates, and so is that a private link service takes as long.
  "privateEndpoint.put": [5, 20, 30, 60],
  "privateEndpoint.delete": [5, 15, 30, 60],
  "dnsZone.put": [0.5, 1, 3, 5],
  "dnsZone.delete": [0.5, 1, 3, 5],
  "recordSet.put": [0.2, 0.5, 1, 3],
  "recordSet.delete": [0.2, 0.5, 1, 3],
  "virtualMachine.delete": [20, 40, 70, 120],
  "disk.delete": [0.5, 1, 5, 10],
  // At most 36 (78), nearly always at most 31; one 113 to 124. Most clients polled first after 30, so the middle is an estimate.
  "privateDnsZone.put": [5, 20, 28, 120],
  // At most 31 (5 of 5).
  "privateDnsZone.delete": [5, 18, 26, 31],
  // More than 30 (18 of 47): 30 to 62 through az, 3 to 35 through another client.
  "vnetLink.put": [3, 19, 55, 62],
  // More than 30 (2 of 8): 31 to 41, and 30 to 60.
  "vnetLink.delete": [5, 18, 37, 50],
  // More than 23 (6 of 22), one 38 to 41.
  "storage.put": [14, 17, 28, 42],
  "storage.update": [0.5, 1, 2, 5],
  "container.put": [0.3, 1, 2, 3],
  "blob.put": [0.03, 0.1, 0.3, 1],
  "storage.delete": [1, 3, 7, 10],
  // Longer than 9 to 19, at most 18 to 23 (7 of 7).
  "keyVault.put": [9, 16, 20, 23],
  "keyVault.update": [1, 3, 8, 11],
  "keyVault.delete": [1, 3, 12, 15],
  "keyVault.purge": [4, 8, 12, 30],
  "secret.put": [0.1, 0.2, 0.5, 1],
  "vaultObject.delete": [1, 3, 8, 15],
  "kvCertificate.create": [2, 6, 11, 23],
  "identity.put": [0.5, 2, 6, 15],
  // 5.3, 11.8 and 12.7 (3).
  "identity.delete": [5, 11, 12.8, 14],
  // 1.4 to 2.2 (8). A deletion takes as long: an estimate.
  "fic.put": [1.4, 1.7, 2.1, 2.3],
  "roleAssignment.put": [0.8, 2.5, 5, 8],
  // From a role assignment to its effect on data actions: documented as up to ten minutes, reported as one to two.
  "rbac.propagation": [5, 60, 120, 600],
  // One of ten within 211, half within 303 (334).
  "aks.create": [160, 303, 447, 1357],
  "aks.update": [76, 119, 442, 1402],
  "aks.delete": [146, 193, 369, 480],
  "agentPool.create": [72, 221, 426, 1554],
  // Half of the updates within 7.7 (50): most change no node.
  "agentPool.update": [2, 7.7, 206, 986],
  // Half of them 17 to 33, the longest 34 to 67 (7), and one 50.
  "agentPool.delete": [10, 25, 50, 60],
  // 83 to 124 (5).
  "aks.stop": [83, 95, 118, 124],
  // 170 to 357 (5).
  "aks.start": [170, 313, 350, 357],
  // 8 to 17 (2).
  "trustedAccess.put": [8, 12, 16, 17],
  // A maintenance configuration is written at once: an estimate.
  "maintenance.put": [0.3, 1, 2, 4],
  // 6.7 and 7.0 (1 each): the tails are estimates.
  "arc.put": [5, 7, 30, 60],
  "arc.delete": [5, 7, 40, 120],
  // Estimates: extensions install with Helm, which waits for their pods.
  "arcExtension.put": [40, 90, 180, 480],
  "arcExtension.delete": [15, 40, 90, 240],
  "graph.application": [0.8, 2, 5, 8],
  "graph.servicePrincipal": [0.5, 1.5, 3, 5],
};
