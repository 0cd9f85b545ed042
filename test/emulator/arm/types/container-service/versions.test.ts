/** What answers about clusters and pools have by default, by api-version, and by what was sent: as recorded. */
import { beforeEach, expect, test } from "vitest";
import { ClusterParts, unrecorded } from "./cluster-parts.js";

let parts: ClusterParts;
beforeEach(() => {
  parts = new ClusterParts();
});

interface Answer {
  readonly properties: Record<string, Record<string, unknown>> & { readonly agentPoolProfiles: readonly Record<string, unknown>[] };
}

/** What az sends of a pool, which other clients leave to AKS. */
const ofAz = { enableAutoScaling: false, upgradeSettings: {}, enableNodePublicIP: false, scaleSetPriority: "Regular", spotMaxPrice: -1 };
const body = (pool: object, properties: object = {}) => ({
  location: "eastus",
  identity: { type: "SystemAssigned" },
  properties: { dnsPrefix: "demo", agentPoolProfiles: [{ name: "system", mode: "System", count: 1, ...pool }], ...properties },
});
const create = (apiVersion: string, pool: object = {}, properties: object = {}) =>
  parts.arm.put(parts.id, body(pool, properties), { ...unrecorded, apiVersion });
const read = (apiVersion: string) => (parts.arm.get(parts.id, { apiVersion }).body as Answer).properties;

test.each([
  ["2023-05-01", { networkPlugin: "kubenet", networkPolicy: undefined, networkPluginMode: undefined }, 110],
  ["2023-10-01", { networkPlugin: "kubenet", networkPolicy: undefined, networkPluginMode: undefined }, 110],
  ["2024-04-02-preview", { networkPlugin: "kubenet", networkPolicy: "none", networkPluginMode: undefined }, 110],
  ["2024-09-01", { networkPlugin: "azure", networkPolicy: "none", networkPluginMode: "overlay" }, 250],
  ["2025-08-01", { networkPlugin: "azure", networkPolicy: "none", networkPluginMode: "overlay" }, 250],
])("%s creates a cluster with the network of its time", (apiVersion, network, maxPods) => {
  expect(create(apiVersion).status).toBe(201);
  const { networkProfile = {}, agentPoolProfiles } = read(apiVersion);
  expect(Object.fromEntries(Object.keys(network).map((member) => [member, networkProfile[member]]))).toEqual(network);
  expect(agentPoolProfiles).toMatchObject([{ maxPods }]);
});

/** Each member that some versions answer unasked, with what they answer. */
const members = ["enableAutoScaling", "enableNodePublicIP", "scaleDownMode", "upgradeSettings", "securityProfile"] as const;
test.each([
  ["2023-10-01", "cluster", [undefined, undefined, undefined, { maxSurge: "10%" }, undefined]],
  ["2023-10-01", "pool", [undefined, undefined, "Delete", undefined, undefined]],
  [
    "2024-04-02-preview",
    "cluster",
    [undefined, undefined, undefined, { maxSurge: "10%" }, { sshAccess: "LocalUser", enableVTPM: false, enableSecureBoot: false }],
  ],
  ["2024-04-02-preview", "pool", [undefined, undefined, "Delete", undefined, { sshAccess: "LocalUser" }]],
  ["2024-09-01", "cluster", [undefined, false, "Delete", { maxSurge: "10%" }, { enableVTPM: false, enableSecureBoot: false }]],
  ["2024-09-01", "pool", [false, false, "Delete", { maxSurge: "10%" }, { enableVTPM: false, enableSecureBoot: false }]],
  [
    "2025-08-01",
    "pool",
    [
      false,
      false,
      "Delete",
      { maxSurge: "10%", maxUnavailable: "0" },
      { sshAccess: "LocalUser", enableVTPM: false, enableSecureBoot: false },
    ],
  ],
] as const)("%s answers the defaults of its time about a pool that its %s path made", (apiVersion, path, expected) => {
  create(apiVersion);
  parts.arm.put(`${parts.id}/agentPools/more`, { properties: { count: 1 } }, { ...unrecorded, apiVersion });
  const pool = read(apiVersion).agentPoolProfiles.find(({ name }) => name === (path === "pool" ? "more" : "system")) ?? {};
  expect(members.map((member) => pool[member])).toEqual(expected);
});

