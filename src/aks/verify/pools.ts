/** Checks of the agent pools: they run, scale, keep other pods out, and can grow in their region. */
import type { ManagedClusterAgentPoolProfile } from "@azure/arm-containerservice";
import { advise, blank, shell } from "../../errors/advice.js";
import type { PlannedStep } from "../../engine/plan.js";
import { withLiveSize, type AgentPoolSpec } from "../domain/pools.js";
import { titleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { coresByQuota, decideSize, quotaScope, readRegionOffer, type RegionOffer } from "../steps/vm-sizes.js";
import { plural } from "../../text/plural.js";
import { sameText } from "../../text/same-text.js";
import { failed, notChecked, passed, type Finding } from "../../verify/check.js";
import { checkInstance, type CheckInstance } from "../../verify/check-instance.js";
import { fromDecision } from "../../verify/from-plan.js";
import { liveOf } from "../../verify/planned-step.js";
import type { ResourceLinks } from "../../verify/planned-resources.js";
import { aksChecks } from "./checks.js";
import { aksFlags, clusterIn, mostNodes, poolIn, wantedIn, type AksSnapshot } from "./snapshot.js";

export interface PoolChecks {
  /** Checks of properties, by the ID of the step that sets them: the general comparison of that step runs after them. */
  readonly own: ReadonlyMap<string, Readonly<Record<string, CheckInstance>>>;
  readonly beside: readonly CheckInstance[];
}

/** `ofPool`: the checks of a pool that is a resource of its own; undefined for a system pool, which is part of the cluster. */
export function poolChecks(snapshot: AksSnapshot, cluster: ResourceLinks, ofPool: (name: string) => ResourceLinks | undefined): PoolChecks {
  const own = new Map<string, Record<string, CheckInstance>>();
  const beside: CheckInstance[] = [];
  // Read once for all pools.
  let offer: Promise<RegionOffer> | undefined;
  const readOffer = () => {
    offer ??= readRegionOffer(snapshot.azure, snapshot.spec);
    return offer;
  };
  for (const pool of snapshot.spec.pools) {
    const subject = titleOf(resourceTypes.agentPool, pool.name);
    const links = ofPool(pool.name);
    const needs = { cluster: cluster.sound, ...(links && { pool: links.sound }) };
    const liveIn = (seen: PlannedStep, part: PlannedStep | undefined) =>
      part === undefined ? poolIn(clusterIn(seen), pool.name) : liveOf<ManagedClusterAgentPoolProfile>(part);
    const check = (id: keyof typeof aksChecks, run: (live: ManagedClusterAgentPoolProfile, wanted: PoolWish) => Finding<undefined>) =>
      checkInstance(aksChecks[id], subject, needs, ({ cluster: seen, pool: part }) => {
        const live = liveIn(seen, part);
        return live === undefined ? failed("it does not exist", snapshot.create) : run(live, wishOf(seen, part, pool.name));
      });
    const step = (links ?? cluster).step.id;
    own.set(step, {
      ...own.get(step),
      [`scaling-${pool.name}`]: check("pool-autoscaling", (live, wish) => checkScaling(snapshot, pool, live, wish)),
      [`taints-${pool.name}`]: check("pool-taints", (live, wish) => checkTaints(snapshot, live, wish)),
    });
    beside.push(
      check("pool-running", (live) => checkPower(snapshot, pool, live)),
      checkInstance(aksChecks["pool-size"], subject, needs, async ({ cluster: seen, pool: part }) =>
        checkSize(snapshot, withLiveSize(pool, liveIn(seen, part)), await readOffer()),
      ),
    );
  }
  return { own, beside: [...beside, ...quotaChecks(snapshot, cluster, readOffer)] };
}

type PoolWish = Partial<ManagedClusterAgentPoolProfile>;

/** The wanted properties of a pool: its own, or those in the wanted cluster. */
function wishOf(cluster: PlannedStep, part: PlannedStep | undefined, name: string): PoolWish {
  return part === undefined ? (poolIn(wantedIn(cluster), name) ?? {}) : (part.wanted ?? {});
}

function checkPower(snapshot: AksSnapshot, { name }: AgentPoolSpec, { powerState }: PoolWish): Finding<undefined> {
  if (powerState?.code !== "Stopped") return passed(powerState?.code ?? "Running");
  const [, group = "", , cluster = ""] = aksFlags(snapshot);
  const flags = ["--resource-group", group, "--cluster-name", cluster, "--name", name];
  return failed("it is stopped, so it has no nodes", shell`az aks nodepool start ${flags}`);
}

function checkScaling({ create }: AksSnapshot, { role, isAutoscaled }: AgentPoolSpec, live: PoolWish, wish: PoolWish): Finding<undefined> {
  const { enableAutoScaling = false, minCount = 0, maxCount = 0, count = 0 } = live;
  if (!isAutoscaled && !enableAutoScaling && count === wish.count)
    return passed(`${plural(count, "node")}; the settings have no autoscaler`);
  const found = enableAutoScaling ? `the autoscaler has the bounds ${String(minCount)} and ${String(maxCount)}` : "the autoscaler is off";
  const isWanted = enableAutoScaling === isAutoscaled && (!isAutoscaled || (minCount === wish.minCount && maxCount === wish.maxCount));
  if (!isWanted) {
    const wanted = isAutoscaled ? `the bounds ${String(wish.minCount)} and ${String(wish.maxCount)}` : `${String(wish.count)} nodes`;
    return failed(`${found}; the settings say ${wanted}`, advise`${create} fixes it`);
  }
  if (minCount < maxCount) return passed(`${found}; it has ${plural(count, "node")}`);
  return failed(
    `${found}, so it never adds a node`,
    `pass a larger max= in --${role}-pool of ${create.run}, or count= if the number is meant to be fixed`,
  );
}

function checkTaints({ create }: AksSnapshot, { nodeTaints = [] }: PoolWish, { nodeTaints: wanted = [] }: PoolWish): Finding<undefined> {
  const missing = wanted.filter((taint) => !nodeTaints.includes(taint));
  if (missing.length === 0) return passed(nodeTaints.length === 0 ? "none, as the settings say" : nodeTaints.join(", "));
  return failed(`it has no taint ${missing.join(", ")}: pods of every kind run on its nodes`, advise`${create} fixes it`);
}

function checkSize({ spec: { location }, create }: AksSnapshot, pool: AgentPoolSpec, { sizes }: RegionOffer): Finding<undefined> {
  if (sizes === undefined) return notChecked("the signed-in principal has no permission to list VM sizes");
  const refused = decideSize(pool, sizes, location);
  if (refused !== undefined) return fromDecision(refused, create);
  return passed(`${pool.vmSize}${pool.zones.length === 0 ? "" : ` in the zones ${pool.zones.join(", ")}`}`);
}

/** One for each VM family, and one for all together: the nodes that may be added, beside those that exist. */
function quotaChecks(snapshot: AksSnapshot, cluster: ResourceLinks, readOffer: () => Promise<RegionOffer>): CheckInstance[] {
  const { spec } = snapshot;
  const subject = `vCPUs in ${spec.location}`;
  return [
    checkInstance(aksChecks["vcpu-quota"], subject, { cluster: cluster.sound }, async ({ cluster: seen }) => {
      const { sizes, usages } = await readOffer();
      if (sizes === undefined || usages === undefined)
        return notChecked("the signed-in principal has no permission to read VM sizes and quotas");
      const pools = clusterIn(seen).agentPoolProfiles ?? [];
      const more = pools.map((pool) => ({ vmSize: pool.vmSize ?? "", nodes: mostNodes(pool) - (pool.count ?? 0) }));
      const quotas = [...coresByQuota(more, sizes)].flatMap(([quota, cores]) => {
        const usage = usages.find(({ name }) => sameText(name.value, quota));
        return usage === undefined ? [] : [{ quota, cores, used: usage.currentValue, limit: usage.limit }];
      });
      const text = ({ quota, cores, used, limit }: (typeof quotas)[number]) =>
        `${quota}: ${String(used)} of ${String(limit)} are in use, and ${String(cores)} may be added`;
      const lacking = quotas.filter(({ cores, used, limit }) => used + cores > limit);
      if (lacking.length === 0) return passed(quotas.map(text).join("; ") || "Azure lists no quota of these sizes");
      const [{ quota } = { quota: "cores" }] = lacking;
      return failed(
        `${lacking.map(text).join("; ")}: the autoscaler stops there`,
        advise`request a higher limit: ${shell`az quota create --resource-name ${quota} --scope ${quotaScope(spec)} --limit-object value=${blank("limit")}`}, or pass smaller bounds in the pool options`,
      );
    }),
  ];
}
