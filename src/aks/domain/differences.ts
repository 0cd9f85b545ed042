/** How an AKS cluster and its agent pools differ from what a create sets. */
import type { AgentPool, ManagedCluster, ManagedClusterAgentPoolProfile } from "@azure/arm-containerservice";
import { advise, shell } from "../../errors/advice.js";
import { Failure } from "../../errors/failure.js";
import { sameText } from "../../text/same-text.js";
import { groupNameOf } from "../../domain/resource-id.js";
import { quotedTitleOf } from "../../domain/resource-catalogue.js";
import { resourceTypes } from "../../domain/resource-types.js";
import { isOptionTag, withoutOptionTags } from "../../domain/option-tags.js";
import { mergedTags, tagValue } from "../../domain/tags.js";
import { compare, merge, type Difference } from "../../domain/compare.js";
import { immutableOfCluster, immutableOfPool, setAtCreation, type Immutable } from "./immutable.js";
import type { AgentPoolSpec } from "./pools.js";
import { compareVersions, minorsBetween } from "../../domain/kubernetes-versions.js";

type PoolProperties = Omit<ManagedClusterAgentPoolProfile, "name">;

/** The changes that a create makes; the failure, if one of them is not possible. `what`: the cluster in a sentence. */
export function clusterDifferences(what: string, live: ManagedCluster, wanted: ManagedCluster): readonly Difference[] | Failure {
  const { agentPoolProfiles: pools = [], identity, kubernetesVersion, tags, ...others } = wanted;
  const found = compare(others, live).filter(({ path }) => !setAtCreation.test(path));
  const recreated = recreatedIdentity(what, live, found);
  if (recreated) return recreated;
  const refused = refusal(what, found, immutableOfCluster, ({ from }) => from !== undefined);
  if (refused) return refused;
  const version = versionDifferences(what, live, wanted, kubernetesVersion);
  if (version instanceof Failure) return version;
  const ofPools = pools.map((pool) => profileDifferences(live, pool));
  return (
    ofPools.find((one) => one instanceof Failure) ?? [
      ...tagDifferences(live.tags, tags),
      ...identityDifferences(live, identity),
      ...version,
      ...found,
      ...ofPools.flatMap((one) => (one instanceof Failure ? [] : one)),
    ]
  );
}

/** The cluster with our properties in it, for a PUT; those of AKS and of others stay. */
export function withClusterProperties(live: ManagedCluster, wanted: ManagedCluster): ManagedCluster {
  const { agentPoolProfiles: pools = [], identity, tags, ...others } = wanted;
  const ours = Object.fromEntries(Object.entries(others).filter(([key]) => !setAtCreation.test(key)));
  const merged: ManagedCluster = merge(live, ours);
  const livePools = live.agentPoolProfiles ?? [];
  const isOurs = (name: string) => pools.find((pool) => sameText(pool.name, name));
  const added = pools.filter(({ name }) => !livePools.some((pool) => sameText(pool.name, name)));
  const changed = livePools.map((pool) => {
    const wish = isOurs(pool.name);
    return wish === undefined ? pool : { ...withProperties(pool, wish), name: pool.name };
  });
  const isOther = identityDifferences(live, identity).length > 0;
  return {
    ...merged,
    tags: mergedTags(withoutOptionTags(live.tags), tags ?? {}),
    ...(isOther && identity && { identity }),
    ...(merged.networkProfile && { networkProfile: pinned(merged.networkProfile) }),
    agentPoolProfiles: [...changed, ...added],
  };
}

/** Compares a pool that is a resource of its own. */
export function poolDifferences(
  pool: Pick<AgentPoolSpec, "name" | "role">,
  live: AgentPool,
  wanted: AgentPool,
): readonly Difference[] | Failure {
  return differencesOfPool(quotedTitleOf(resourceTypes.agentPool, pool.name), `--${pool.role}-pool`, live, wanted);
}

