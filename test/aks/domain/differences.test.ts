/** One comparison for create, show and verify: what drifts, what cannot change, and what is left to others. */
import type { AgentPool, ManagedCluster } from "@azure/arm-containerservice";
import { describe, expect, test } from "vitest";
import { clusterDifferences, poolDifferences, withClusterProperties, withPoolProperties } from "../../../src/aks/domain/differences.js";
import { wantedPool } from "../../../src/aks/domain/pool-properties.js";
import { wantedCluster } from "../../../src/aks/domain/properties.js";
import { Failure } from "../../../src/errors/failure.js";
import { clusterSpec, networkIds, parts } from "./cluster.js";

const spec = clusterSpec({ preset: "production" }, { adminGroupIds: ["g1"] });
const wanted = wantedCluster(spec, parts);
const [system] = wanted.agentPoolProfiles ?? [];

/** As Azure answers: with what it adds, and what others set. */
const live: ManagedCluster = {
  ...structuredClone(wanted),
  ...{ name: "mgmt", currentKubernetesVersion: "1.33.5", kubernetesVersion: "1.33", provisioningState: "Succeeded" },
  tags: { ...wanted.tags, team: "theirs" },
  agentPoolProfiles: [
    { ...structuredClone(system), name: "system", count: 2, nodeImageVersion: "x", currentOrchestratorVersion: "1.33.5" },
    { name: "theirs", vmSize: "Standard_B2s", count: 1 },
  ],
  apiServerAccessProfile: { authorizedIPRanges: ["192.0.2.0/24"] },
  addonProfiles: { ...structuredClone(wanted.addonProfiles), azurepolicy: { enabled: true } },
};

function paths(changed: ManagedCluster, want = wanted): string[] {
  const found = clusterDifferences("the cluster", changed, want);
  if (found instanceof Failure) throw found;
  return found.map(({ path }) => path);
}

function refusal(changed: ManagedCluster, want = wanted): Failure {
  const found = clusterDifferences("the cluster", changed, want);
  if (!(found instanceof Failure)) throw new Error(`not refused: ${JSON.stringify(found)}`);
  return found;
}

function systemWith(changed: object): ManagedCluster {
  return {
    ...live,
    agentPoolProfiles: (live.agentPoolProfiles ?? []).map((pool) => (pool.name === "system" ? { ...pool, ...changed } : pool)),
  };
}

