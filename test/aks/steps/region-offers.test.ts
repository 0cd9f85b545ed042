/** What a create of an AKS cluster refuses because of what the region offers: decided from plain values. */
import { describe, expect, test } from "vitest";
import type { AksClusterSpec } from "../../../src/aks/domain/cluster-spec.js";
import { aksClusterNames } from "../../../src/aks/domain/cluster-names.js";
import type { Decision, Step } from "../../../src/engine/step.js";
import type { AksContext } from "../../../src/aks/steps/context.js";
import { kubernetesVersion } from "../../../src/aks/steps/kubernetes-version.js";
import { nodeGroupName, previewFeatures } from "../../../src/aks/steps/preconditions.js";
import { vmSizes } from "../../../src/aks/steps/vm-sizes.js";
import { readAhead } from "../../../src/azure/read-ahead.js";
import { listedAssignments } from "../../../src/steps/assignment-lists.js";
import { ownGroup } from "../../../src/steps/resource-groups.js";
import { aksSpec, unasked } from "../../steps/every-graph.js";

const none = () => Promise.resolve(undefined);

function contextOf(change: Partial<AksClusterSpec> = {}): AksContext {
  const spec = { ...aksSpec("management-cluster", "production", false), ...change };
  const { subscriptionId, location, cluster: owner } = spec;
  const group = ownGroup(unasked, { subscriptionId, location, owner, tags: {} }, "aks-group", owner.name);
  const names = aksClusterNames(owner, subscriptionId);
  return { azure: unasked, spec, names, group, assignments: listedAssignments(unasked), securityGroup: readAhead() };
}

const decided = (step: Step<unknown>, live: unknown): Decision => step.declared.decide(live, {}, new Date(0));

function refusal(decision: Decision) {
  if (decision.act !== "refuse") throw new Error(`it is decided to ${decision.act}`);
  const { code, message, because } = decision.failure;
  return { code, message, because };
}

describe("the Kubernetes version", () => {
  const offered = [
    { version: "1.33", isDefault: true, patchVersions: { "1.33.2": {}, "1.33.5": {} } },
    { version: "1.34", patchVersions: { "1.34.1": {} } },
    { version: "1.35", isPreview: true },
  ];
  const step = (wanted: string | undefined) => kubernetesVersion(contextOf({ kubernetesVersion: wanted }), none);
  const outputOf = (wanted: string | undefined, exists: boolean) =>
    step(wanted).declared.output({ offered, current: exists ? ["1.32"] : [], exists }, {});

  test("is a minor version, a patch, or the default of the region", () => {
    for (const wanted of [undefined, "1.33", "1.33.2", "1.34.1"])
      expect(decided(step(wanted), { offered, current: [], exists: false })).toEqual({ act: "use" });
    expect(outputOf(undefined, false)).toEqual({ version: "1.33" });
    expect(outputOf("1.34", false)).toEqual({ version: "1.34" });
  });

  test("of an existing cluster may be one that is offered no more, and stays without a wish", () => {
    expect(decided(step("1.31.4"), { offered, current: ["1.31", "1.31.4"], exists: true })).toEqual({ act: "use" });
    expect(outputOf(undefined, true)).toEqual({ version: undefined });
  });

  test("that is not offered is refused with those that are", () => {
    expect(refusal(decided(step("1.32"), { offered, current: [], exists: false }))).toEqual({
      code: "ARO-AKS-001",
      message: "AKS in eastus does not offer Kubernetes 1.32",
      because: expect.stringMatching(/^it offers 1\.33, 1\.34/) as string,
    });
    expect(refusal(decided(step(undefined), { offered: [], current: [], exists: false })).because).toBe("it offers none");
  });
});

