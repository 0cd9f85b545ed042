/** What options choose together with a preset and an environment: every row of the table of tags, and the agent pools of each preset. */
import { describe, expect, test } from "vitest";
import { chosenPools, chosenTags } from "../../../src/aks/domain/choices.js";
import type { ClusterKind } from "../../../src/domain/cluster-kind.js";
import { presets, type Preset } from "../../../src/aks/domain/cluster-spec.js";
import { addressTags, environments, type Environment } from "../../../src/aks/domain/environments.js";
import { formatIpTags } from "../../../src/domain/ip-tags.js";

describe("the environments", () => {
  test.each<[Environment, ClusterKind, string, string]>([
    ["none", "service-cluster", "", ""],
    ["none", "management-cluster", "assigned", ""],
    ["int", "service-cluster", "FirstPartyUsage:/NonProd", "FirstPartyUsage:/NonProd"],
    ["int", "management-cluster", "assigned", "FirstPartyUsage:/NonProd"],
    ["stg", "service-cluster", "FirstPartyUsage:/aro-hcp-prod-inbound-svc", "FirstPartyUsage:/aro-hcp-prod-outbound-svc"],
    ["stg", "management-cluster", "assigned", "FirstPartyUsage:/aro-hcp-prod-outbound-cx"],
  ])("%s, %s: ingress %j, egress %j", (environment, kind, ingress, egress) => {
    const row = addressTags(environment, kind);
    expect(row?.ingress === "assigned" ? "assigned" : formatIpTags(row?.ingress ?? [])).toBe(ingress);
    expect(formatIpTags(row?.egress ?? [])).toBe(egress);
  });

  test("every other row is unknown, and refused", () => {
    const unknown = environments.filter((environment) => addressTags(environment, "service-cluster") === undefined);
    expect(unknown).toEqual(["prod"]);
    for (const kind of ["service-cluster", "management-cluster"] as const) {
      const { problems, egress } = chosenTags(kind, { environment: "prod", hasEgress: true, hasIngress: kind === "service-cluster" });
      expect(problems).toEqual([
        { key: "environment", message: expect.stringContaining('"prod" is not in the published table') as string },
      ]);
      expect(egress).toEqual([]);
    }
  });

  test("an unknown row is not needed if each tag is given, or an address exists", () => {
    const given = { environment: "prod", egressIpTags: "FirstPartyUsage:/x", hasEgress: true, hasIngress: false } as const;
    expect(chosenTags("management-cluster", given)).toMatchObject({ problems: [], egress: [{ tag: "/x" }] });
    expect(chosenTags("management-cluster", { environment: "prod", hasEgress: false, hasIngress: false }).problems).toEqual([]);
    expect(chosenTags("service-cluster", { ...given, hasIngress: true }).problems).toHaveLength(1);
  });

  test("a given tag takes precedence over the environment's", () => {
    const choice = { environment: "stg", ingressIpTags: "FirstPartyUsage:/mine", hasEgress: true, hasIngress: true } as const;
    const { egress, ingress } = chosenTags("service-cluster", choice);
    expect([formatIpTags(ingress), formatIpTags(egress)]).toEqual(["FirstPartyUsage:/mine", "FirstPartyUsage:/aro-hcp-prod-outbound-svc"]);
  });

  test("the table has no tag for an ingress address of a management cluster", () => {
    const asked = { hasEgress: true, hasIngress: true } as const;
    expect(chosenTags("management-cluster", { ...asked, environment: "stg" }).problems).toEqual([
      { key: "environment", message: expect.stringContaining("pass --ingress-ip-tags, or omit --ingress-address") as string },
    ]);
    expect(chosenTags("management-cluster", { ...asked, environment: "none" }).problems).toEqual([]);
  });
});

describe("the pools of a preset", () => {
  const shape = (preset: (typeof presets)[number], options = {}) =>
    chosenPools("management-cluster", { preset, ...options }).pools.map(({ name, zones, minCount, maxCount, isAutoscaled }) =>
      [name, zones.join("/"), isAutoscaled ? `${minCount}-${maxCount}` : minCount].join(" "),
    );

  test("are autoscaled, fixed for development, and one for each zone in production", () => {
    expect(shape("recommended")).toEqual(["system  1-3", "user  1-3"]);
    expect(shape("dev")).toEqual(["system  3"]);
    expect(shape("production")).toEqual([
      "system 1/2/3 1-3",
      ...["user1 1 1-3", "user2 2 1-3", "user3 3 1-3"],
      ...["infra1 1 1-3", "infra2 2 1-3", "infra3 3 1-3"],
    ]);
  });

  test("give an option what it leaves out", () => {
    expect(shape("production", { userPool: ["min=2,max=9"] }).filter((text) => text.startsWith("user"))).toEqual([
      "user1 1 2-9",
      "user2 2 2-9",
      "user3 3 2-9",
    ]);
    expect(shape("dev", { userPool: ["name=big,count=0,zones=2"] })).toEqual(["system  3", "big2 2 0"]);
    expect(shape("dev", { systemPool: ["min=1,max=2"] })).toEqual(["system  1-2"]);
  });

  test("the system pools come first, and a further pool has no zone", () => {
    const { pools, problems } = chosenPools("management-cluster", {
      preset: "recommended",
      infraPool: ["zones=1/3,pools=4"],
      systemPool: ["name=a", "name=b"],
    });
    expect(problems).toEqual([]);
    expect(pools.map(({ name, role }) => `${role} ${name}`)).toEqual([
      ...["system a", "system b", "user user"],
      ...["infra infra1", "infra infra3", "infra infranz1", "infra infranz2"],
    ]);
  });

  test("that carry control planes have 16 vCPUs and 128 GiB in production", () => {
    const sizes = (kind: ClusterKind, preset: Preset, options = {}) =>
      chosenPools(kind, { preset, ...options }).pools.map(({ role, vmSize }) => `${role} ${vmSize}`);
    const user = (kind: ClusterKind, preset: Preset, options = {}) =>
      new Set(sizes(kind, preset, options).filter((text) => text.startsWith("user")));
    expect(user("management-cluster", "production")).toEqual(new Set(["user Standard_E16ds_v5"]));
    expect(user("management-cluster", "production", { userPool: ["min=1,max=9"] })).toEqual(new Set(["user Standard_E16ds_v5"]));
    expect(user("service-cluster", "production")).toEqual(new Set(["user Standard_D8ds_v5"]));
    expect(user("management-cluster", "recommended")).toEqual(new Set(["user Standard_D8ds_v5"]));
    expect(sizes("management-cluster", "dev")).toEqual(["system Standard_D4s_v4"]);
  });

  test("every default is valid", () => {
    for (const preset of presets) expect(chosenPools("management-cluster", { preset }).problems, preset).toEqual([]);
  });

  test("a name that is too long or taken is a problem of its option", () => {
    const { problems } = chosenPools("management-cluster", {
      preset: "dev",
      userPool: ["name=abcdefghijkl,zones=1", "name=a", "name=a"],
      infraPool: ["name=system"],
    });
    expect(problems).toEqual([
      { key: "userPool", message: expect.stringContaining('agent pool "abcdefghijkl1" has 13 characters; AKS accepts 1 to 12') as string },
      { key: "userPool", message: 'two agent pools are named "a"; set name= on one of them' },
      { key: "infraPool", message: 'two agent pools are named "system"; set name= on one of them' },
    ]);
  });
});
