/** The agent pools of a live cluster lead back to the options that made them. */
import { expect, test } from "vitest";
import { chosenPools, type PoolChoice } from "../../../src/aks/domain/choices.js";
import { clusterKinds } from "../../../src/domain/cluster-kind.js";
import type { AgentPoolSpec } from "../../../src/aks/domain/pools.js";
import { shownPools } from "../../../src/aks/domain/shown-pools.js";

const labels = { system: "system", user: "worker", infra: "infra" } as const;

/** As Azure answers, which always has a disk. */
function liveOf({ name, role, vmSize, minCount, maxCount, isAutoscaled, zones, osDiskGiB = 128, maxPods }: AgentPoolSpec) {
  return {
    ...{ name, vmSize, maxPods, count: minCount, enableAutoScaling: isAutoscaled, osDiskSizeGB: osDiskGiB },
    ...(isAutoscaled && { minCount, maxCount }),
    ...(zones.length > 0 && { availabilityZones: [...zones] }),
    mode: role === "system" ? "System" : "User",
    nodeLabels: { "aro-hcp.azure.com/role": labels[role] },
  };
}

const choices: readonly PoolChoice[] = [
  { preset: "recommended" },
  { preset: "dev" },
  { preset: "production" },
  { preset: "recommended", userPool: ["size=Standard_D16ds_v5,min=1,max=5,zones=1/2/3", "name=big,count=2"] },
  {
    preset: "production",
    userPool: ["zones=1/2,pools=4,disk=64,max-pods=50"],
    systemPool: ["size=Standard_D8ds_v5,zones=1/2,min=2,max=3"],
  },
  { preset: "dev", infraPool: ["name=edge1,min=0,max=2"] },
];

test.each(clusterKinds.flatMap((kind) => choices.map((choice) => [kind, choice] as const)))("of a %s with %j", (kind, choice) => {
  const { pools } = chosenPools(kind, choice);
  const shown = shownPools(kind, pools.map(liveOf), choice.preset);
  const again = chosenPools(kind, { preset: choice.preset, ...shown }).pools;
  const withDisk = (all: readonly AgentPoolSpec[]) =>
    all.map((pool) => ({ ...pool, osDiskGiB: pool.osDiskGiB ?? 128, isSizeChosen: true }));
  expect(withDisk(again)).toEqual(withDisk(pools));
  if (Object.keys(choice).length === 1) expect(Object.values(shown)).toEqual([undefined, undefined, undefined]);
});

test("of a preset's pools, a create was interrupted before it made the others: they are not chosen away", () => {
  const { pools } = chosenPools("management-cluster", { preset: "production" });
  for (let made = 0; made < pools.length; made++)
    expect(Object.values(shownPools("management-cluster", pools.slice(0, made).map(liveOf), "production"))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
});

test("bounds that somebody changed in a preset's pool are not taken over, and pools of others are left out", () => {
  const { pools } = chosenPools("service-cluster", { preset: "recommended" });
  const changed = pools.map((pool) => ({ ...liveOf(pool), maxCount: 9 }));
  const theirs = { ...liveOf({ ...(pools.at(-1) as AgentPoolSpec), name: "theirs" }), nodeLabels: {} };
  expect(Object.values(shownPools("service-cluster", [...changed, theirs], "recommended"))).toEqual([undefined, undefined, undefined]);
});
