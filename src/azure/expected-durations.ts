/** How long Azure's operations take by verb and resource type, from public recordings of 2018 to 2026. */

/** Seconds in which no, half, nine tenths and all of the operations have ended, and the cost of a poll. */
export interface ExpectedDuration {
  readonly spread: readonly [earliest: number, half: number, most: number, latest: number];
  /** How many seconds an ended operation may go unnoticed to save one poll. */
  readonly pollCost: number;
  /** No step waits for it, and most runs end with one or several of these. */
  readonly endsRun?: true;
}

type Verb = "PUT" | "PATCH" | "DELETE";

/**
 * Returns seconds: the cost of one poll while `operations` are in flight, which include the polled one: `pollCost`. If these are all that the run waits for,
 * it is a twentieth of `pollCost`, at least 0.02 s, times their number, but at most `pollCost`.
 */
export function costAmong(operations: readonly ExpectedDuration[], pollCost: number): number {
  const isAllThatRuns = operations.length === 1 || operations.every(({ endsRun }) => endsRun);
  return isAllThatRuns ? Math.min(pollCost, Math.max(0.02, pollCost / 20) * operations.length) : pollCost;
}

/** Most of a run depends on private DNS. */
const privateDnsCost = 0.04;
/** For another operation that other steps usually wait for. */
const awaitedCost = 0.15;
const usualCost = 0.25;
/** For one whose end the run seldom waits for, or that runs many times at once. */
const unawaitedCost = 0.4;

const network = "microsoft.network";
const aks = "microsoft.containerservice/managedclusters";
/** Minutes pass, so that a few seconds do not matter. */
const aksCost = 1;

/** A bound that is not recorded is left wide, so that an earlier or later end costs a few polls more. */
const durations: Readonly<Record<string, ExpectedDuration>> = {
  [`PUT ${network}/networksecuritygroups`]: { spread: [0.3, 1, 3, 14], pollCost: unawaitedCost },
  [`PUT ${network}/virtualnetworks`]: { spread: [0.5, 2, 4, 5.5], pollCost: unawaitedCost },
  [`PUT ${network}/virtualnetworks/subnets`]: { spread: [0.3, 1, 3.5, 5.5], pollCost: unawaitedCost },
  [`PUT ${network}/publicipaddresses`]: { spread: [0.5, 1, 3, 25], pollCost: unawaitedCost },
  [`DELETE ${network}/publicipaddresses`]: { spread: [8, 12, 25, 100], pollCost: awaitedCost },
  [`PUT ${network}/loadbalancers`]: { spread: [0.3, 0.5, 0.7, 4], pollCost: unawaitedCost },
  // The public IP address follows, but private DNS usually takes longer than both together.
  [`DELETE ${network}/loadbalancers`]: { spread: [0.5, 5, 11, 60], pollCost: unawaitedCost },
  [`PUT ${network}/natgateways`]: { spread: [2, 8, 12, 15], pollCost: usualCost },
  [`DELETE ${network}/natgateways`]: { spread: [2, 8, 12, 15], pollCost: usualCost },
  // One creation in 56 took 113 to 124 s, which is too seldom to plan for.
  [`PUT ${network}/privatednszones`]: { spread: [5, 20, 26, 33], pollCost: privateDnsCost },
  // The slowest deletion of a zone took 31 s, but there are only five recordings.
  [`DELETE ${network}/privatednszones`]: { spread: [5, 18, 26, 40], pollCost: privateDnsCost },
  [`PUT ${network}/privatednszones/virtualnetworklinks`]: { spread: [3, 19, 55, 62], pollCost: privateDnsCost },
  [`DELETE ${network}/privatednszones/virtualnetworklinks`]: { spread: [5, 18, 37, 60], pollCost: privateDnsCost },
  [`PUT ${aks}`]: { spread: [120, 303, 447, 1357], pollCost: aksCost },
  [`PUT ${aks}/agentpools`]: { spread: [60, 221, 426, 1554], pollCost: aksCost },
  [`DELETE ${aks}`]: { spread: [120, 193, 369, 600], pollCost: aksCost },
  "PUT microsoft.keyvault/vaults": { spread: [9, 16, 20, 23], pollCost: usualCost },
  // The role on it follows, which usually takes longest.
  "PUT microsoft.storage/storageaccounts": { spread: [14, 17, 28, 42], pollCost: awaitedCost },
};

export const clusterUpdate: ExpectedDuration = { spread: [5, 119, 442, 1402], pollCost: aksCost };

/** The autoscaler applies new bounds at once; other changes replace nodes. */
export const poolUpdate: ExpectedDuration = { spread: [2, 7.7, 206, 1554], pollCost: aksCost };

/** Everything else is a write of the network, or as short. */
const otherDuration: ExpectedDuration = { spread: [0.3, 2, 10, 30], pollCost: usualCost };

/** A create waits for eight or more at the same time, and each is polled. */
export const certificateCreation: ExpectedDuration = { spread: [2, 6, 11, 23], pollCost: unawaitedCost };

export const vaultObjectDeletion: ExpectedDuration = { spread: [1, 3, 8, 15], pollCost: usualCost };

/** A vault, a certificate or a secret: DNS still has the name of the vault. */
export const vaultRecovery: ExpectedDuration = { spread: [1, 3, 8, 11], pollCost: usualCost };

export const vaultPurge: ExpectedDuration = { spread: [4, 8, 12, 30], pollCost: usualCost };

/** Seconds from a role assignment to its effect on data: documented as at most 600, reported as 60 to 120. */
export const usualRoleDelay = 60;

/** Types are compared without case. */
export function expectedDuration(verb: Verb, type: string): ExpectedDuration {
  return durations[`${verb} ${type.toLowerCase()}`] ?? otherDuration;
}

/** The keys are types of resources in the group. Kinds are deleted in parallel, but a network only after the private zones. */
const groupDeletions: Readonly<Record<string, ExpectedDuration["spread"]>> = {
  [`${network}/virtualnetworks`]: [40, 60, 75, 86],
  [`${network}/publicipaddresses`]: [40, 60, 75, 86],
  [`${network}/loadbalancers`]: [20, 45, 60, 86],
  [`${network}/privatednszones`]: [40, 78, 90, 100],
  "microsoft.keyvault/vaults": [27, 48, 63, 70],
  "microsoft.storage/storageaccounts": [40, 55, 65, 70],
  "microsoft.managedidentity/userassignedidentities": [50, 67, 77, 82],
};

const emptyGroup = [2, 10, 15, 16] as const;
const zoneAndNetwork = [97, 128, 149, 166] as const;

/** `types` are those of its contents. */
export function expectedGroupDeletion(types: readonly string[]): ExpectedDuration {
  const kinds = new Set(types.map((type) => type.toLowerCase()));
  const isBoth = kinds.has(`${network}/virtualnetworks`) && kinds.has(`${network}/privatednszones`);
  const spreads = [emptyGroup, ...[...kinds].flatMap((kind) => [groupDeletions[kind] ?? emptyGroup]), ...(isBoth ? [zoneAndNetwork] : [])];
  const spread = spreads.reduce((longest, each) => (each[1] > longest[1] ? each : longest));
  return { spread, pollCost: unawaitedCost, endsRun: true };
}