export function withPoolProperties(live: AgentPool, wanted: AgentPool): AgentPool {
  return withProperties(live, wanted);
}

function profileDifferences(live: ManagedCluster, wanted: ManagedClusterAgentPoolProfile): readonly Difference[] | Failure {
  const { name, ...properties } = wanted;
  const path = `agentPoolProfiles[${name}]`;
  const found = live.agentPoolProfiles?.find((pool) => sameText(pool.name, name));
  if (found === undefined) return [{ path, from: undefined, to: name }];
  const differences = differencesOfPool(quotedTitleOf(resourceTypes.agentPool, name), "--system-pool", found, properties);
  return differences instanceof Failure ? differences : differences.map((one) => ({ ...one, path: `${path}.${one.path}` }));
}

function differencesOfPool(
  what: string,
  flag: `--${string}`,
  live: PoolProperties,
  { count, orchestratorVersion, ...wanted }: PoolProperties,
): readonly Difference[] | Failure {
  const found = compare({ availabilityZones: [], ...wanted }, live);
  // Without a wish, a subnet of pods is one that the options no longer have.
  if (wanted.podSubnetID === undefined && typeof live.podSubnetID === "string")
    found.push({ path: "podSubnetID", from: live.podSubnetID, to: undefined });
  const refused = refusal(what, found, immutableOfPool, () => true, flag);
  if (refused) return refused;
  const isFixed = wanted.enableAutoScaling !== true;
  const version = live.currentOrchestratorVersion ?? live.orchestratorVersion;
  const isOlder = orchestratorVersion !== undefined && version !== undefined && compareVersions(orchestratorVersion, version) > 0;
  return [
    ...found,
    ...(isFixed && count !== live.count ? [{ path: "count", from: live.count, to: count }] : []),
    ...(isOlder ? [{ path: "orchestratorVersion", from: version, to: orchestratorVersion }] : []),
  ];
}

/** The autoscaler's count stays, if it is within its new bounds. */
function withProperties<P extends PoolProperties>(live: P, wanted: PoolProperties): P {
  const { count, orchestratorVersion, ...others } = wanted;
  const { minCount: _min, maxCount: _max, ...merged } = merge<PoolProperties>(live, others);
  const { minCount = 0, maxCount = Number.MAX_SAFE_INTEGER } = wanted;
  const scaled = Math.min(Math.max(live.count ?? minCount, minCount), maxCount);
  const version = live.currentOrchestratorVersion ?? live.orchestratorVersion;
  const isOlder = orchestratorVersion !== undefined && (version === undefined || compareVersions(orchestratorVersion, version) > 0);
  return {
    ...merged,
    ...(wanted.enableAutoScaling === true ? { count: scaled, minCount, maxCount } : count !== undefined && { count }),
    ...(isOlder && { orchestratorVersion }),
  } as P;
}

/** AKS accepts one identity, and replaces it. */
function identityDifferences({ identity }: ManagedCluster, wanted: ManagedCluster["identity"]): Difference[] {
  const [id] = Object.keys(wanted?.userAssignedIdentities ?? {});
  const has = Object.keys(identity?.userAssignedIdentities ?? {});
  if (id === undefined || has.some((one) => sameText(one, id))) return [];
  return [{ path: "identity", from: has[0] ?? identity?.type, to: id }];
}

function tagDifferences(live: ManagedCluster["tags"] = {}, wanted: ManagedCluster["tags"] = {}): Difference[] {
  const added = Object.entries(wanted).flatMap(([tag, to]) => {
    const from = tagValue(live, tag);
    return from === to ? [] : [{ path: `tags.${tag}`, from, to }];
  });
  const removed = Object.entries(live).filter(([tag]) => isOptionTag(tag));
  return [...added, ...removed.map(([tag, from]) => ({ path: `tags.${tag}`, from, to: undefined }))];
}