describe("VM sizes", () => {
  const [pool] = contextOf().spec.pools.filter(({ role, zones }) => role === "user" && zones.includes("2"));
  if (pool === undefined) throw new Error("no user pool in zone 2");
  const step = vmSizes(contextOf(), none);
  const size = (change: object = {}) => ({
    name: pool.vmSize.toLowerCase(),
    resourceType: "virtualMachines",
    family: "standardDDSv5Family",
    locationInfo: [{ location: "EastUS", zones: ["1", "2", "3"] }],
    capabilities: [{ name: "vCPUs", value: "8" }],
    restrictions: [],
    ...change,
  });
  const usage = (name: string, currentValue: number, limit: number) => ({ name: { value: name }, currentValue, limit });

  test("are offered in the zones, with room in both quotas; pools that exist are not counted", () => {
    const usages = [usage("standardDDSv5Family", 92, 100), usage("cores", 0, 8)];
    expect(decided(step, { missing: [pool], sizes: [size()], usages })).toEqual({ act: "use" });
    expect(decided(step, { missing: [], sizes: [], usages: [usage("cores", 100, 100)] })).toEqual({ act: "use" });
    // Without the permission to read them, the write itself says what Azure refuses.
    expect(decided(step, { missing: [pool], sizes: undefined, usages: undefined })).toEqual({ act: "use" });
  });

  test.each([
    ["is in no list of the region", [], "the region does not offer this size"],
    [
      "is restricted for the subscription",
      [size({ restrictions: [{ type: "Location", restrictionInfo: { locations: ["eastus"], zones: [] } }] })],
      "the subscription may not use this size in the region",
    ],
    [
      "is restricted in the zone",
      [size({ restrictions: [{ type: "Zone", restrictionInfo: { locations: ["eastus"], zones: ["2"] } }] })],
      "it is available in 1, 3",
    ],
    ["has no zones in the region", [size({ locationInfo: [{ location: "eastus", zones: [] }] })], "the region has no zones for this size"],
  ])("are refused if one %s", (_, sizes, because) => {
    expect(refusal(decided(step, { missing: [pool], sizes, usages: [] }))).toMatchObject({ code: "ARO-AKS-002", because });
  });

  test("are refused if the OS disk does not fit on the local disk", () => {
    const withDisk = (mb: number) =>
      size({
        capabilities: [
          { name: "vCPUs", value: "8" },
          { name: "MaxResourceVolumeMB", value: String(mb) },
        ],
      });
    expect(decided(step, { missing: [pool], sizes: [withDisk(128 * 1024)], usages: [] })).toEqual({ act: "use" });
    expect(refusal(decided(step, { missing: [pool], sizes: [withDisk(75 * 1024)], usages: [] }))).toEqual({
      code: "ARO-AKS-002",
      message: `the OS disk of agent pool "user2" does not fit on the local disk of ${pool.vmSize}`,
      because: "the OS disk has 128 GiB, and the local disk 75",
    });
    const small = { ...pool, osDiskGiB: 64 };
    expect(decided(step, { missing: [small], sizes: [withDisk(75 * 1024)], usages: [] })).toEqual({ act: "use" });
  });

  test.each([
    ["of its family", [usage("standardDDSv5Family", 93, 100), usage("cores", 0, 100)], "standardDDSv5Family"],
    ["of the region", [usage("standardDDSv5Family", 0, 100), usage("cores", 93, 100)], "all sizes together"],
  ])("are refused without room in the quota %s", (_, usages, what) => {
    expect(refusal(decided(step, { missing: [pool], sizes: [size()], usages }))).toEqual({
      code: "ARO-AKS-003",
      message: `the vCPU quota of ${what} in eastus has no room for the agent pools`,
      because: "93 of 100 are in use, and the pools begin with 8",
    });
  });
});

describe("preview features", () => {
  test("are needed for encryption at the host and for tags of Microsoft's own services only", () => {
    const { spec } = contextOf();
    const plain = { egressIpTags: [{ type: "RoutingPreference", tag: "Internet" }], ingress: undefined };
    expect(previewFeatures(contextOf({ ...plain, features: { ...spec.features, encryptionAtHost: false } }), none)).toEqual([]);
    expect(previewFeatures(contextOf(), none).map(({ title }) => title)).toEqual([
      "feature Microsoft.Compute/EncryptionAtHost",
      "feature Microsoft.Network/AllowBringYourOwnPublicIpAddress",
    ]);
  });

  test("that are not registered are refused, and those that cannot be read are left to Azure", () => {
    const [encryption, tags] = previewFeatures(contextOf(), none);
    if (encryption === undefined || tags === undefined) throw new Error("no feature is needed");
    expect(refusal(decided(encryption, { state: "Pending" }))).toMatchObject({
      code: "ARO-SUB-006",
      because: "the nodes encrypt their disks and caches at the host",
    });
    expect(refusal(decided(tags, { state: "NotRegistered" })).code).toBe("ARO-SUB-007");
    expect(decided(encryption, { state: undefined })).toEqual({ act: "use" });
    expect(decided(encryption, { state: "Registered" })).toEqual({ act: "use" });
  });
});

test("the name of the node resource group is free, or it is the cluster's own", () => {
  const step = nodeGroupName(contextOf(), none);
  const group = { name: "demo-nodes", location: "eastus" };
  expect(decided(step, { own: undefined, group: undefined })).toEqual({ act: "use" });
  expect(decided(step, { own: "demo-nodes", group })).toEqual({ act: "use" });
  expect(decided(step, { own: undefined, group: { ...group, properties: { provisioningState: "Deleting" } } })).toEqual({ act: "use" });
  expect(refusal(decided(step, { own: undefined, group })).code).toBe("ARO-OWN-003");
});
