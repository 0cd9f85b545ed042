/** Agent pools of AKS clusters: autoscaling, bounds, zones, modes, and what cannot change. */
import { beforeEach, expect, test } from "vitest";
import { applySeed, parseSeedDocument } from "../../../../../src/emulator/state/seed-document.js";
import { ClusterParts, refused, unrecorded } from "./cluster-parts.js";

let parts: ClusterParts;
beforeEach(() => {
  parts = new ClusterParts();
  parts.create();
});

const poolId = (name: string) => `${parts.id}/agentPools/${name}`;
const put = (name: string, mode: "System" | "User", more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  parts.arm.put(poolId(name), { properties: parts.settings(mode, more) }, { ...unrecorded, headers });
const scaled = { enableAutoScaling: true, minCount: 1, maxCount: 5 };

interface Pool {
  readonly properties: { readonly eTag: string };
}

test("an autoscaled pool has bounds, and its cluster then has all settings of the autoscaler", () => {
  expect(parts.arm.get(parts.id).body).not.toMatchObject({ properties: { autoScalerProfile: {} } });
  const settings = { ...scaled, count: 3, availabilityZones: ["1"], nodeLabels: { "aro-hcp.azure.com/role": "worker" } };
  expect(put("user1", "User", settings)).toMatchObject({ status: 201, body: { properties: settings } });
  parts.arm.put(parts.id, parts.body({ autoScalerProfile: { "scan-interval": "20s" } }));
  expect(parts.arm.get(parts.id).body).toMatchObject({
    properties: { autoScalerProfile: { "scan-interval": "20s", expander: "random", "max-node-provision-time": "15m" } },
  });
  const scaleSets = parts.arm.get(`${parts.nodeGroup}/providers/Microsoft.Compute/virtualMachineScaleSets`).body;
  expect(scaleSets).toMatchObject({ value: [{ sku: { capacity: 2 } }, { sku: { capacity: 3 }, zones: ["1"] }] });
  expect(put("user1", "User", { count: 3, minCount: 4, maxCount: 6 }).body).toMatchObject({ properties: { count: 4 } });
  const fixed = put("user1", "User", { enableAutoScaling: false }).body as { properties: object };
  expect(fixed.properties).not.toHaveProperty("maxCount");
});

test.each([
  ["without bounds", "User", { enableAutoScaling: true }, "InvalidParameter", "agentPoolProfile.enableAutoScaling"],
  ["with a least count above the greatest", "User", { ...scaled, minCount: 6 }, "InvalidParameter", "agentPoolProfile.maxCount"],
  ["with a count outside of its bounds", "User", { ...scaled, count: 6 }, "InvalidParameter", "agentPoolProfile.count"],
  ["of the system without a node", "System", { count: 0 }, "InvalidParameter", "agentPoolProfile.count"],
  ["of the system that may have no node", "System", { ...scaled, minCount: 0 }, "InvalidParameter", "agentPoolProfile.minCount"],
  ["with bounds and without autoscaling", "User", { minCount: 1, maxCount: 5 }, "AutoScalingNotEnabled"],
  ["with too many pods", "User", { maxPods: 251 }, "InvalidParameter", "agentPoolProfile.maxPods"],
  ["in a zone that does not exist", "User", { availabilityZones: ["4"] }, "InvalidParameter", "agentPoolProfile.availabilityZones"],
  ["of the system with spot machines", "System", { scaleSetPriority: "Spot" }, "SystemPoolMustBeRegular"],
  ["of the system with a taint", "System", { nodeTaints: ["infra=true:NoSchedule"] }, "SystemPoolHasRestrictedTaint"],
  ["of pods without nodes", "User", { vnetSubnetID: undefined }, "InvalidParameter", "agentPoolProfile.podSubnetID"],
  ["newer than its cluster", "User", { orchestratorVersion: "1.36.1" }, "NodePoolMcVersionIncompatible"],
] as const)("a pool %s is refused", (_what, mode, more, ...expected) => {
  expect(refused(put("other", mode, more))).toEqual([400, ...expected]);
});

test.each([
  ["vmSize", { vmSize: "Standard_D8s_v5" }],
  ["osDiskSizeGB", { osDiskSizeGB: 256 }],
  ["maxPods", { maxPods: 60 }],
  ["availabilityZones", { availabilityZones: ["2"] }],
  ["enableEncryptionAtHost", { enableEncryptionAtHost: true }],
] as const)("the %s of a pool cannot change, neither by its own path nor by its cluster's", (member, more) => {
  expect(refused(put("system", "System", more))).toEqual([400, "PropertyChangeNotAllowed", `properties.${member}`]);
  const byCluster = parts.arm.put(parts.id, parts.body({}, [parts.pool("system", "System", more)]), unrecorded);
  expect(refused(byCluster)).toEqual([400, "PropertyChangeNotAllowed", `agentPoolProfile.${member}`]);
});

test("the kind of a disk has AKS's own refusal, and what was sent before can be sent again", () => {
  expect(refused(put("system", "System", { osDiskType: "Ephemeral" }))).toEqual([400, "CannotChangeOSDiskType"]);
  expect(refused(put("system", "System", { kubeletDiskType: "Temporary" }))).toEqual([400, "CannotChangeKubeletDisk"]);
  const same = {
    vmSize: "standard_d4s_v5",
    osDiskSizeGB: 0,
    vnetSubnetID: parts.nodes.toUpperCase().replace("/SUBSCRIPTIONS/", "/subscriptions/"),
  };
  expect(put("system", "System", same).status).toBe(200);
});

test.each([
  ["a size that nobody has", { vmSize: "Standard_None" }, {}, "BadRequest"],
  ["a size that the subscription may not have", {}, { restrictedSizes: { Standard_D4s_v5: [] } }, "BadRequest"],
  [
    "a zone that the size does not have",
    { availabilityZones: ["2"] },
    { sizeZones: { Standard_D4s_v5: ["1", "3"] } },
    "AvailabilityZoneNotSupported",
  ],
  ["an ephemeral disk on a size without a place for it", { osDiskType: "Ephemeral" }, {}, "VMSizeDoesNotSupportEphemeralOS"],
  ["an ephemeral disk that is too large", { osDiskType: "Ephemeral", vmSize: "Standard_D2ds_v5" }, {}, "VMTemporaryDiskTooSmall"],
  ["more cores than the quota of the family", { count: 10 }, { coreQuotas: { standardDSv5Family: 47 } }, "ErrCode_InsufficientVCPUQuota"],
  ["more cores than the quota of the region", { count: 10 }, { coreQuotas: { cores: 47 } }, "ErrCode_InsufficientVCPUQuota"],
] as const)("%s is refused", (_what, more, knobs, code) => {
  parts.arm.state.knobs = JSON.parse(JSON.stringify(knobs)) as typeof parts.arm.state.knobs & object;
  expect(refused(put("other", "User", more)).slice(0, 2)).toEqual([400, code]);
});

test("AKS's words for a size, a zone and a quota, and encryption at the host only with its feature", () => {
  const refusal = (name: string, more: object, knobs: object = {}) => {
    parts.arm.state.knobs = JSON.parse(JSON.stringify(knobs)) as typeof parts.arm.state.knobs & object;
    return put(name, "User", { vmSize: "Standard_D4ds_v5", ...more }).body;
  };
  const saying = (words: string) => ({ message: expect.stringContaining(words) as string });
  expect(refusal("a", {}, { restrictedSizes: { Standard_D4ds_v5: [] } })).toMatchObject(
    saying(
      "The VM size of Standard_D4ds_v5 is not allowed in your subscription in location 'eastus'. The available VM sizes are 'standard_",
    ),
  );
  expect(refusal("b", { availabilityZones: ["1", "2"] }, { restrictedSizes: { Standard_D4ds_v5: ["2"] } })).toMatchObject({
    message: "The zone(s) '2' for resource 'b' is not supported. The supported zones for location 'eastus' are '1,3'",
    target: "agentPoolProfile.availabilityZone",
  });
  expect(refusal("c", { count: 3 }, { coreQuotas: { standardDDSv5Family: 8 } })).toMatchObject(
    saying("Insufficient vcpu quota requested 12, remaining 8 for family standardDDSv5Family for region eastus."),
  );
  expect(refusal("d", { enableEncryptionAtHost: true })).toMatchObject({ code: "SubscriptionNotEnabledEncryptionAtHost" });
  applySeed(parts.arm.state, parseSeedDocument({ features: { "Microsoft.Compute/EncryptionAtHost": "Registered" } }), 0);
  expect(put("d", "User", { vmSize: "Standard_D4ds_v5", enableEncryptionAtHost: true }).status).toBe(201);
});

test("without a choice, the OS disk is on the machine where it has the place", () => {
  expect(put("one", "User", { vmSize: "Standard_D8ds_v5" }).body).toMatchObject({ properties: { osDiskType: "Ephemeral" } });
  expect(put("two", "User", { vmSize: "Standard_D2ds_v5" }).body).toMatchObject({ properties: { osDiskType: "Managed" } });
});

test("the last system pool can neither be deleted nor become a user pool", () => {
  expect(refused(parts.arm.delete(poolId("system"), unrecorded))).toEqual([400, "MustDefineAtLeastOneSystemPool"]);
  expect(refused(put("system", "User"))).toEqual([400, "MustDefineAtLeastOneSystemPool"]);
  put("other", "System");
  expect(parts.arm.delete(poolId("system")).status).toBe(202);
});

test("etags are answered by the versions that were seen to have them, that of a cluster when its creation has ended", () => {
  parts.arm.seconds = { "agentPool.create": 100 };
  const etagOf = (apiVersion: string) => (parts.arm.get(poolId("more"), { apiVersion }).body as Pool).properties.eTag;
  put("more", "User");
  expect([etagOf("2025-08-01"), etagOf("2025-09-01"), etagOf("2024-04-02-preview")]).toEqual([
    undefined,
    expect.any(String),
    expect.any(String),
  ]);
  const apiVersion = "2025-09-01";
  const others = new ClusterParts();
  others.arm.seconds = { "aks.create": 100 };
  const system = { name: "system", mode: "System", count: 1 };
  const made = { location: "eastus", identity: { type: "SystemAssigned" }, properties: { dnsPrefix: "demo", agentPoolProfiles: [system] } };
  expect(others.arm.put(others.id, made, { ...unrecorded, apiVersion }).body).not.toHaveProperty("eTag");
  others.arm.pass(100);
  expect(others.arm.get(others.id, { apiVersion }).body).toHaveProperty("eTag");
});

test("a write with an outdated etag is refused, of a pool and of its cluster", () => {
  const apiVersion = "2025-09-01";
  const { eTag } = (parts.arm.get(poolId("system"), { apiVersion }).body as Pool).properties;
  const match = { "if-match": eTag };
  expect(put("system", "System", { count: 3 }, match).status).toBe(200);
  expect(refused(put("system", "System", { count: 4 }, match))).toEqual([412, "PreconditionFailed"]);
  expect(refused(put("system", "System", {}, { "if-none-match": "*" }))).toEqual([412, "PreconditionFailed"]);

  const cluster = parts.arm.get(parts.id, { apiVersion }).body as { eTag: string };
  const headers = { "if-match": cluster.eTag };
  expect(parts.arm.put(parts.id, parts.body(), { headers }).status).toBe(200);
  expect(refused(parts.arm.put(parts.id, parts.body(), { ...unrecorded, headers }))).toEqual([412, "PreconditionFailed"]);
  expect(refused(parts.arm.delete(parts.id, { ...unrecorded, headers }))).toEqual([412, "PreconditionFailed"]);
});

test("pools are written side by side, but not beside their cluster, and a deletion of the cluster ends all", () => {
  parts.arm.seconds = { "agentPool.create": 100, "aks.update": 100, "aks.delete": 100 };
  const [one, two] = [put("one", "User"), put("two", "User")];
  expect([one.status, two.status]).toEqual([201, 201]);
  const whole = () => parts.arm.put(parts.id, parts.body(), unrecorded);
  expect(refused(whole())).toEqual([409, "OperationNotAllowed"]);
  parts.arm.pass(100);
  expect(whole().status).toBe(200);
  expect(refused(put("three", "User"))).toEqual([409, "OperationNotAllowed"]);
  expect(parts.arm.delete(parts.id).status).toBe(202);
  expect(refused(whole())).toEqual([409, "OperationNotAllowed"]);
  parts.arm.pass(100);
  expect(parts.arm.get(parts.nodeGroup).status).toBe(404);
});