function versionDifferences(
  what: string,
  live: ManagedCluster,
  { autoUpgradeProfile }: ManagedCluster,
  wanted: string | undefined,
): readonly Difference[] | Failure {
  const runs = live.currentKubernetesVersion ?? live.kubernetesVersion;
  if (wanted === undefined || runs === undefined) return [];
  const newer = compareVersions(wanted, runs);
  const minors = minorsBetween(runs, wanted);
  if (newer === 0 || (newer < 0 && minors === 0 && autoUpgradeProfile !== undefined)) return [];
  if (newer < 0) {
    return new Failure("ARO-OWN-002", `${what} runs Kubernetes ${runs}, not ${wanted}`, {
      because: "AKS never changes a cluster to an older version",
      next: [advise`to keep it, pass --kubernetes-version ${runs}, or omit the option`],
    });
  }
  if (minors > 1) {
    const [major = "", minor = ""] = runs.split(".");
    return new Failure("ARO-OWN-002", `${what} runs Kubernetes ${runs} and cannot be upgraded to ${wanted} in one step`, {
      because: "AKS upgrades one minor version at a time",
      next: [`pass --kubernetes-version ${major}.${Number(minor) + 1} first`],
    });
  }
  return [{ path: "kubernetesVersion", from: runs, to: wanted }];
}

/** Keeps only the wanted addresses: AKS refuses several ways out together, and answers the effective ones itself. */
function pinned(profile: NonNullable<ManagedCluster["networkProfile"]>): NonNullable<ManagedCluster["networkProfile"]> {
  if (profile.loadBalancerProfile?.outboundIPs === undefined) return profile;
  const {
    managedOutboundIPs: _managed,
    outboundIPPrefixes: _prefixes,
    effectiveOutboundIPs: _effective,
    ...rest
  } = profile.loadBalancerProfile;
  return { ...profile, loadBalancerProfile: rest };
}

const kubelet = "identityProfile.kubeletidentity";

/** An identity of the nodes that was deleted and created again has its name, and other IDs. */
function recreatedIdentity(what: string, { id = "", name = "", identityProfile }: ManagedCluster, found: readonly Difference[]) {
  const { resourceId = "" } = identityProfile?.["kubeletidentity"] ?? {};
  const isOther = (property: string) => found.some(({ path, from }) => path === `${kubelet}.${property}` && from !== undefined);
  if (resourceId === "" || isOther("resourceId") || !isOther("clientId")) return undefined;
  const group = groupNameOf(id) ?? "";
  const give = shell`az aks update --resource-group ${group} --name ${name} --assign-kubelet-identity ${resourceId}`;
  return new Failure("ARO-OWN-002", `${what} has an identity of the nodes that does not exist any more`, {
    because: `${resourceId} was deleted and created again, with other IDs than those that the AKS cluster knows`,
    next: [advise`give the new one to the AKS cluster, which recreates every node: ${give}`, "then rerun the command"],
  });
}

/** The first difference that cannot be changed. */
function refusal(
  what: string,
  found: readonly Difference[],
  rules: readonly Immutable[],
  isKnown: (difference: Difference) => boolean,
  poolFlag?: `--${string}`,
): Failure | undefined {
  for (const difference of found.filter(isKnown)) {
    const rule = rules.find(({ path }) => path.test(difference.path));
    if (rule === undefined) continue;
    const { from, to } = difference;
    const flag = rule.flag ?? poolFlag;
    const keep = flag === undefined ? [] : [`to keep it, correct ${flag}`];
    const instead =
      poolFlag === undefined
        ? "or create another cluster with a different --name"
        : `or set another name= in ${poolFlag}, which adds a pool, and delete this one when it is empty`;
    return new Failure("ARO-OWN-002", `${what} has the ${rule.what} ${valueText(from)}, not ${valueText(to)}`, {
      because: rule.because,
      next: [...keep, instead],
    });
  }
  return undefined;
}

function valueText(value: unknown): string {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return "none";
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