test("what was sent is answered by every version that has it, and the priority of regular machines by none", () => {
  create("2023-10-01", ofAz, { networkProfile: { networkPlugin: "kubenet", loadBalancerSku: "standard", networkPolicy: "calico" } });
  const { networkProfile, agentPoolProfiles } = read("2023-10-01");
  expect(networkProfile).toMatchObject({ networkPolicy: "calico", loadBalancerSku: "Standard" });
  const { enableAutoScaling, enableNodePublicIP, upgradeSettings, ...others } = agentPoolProfiles[0] ?? {};
  expect([enableAutoScaling, enableNodePublicIP, upgradeSettings]).toEqual([false, false, {}]);
  expect(Object.keys(others)).not.toEqual(expect.arrayContaining(["scaleSetPriority"]));
  expect(Object.keys(others)).not.toEqual(expect.arrayContaining(["spotMaxPrice"]));
});

test("members that a version does not have are not answered, and an object of which nothing is left goes with them", () => {
  create("2025-08-01");
  expect(Object.keys(read("2023-05-01"))).toEqual(expect.not.arrayContaining(["autoUpgradeProfile", "resourceUID", "metricsProfile"]));
  expect(read("2023-06-01")["autoUpgradeProfile"]).toEqual({ nodeOSUpgradeChannel: "NodeImage" });
});

test("previews answer members that no version has, or only later ones", () => {
  const seen = ["bootstrapProfile", "controlPlanePluginProfiles", "enableFIPS", "hostedSystemProfile", "nodeProvisioningProfile"];
  create("2025-08-01");
  const answered = (apiVersion: string) => {
    const properties = read(apiVersion);
    return seen.filter((member) => member in properties);
  };
  expect(answered("2024-05-01")).toEqual([]);
  expect(answered("2024-04-02-preview")).toEqual(["bootstrapProfile", "controlPlanePluginProfiles", "nodeProvisioningProfile"]);
  expect(answered("2025-08-01")).toEqual(["bootstrapProfile", "nodeProvisioningProfile"]);
  expect(answered("2025-10-02-preview")).toEqual(seen);
  expect(read("2025-10-02-preview")["networkProfile"]).toMatchObject({ podLinkLocalAccess: "IMDS" });
  expect(read("2025-10-01")["networkProfile"]).not.toHaveProperty("podLinkLocalAccess");
  expect(parts.arm.get(parts.id, { apiVersion: "2024-04-02-preview" }).body).toMatchObject({ kind: "Base" });
});

test("a pool has no state of autoscaling before its first update, unless it was sent", () => {
  create("2025-08-01");
  expect(read("2025-08-01").agentPoolProfiles[0]).not.toHaveProperty("enableAutoScaling");
  create("2025-08-01");
  expect(read("2025-08-01").agentPoolProfiles[0]).toMatchObject({ enableAutoScaling: false });
  expect(read("2025-10-02-preview").agentPoolProfiles[0]).toMatchObject({ upgradeStrategy: "Rolling" });
});

test("the nodes of a spot pool are marked, so that only what tolerates them runs there", () => {
  create("2025-08-01");
  const spot = { count: 1, scaleSetPriority: "Spot", spotMaxPrice: 88.88, nodeTaints: [] };
  expect(parts.arm.put(`${parts.id}/agentPools/spot`, { properties: spot }).body).toMatchObject({
    properties: {
      scaleSetPriority: "Spot",
      scaleSetEvictionPolicy: "Delete",
      nodeLabels: { "kubernetes.azure.com/scalesetpriority": "spot" },
      nodeTaints: ["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"],
    },
  });
});

test("only the answer to a PUT of the cluster repeats the empty labels and tags of its pools", () => {
  const empty = { nodeLabels: {}, tags: {} };
  expect((create("2025-08-01", empty).body as Answer).properties.agentPoolProfiles).toMatchObject([empty]);
  expect(read("2025-08-01").agentPoolProfiles[0]).not.toHaveProperty("nodeLabels");
});

test("the state of an updated pool says what happens to it", () => {
  create("2025-08-01", {}, { kubernetesVersion: "1.34.9" });
  parts.arm.put(`${parts.id}/agentPools/more`, { properties: { count: 1, orchestratorVersion: "1.34.8" } });
  parts.arm.seconds = { "agentPool.update": 10 };
  const update = (properties: object) => {
    const { body: answer } = parts.arm.put(`${parts.id}/agentPools/more`, { properties });
    parts.arm.pass(10);
    return (answer as { properties: { provisioningState: string } }).properties.provisioningState;
  };
  expect(update({ nodeLabels: { a: "b" } })).toBe("Updating");
  expect(update({ orchestratorVersion: "1.34.9" })).toBe("Upgrading");
  expect(update({ powerState: { code: "Stopped" } })).toBe("Stopping");
  expect(update({ powerState: { code: "Running" } })).toBe("Starting");
});