describe("a cluster", () => {
  test("has no differences with what AKS and others added", () => {
    expect(paths(live)).toEqual([]);
  });

  test("has none if Azure spells IDs differently", () => {
    const id = parts.clusterIdentityId.replace("resourceGroups", "resourcegroups");
    expect(paths({ ...live, identity: { type: "UserAssigned", userAssignedIdentities: { [id]: {} } } })).toEqual([]);
  });

  test.each<[string, ManagedCluster, string[]]>([
    [
      "rotation",
      { ...live, addonProfiles: { azureKeyvaultSecretsProvider: { enabled: true, config: { enableSecretRotation: "false" } } } },
      [
        "addonProfiles.azureKeyvaultSecretsProvider.config.enableSecretRotation",
        "addonProfiles.azureKeyvaultSecretsProvider.config.rotationPollInterval",
      ],
    ],
    ["the add-on", { ...live, addonProfiles: {} }, ["addonProfiles.azureKeyvaultSecretsProvider"]],
    ["local accounts", { ...live, disableLocalAccounts: false }, ["disableLocalAccounts"]],
    ["the issuer", { ...live, oidcIssuerProfile: { enabled: false } }, ["oidcIssuerProfile.enabled"]],
    ["the tier", { ...live, sku: { name: "Base", tier: "Free" } }, ["sku.tier"]],
    [
      "upgrades",
      { ...live, autoUpgradeProfile: { upgradeChannel: "none", nodeOSUpgradeChannel: "NodeImage" } },
      ["autoUpgradeProfile.upgradeChannel"],
    ],
    ["a tag", { ...live, tags: { team: "theirs" } }, ["tags.aro-hcp-management-cluster"]],
    [
      "the autoscaler",
      { ...live, autoScalerProfile: { ...live.autoScalerProfile, scanInterval: "1m" } },
      ["autoScalerProfile.scanInterval"],
    ],
    ["the identity", { ...live, identity: { type: "SystemAssigned" } }, ["identity"]],
    ["the bounds of a pool", systemWith({ maxCount: 9 }), ["agentPoolProfiles[system].maxCount"]],
    ["the autoscaling of a pool", systemWith({ enableAutoScaling: false }), ["agentPoolProfiles[system].enableAutoScaling"]],
    ["a taint", systemWith({ nodeTaints: ["theirs=true:NoSchedule"] }), ["agentPoolProfiles[system].nodeTaints"]],
    ["a pool", { ...live, agentPoolProfiles: [] }, ["agentPoolProfiles[system]"]],
  ])("drifts: %s", (_what, changed, expected) => {
    expect(paths(changed)).toEqual(expected);
    // What a create writes has no differences, so a second run writes nothing.
    expect(paths(withClusterProperties(changed, wanted))).toEqual([]);
  });

  test("has exactly the wanted address and administrators", () => {
    const path = "networkProfile.loadBalancerProfile.outboundIPs.publicIPs";
    const other = { id: `${networkIds.addresses}/other` };
    for (const loadBalancerProfile of [
      { managedOutboundIPs: { count: 1 } },
      { outboundIPs: { publicIPs: [other] } },
      { outboundIPs: { publicIPs: [{ id: parts.outboundAddressId }, other] } },
    ]) {
      const changed = { ...live, networkProfile: { ...live.networkProfile, loadBalancerProfile } };
      expect(paths(changed).every((one) => path.startsWith(one))).toBe(true);
      expect(paths(changed)).toHaveLength(1);
      expect(withClusterProperties(changed, wanted).networkProfile?.loadBalancerProfile).toEqual({
        outboundIPs: { publicIPs: [{ id: parts.outboundAddressId }] },
      });
    }
    const changed = { ...live, aadProfile: { ...live.aadProfile, adminGroupObjectIDs: ["g1", "stranger"] } };
    expect(paths(changed)).toEqual(["aadProfile.adminGroupObjectIDs"]);
    expect(withClusterProperties(changed, wanted).aadProfile?.adminGroupObjectIDs).toEqual(["g1"]);
  });

  test("keeps what others set when it is written", () => {
    const written = withClusterProperties({ ...live, disableLocalAccounts: false }, wanted);
    expect(written).toMatchObject({
      tags: { team: "theirs", "aro-hcp-management-cluster": "mgmt" },
      addonProfiles: { azurepolicy: { enabled: true } },
      apiServerAccessProfile: { authorizedIPRanges: ["192.0.2.0/24"] },
      disableLocalAccounts: true,
    });
    // The autoscaler's count stays.
    expect(written.agentPoolProfiles).toMatchObject([
      { name: "system", count: 2 },
      { name: "theirs", vmSize: "Standard_B2s" },
    ]);
  });

  test("keeps features that the preset does not have", () => {
    const recommended = wantedCluster(clusterSpec({ preset: "recommended", systemPool: ["zones=1/2/3"] }), parts);
    const without = { ...recommended, agentPoolProfiles: [] };
    expect(paths(live, without)).toEqual([]);
    expect(withClusterProperties(live, without)).toMatchObject({ disableLocalAccounts: true, aadProfile: { enableAzureRbac: true } });
  });

  test.each<[string, ManagedCluster, string]>([
    ["node group", { ...live, nodeResourceGroup: "other" }, "the cluster has the node resource group other, not mgmt-nodes"],
    [
      "service range",
      { ...live, networkProfile: { ...live.networkProfile, serviceCidr: "10.0.0.0/16" } },
      "the service range 10.0.0.0/16, not 10.130.0.0/16",
    ],
    [
      "data plane",
      { ...live, networkProfile: { ...live.networkProfile, networkDataplane: "cilium" } },
      "data plane of the network cilium, not ",
    ],
    [
      "nodes' identity",
      { ...live, identityProfile: { kubeletidentity: { resourceId: "/subscriptions/x" } } },
      "the identity of the nodes /subscriptions/x",
    ],
    ["VM size", systemWith({ vmSize: "Standard_D2s_v3" }), 'agent pool "system" has the VM size Standard_D2s_v3, not Standard_D4ds_v5'],
    ["zones", systemWith({ availabilityZones: ["1"] }), 'agent pool "system" has the zones 1, not 1, 2, 3'],
    ["OS disk", systemWith({ osDiskType: "Managed" }), "the OS disk Managed, not Ephemeral"],
    ["pods", systemWith({ maxPods: 30 }), "the maximum number of pods for each node 30, not 100"],
    ["pod subnet", systemWith({ podSubnetID: undefined }), "the pod subnet none, not /subscriptions/"],
    ["encryption", systemWith({ enableEncryptionAtHost: false }), "the encryption at the host false, not true"],
  ])("cannot change: %s", (_what, changed, message) => {
    const failure = refusal(changed);
    expect(failure.message).toContain(message);
    expect(failure.because).toMatch(/^AKS (?:sets|creates) |^changing it recreates /);
    expect(failure.code).toBe("ARO-OWN-002");
  });

  test.each<[string, string[] | string]>([
    ["1.33", []],
    ["1.33.5", []],
    ["1.33.9", ["kubernetesVersion"]],
    ["1.34", ["kubernetesVersion"]],
    // AKS installed a newer patch on its own.
    ["1.33.2", []],
    ["1.35", "cannot be upgraded to 1.35 in one step"],
    ["1.32", "runs Kubernetes 1.33.5, not 1.32"],
  ])("of 1.33.5 with the wish %s", (kubernetesVersion, expected) => {
    const want = { ...wanted, kubernetesVersion };
    if (typeof expected === "string") expect(refusal(live, want).message).toContain(expected);
    else expect(paths(live, want)).toEqual(expected);
  });

  test("is not changed to an older patch without upgrades of AKS", () => {
    const { autoUpgradeProfile: _channel, ...want } = wanted;
    expect(refusal(live, { ...want, kubernetesVersion: "1.33.2" }).message).toContain("runs Kubernetes 1.33.5, not 1.33.2");
  });
});

