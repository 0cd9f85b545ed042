/** The bodies of a cluster and its pools: what each preset sets, and that nothing else is sent. */
import { describe, expect, test } from "vitest";
import { wantedPool } from "../../../src/aks/domain/pool-properties.js";
import { wantedCluster } from "../../../src/aks/domain/properties.js";
import { clusterSpec, parts } from "./cluster.js";

describe("the cluster", () => {
  test("recommended: rotated secrets, issuer, workload identity, autoscaling, identities and one way out", () => {
    const body = wantedCluster(clusterSpec({ preset: "recommended" }), parts);
    expect(body).toMatchObject({
      sku: { name: "Base", tier: "Standard" },
      identity: { type: "UserAssigned", userAssignedIdentities: { [parts.clusterIdentityId]: {} } },
      identityProfile: { kubeletidentity: { resourceId: parts.kubelet.id } },
      nodeResourceGroup: "mgmt-nodes",
      tags: { "aro-hcp-management-cluster": "mgmt" },
      addonProfiles: {
        azureKeyvaultSecretsProvider: { enabled: true, config: { enableSecretRotation: "true", rotationPollInterval: "1h" } },
      },
      oidcIssuerProfile: { enabled: true },
      securityProfile: { workloadIdentity: { enabled: true } },
      autoScalerProfile: { scanInterval: "10s", scaleDownUtilizationThreshold: "0.3", balanceSimilarNodeGroups: "true" },
      networkProfile: {
        ...{ networkPlugin: "azure", networkDataplane: "azure", networkPolicy: "azure", dnsServiceIP: "10.130.0.10" },
        loadBalancerProfile: { outboundIPs: { publicIPs: [{ id: parts.outboundAddressId }] } },
      },
    });
    for (const absent of ["aadProfile", "disableLocalAccounts", "autoUpgradeProfile", "serviceMeshProfile", "kubernetesVersion"])
      expect(body).not.toHaveProperty(absent);
    expect(body.securityProfile).not.toHaveProperty("azureKeyVaultKms");
    expect(body.networkProfile).not.toHaveProperty("outboundType");
  });

  test("dev: no issuer, no workload identity, fixed pools without a taint", () => {
    const body = wantedCluster(clusterSpec({ preset: "dev" }), { ...parts, podSubnetId: undefined });
    for (const absent of ["oidcIssuerProfile", "securityProfile", "autoScalerProfile", "aadProfile"])
      expect(body).not.toHaveProperty(absent);
    expect(body.addonProfiles?.["azureKeyvaultSecretsProvider"]?.config).toMatchObject({ rotationPollInterval: "1m" });
    const [pool] = body.agentPoolProfiles ?? [];
    expect(pool).toMatchObject({ count: 3, enableAutoScaling: false, maxPods: 250, osDiskType: "Managed", enableFips: true });
    for (const absent of ["minCount", "maxCount", "nodeTaints", "podSubnetID", "availabilityZones"])
      expect(pool).not.toHaveProperty(absent);
  });

  test("production: Microsoft Entra with Azure RBAC only, KMS, image cleaner and upgrades", () => {
    const etcdKeyId = "https://ah.vault.azure.net/keys/aks-etcd-encryption/1";
    const spec = clusterSpec({ preset: "production" }, { adminGroupIds: ["g1"], kubernetesVersion: "1.33" });
    const body = wantedCluster(spec, { ...parts, etcdKeyId, kubernetesVersion: "1.33" });
    expect(body).toMatchObject({
      kubernetesVersion: "1.33",
      disableLocalAccounts: true,
      aadProfile: { managed: true, enableAzureRbac: true, adminGroupObjectIDs: ["g1"] },
      autoUpgradeProfile: { upgradeChannel: "patch", nodeOSUpgradeChannel: "NodeImage" },
      securityProfile: {
        azureKeyVaultKms: { enabled: true, keyId: etcdKeyId, keyVaultNetworkAccess: "Public" },
        imageCleaner: { enabled: true, intervalHours: 24 },
      },
    });
    expect(body.agentPoolProfiles).toMatchObject([
      {
        name: "system",
        availabilityZones: ["1", "2", "3"],
        nodeTaints: ["CriticalAddonsOnly=true:NoSchedule"],
        enableEncryptionAtHost: true,
      },
    ]);
  });

  test("groups administer a cluster that keeps its local accounts", () => {
    const body = wantedCluster(clusterSpec({ preset: "recommended" }, { adminGroupIds: ["g1"] }), parts);
    expect(body.aadProfile).toMatchObject({ managed: true, adminGroupObjectIDs: ["g1"] });
    expect(body.aadProfile).not.toHaveProperty("enableAzureRbac");
    expect(body).not.toHaveProperty("disableLocalAccounts");
  });

  test("a service cluster has Istio, Gateway API and Cilium", () => {
    const body = wantedCluster(clusterSpec({ preset: "recommended" }, {}, "service-cluster"), parts);
    expect(body).toMatchObject({
      networkProfile: { networkDataplane: "cilium", networkPolicy: "cilium" },
      serviceMeshProfile: { mode: "Istio", istio: { components: { ingressGateways: [{ mode: "External", enabled: true }] } } },
      ingressProfile: { gatewayAPI: { installation: "Standard" } },
    });
    expect(body.serviceMeshProfile?.istio).not.toHaveProperty("revisions");
    const flat = wantedCluster(clusterSpec({ preset: "dev" }, {}, "service-cluster"), { ...parts, podSubnetId: undefined });
    expect(flat.networkProfile).toMatchObject({ networkDataplane: "azure", networkPolicy: "azure" });
  });
});

test("a pool of its own has the label and the taint of its role", () => {
  const spec = clusterSpec({ preset: "production" });
  const bodies = spec.pools.map((pool) => [pool.name, wantedPool(spec, pool, parts)] as const);
  expect(Object.fromEntries(bodies)).toMatchObject({
    user2: {
      mode: "User",
      availabilityZones: ["2"],
      nodeLabels: { "aro-hcp.azure.com/role": "worker" },
      maxPods: 225,
      osDiskType: "Ephemeral",
    },
    infra3: { mode: "User", availabilityZones: ["3"], nodeTaints: ["infra=true:NoSchedule"], minCount: 1, maxCount: 3 },
  });
  expect(bodies.find(([name]) => name === "user2")?.[1]).not.toHaveProperty("nodeTaints");
});