test("a cluster that acts as a service principal of the client's has no identity for its nodes", () => {
  const servicePrincipalProfile = { clientId: "11111111-1111-4111-8111-111111111111", secret: "hidden" };
  parts.arm.put(parts.id, { ...body({}, { servicePrincipalProfile }), identity: undefined });
  const properties = read("2025-08-01");
  expect(properties).not.toHaveProperty("identityProfile");
  expect(properties["servicePrincipalProfile"]).toEqual({ clientId: servicePrincipalProfile.clientId });
});

test("a network whose plugin is named has settings for Windows nodes, whose password is never answered", () => {
  create(
    "2023-10-01",
    {},
    { networkProfile: { networkPlugin: "azure" }, windowsProfile: { adminUsername: "me", adminPassword: "hidden" } },
  );
  expect(read("2023-10-01")["windowsProfile"]).toEqual({ adminUsername: "me", enableCSIProxy: true });
});

test("add-ons are settings; those that act in Azure get an identity, when the cluster is made", () => {
  parts.arm.seconds = { "aks.create": 300 };
  const addonProfiles = {
    azurepolicy: { enabled: true },
    ACCSGXDevicePlugin: { enabled: true, config: { ACCSGXQuoteHelperEnabled: "true" } },
  };
  expect((create("2025-08-01", {}, { addonProfiles }).body as Answer).properties["addonProfiles"]).toEqual({
    azurepolicy: { enabled: true, config: null },
    ACCSGXDevicePlugin: { enabled: true, config: { ACCSGXQuoteHelperEnabled: "true" } },
  });
  parts.arm.pass(300);
  const name = parts.nodeGroup.split("/").at(-1) ?? "";
  const resourceId = expect.stringContaining(
    `/resourcegroups/${name}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/azurepolicy-demo`,
  );
  expect(read("2025-08-01")["addonProfiles"]).toMatchObject({ azurepolicy: { identity: { resourceId: resourceId as string } } });
  create("2025-08-01", {}, { addonProfiles: { azurepolicy: { enabled: false } } });
  expect(read("2025-08-01")["addonProfiles"]?.["azurepolicy"]).toEqual({ enabled: false, config: null });
});

const settings = {
  aiToolchainOperatorProfile: { enabled: true },
  httpProxyConfig: { httpProxy: "http://proxy:80", noProxy: ["localhost"] },
  workloadAutoScalerProfile: { keda: { enabled: true } },
  upgradeSettings: { overrideSettings: { forceUpgrade: true, until: "2026-12-01T00:00:00Z" } },
};
const ofPool = {
  kubeletConfig: { cpuManagerPolicy: "static", podMaxPids: 100 },
  linuxOSConfig: { sysctls: { vmSwappiness: 10, netIpv4TcpTwReuse: true }, swapFileSizeMB: 100 },
  messageOfTheDay: "SGVsbG8=",
  networkProfile: { allowedHostPorts: [{ portStart: 4000, portEnd: 6000, protocol: "UDP" }] },
};

test("settings without effect are answered as they were sent; members that AKS does not have, or not yet, are refused by name", () => {
  expect(create("2025-08-01", ofPool, settings).status).toBe(201);
  expect(read("2025-08-01")).toMatchObject({ ...settings, agentPoolProfiles: [ofPool] });
  const update = (apiVersion: string, properties: object, pool: object = {}) => create(apiVersion, pool, properties).body;
  const naming = (name: string) => ({ error: { message: expect.stringContaining(`'${name}'`) as string } });
  expect(update("2025-08-01", { httpProxyConfig: { proxy: "x" } })).toMatchObject(naming("proxy"));
  expect(update("2025-08-01", {}, { kubeletConfig: { policy: "x" } })).toMatchObject(naming("policy"));
  expect(update("2025-04-01", settings)).toMatchObject(naming("aiToolchainOperatorProfile"));
});

test("a mesh is disabled although az sends its settings with it", () => {
  create("2025-08-01", {}, { serviceMeshProfile: { mode: "Istio" } });
  create("2025-08-01", {}, { serviceMeshProfile: { mode: "Disabled", istio: { revisions: ["asm-1-28"] } } });
  expect(read("2025-08-01")["serviceMeshProfile"]).toEqual({ mode: "Disabled" });
});