describe("an agent pool", () => {
  const [pool] = clusterSpec({ preset: "recommended", userPool: ["min=2,max=5"] }).pools.filter(({ role }) => role === "user");
  if (pool === undefined) throw new Error("there is a user pool");
  const want = wantedPool(spec, pool, parts);
  const at: AgentPool = { ...structuredClone(want), count: 4, currentOrchestratorVersion: "1.33.5" };
  const differing = (changed: Partial<AgentPool>, wish: AgentPool = want) => poolDifferences(pool, { ...at, ...changed }, wish);

  test("keeps the autoscaler's count within its bounds", () => {
    expect(differing({})).toEqual([]);
    expect(withPoolProperties(at, want).count).toBe(4);
    expect(differing({ maxCount: 9 })).toEqual([{ path: "maxCount", from: 9, to: 5 }]);
    expect(withPoolProperties({ ...at, count: 8, maxCount: 9 }, want)).toMatchObject({ count: 5, minCount: 2, maxCount: 5 });
  });

  test("with a fixed count has no bounds", () => {
    const { minCount: _min, maxCount: _max, ...rest } = want;
    const fixed: AgentPool = { ...rest, enableAutoScaling: false, count: 3 };
    expect(differing({}, fixed)).toEqual([
      { path: "enableAutoScaling", from: true, to: false },
      { path: "count", from: 4, to: 3 },
    ]);
    const written = withPoolProperties(at, fixed);
    expect(written).toMatchObject({ count: 3, enableAutoScaling: false });
    expect(written).not.toHaveProperty("minCount");
  });

  test("in zones or with a pod subnet that the options no longer have is refused", () => {
    for (const [changed, message] of [
      [{ availabilityZones: ["1"] }, 'agent pool "user" has the zones 1, not none'],
      [{ vmSize: "Standard_D2s_v3" }, 'agent pool "user" has the VM size'],
    ] as const) {
      const found = differing(structuredClone(changed) as Partial<AgentPool>);
      expect(found).toBeInstanceOf(Failure);
      expect((found as Failure).message).toContain(message);
      expect(JSON.stringify((found as Failure).next)).toContain("--user-pool");
    }
    const { podSubnetID: _subnet, ...flat } = want;
    expect((differing({}, flat) as Failure).message).toContain("the pod subnet /subscriptions/");
  });

  test("is upgraded with the cluster, and never to an older version", () => {
    expect(differing({}, { ...want, orchestratorVersion: "1.34" })).toEqual([{ path: "orchestratorVersion", from: "1.33.5", to: "1.34" }]);
    expect(differing({}, { ...want, orchestratorVersion: "1.33" })).toEqual([]);
    expect(withPoolProperties(at, { ...want, orchestratorVersion: "1.32" })).not.toHaveProperty("orchestratorVersion");
  });
});
