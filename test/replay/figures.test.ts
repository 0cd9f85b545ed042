/** The figures of a replay, and the floor under them. */
import { expect, test } from "vitest";
import { agrees, belowFloor, figuresOf, percent } from "../../tools/replay-figures.js";
import { isForeign, isNoise, repeatable } from "../../tools/replay-noise.js";
import type { ReplayRow } from "../../tools/replay-rows.js";

const row = (change: Partial<ReplayRow> = {}): ReplayRow => ({
  recording: "aso2026/Test_Network.yaml",
  index: 0,
  kind: "Microsoft.Network/natGateways",
  method: "GET",
  at: Date.parse("2023-06-01") / 1000,
  url: "https://management.azure.com/…",
  recorded: 200,
  outcome: "agrees",
  ...change,
});

const differs = row({ outcome: "differs", differences: [["missing", "properties.x", "1", null]] });

test("an answer that cannot be compared counts for nothing", () => {
  const rows = [
    row(),
    row({ kind: "vault keys", recording: "aso2026/Test_Vault.yaml" }),
    differs,
    row({ outcome: "cascade" }),
    row({ outcome: "not-served" }),
  ];
  expect(figuresOf(rows)).toEqual({
    recordings: 2,
    agreeing: 2,
    compared: 3,
    notServed: 1,
    families: { "key vaults": { agreeing: 1, compared: 1, notServed: 0 }, network: { agreeing: 1, compared: 2, notServed: 1 } },
  });
});

test("a share is rounded down", () => {
  expect(percent({ agreeing: 578, compared: 975 })).toBe(59.2);
});

test("an answer agrees if it differs in nothing that Azure decides, and nothing was left out of its request", () => {
  const version = ["value", "properties.kubernetesVersion", "1.27", "1.35"] as const;
  const cluster = row({ kind: "Microsoft.ContainerService/managedClusters", outcome: "differs", differences: [version] });
  expect(agrees(cluster)).toBe(true);
  expect(agrees({ ...cluster, differences: [version, ["value", "properties.dnsPrefix", "a", "b"]] })).toBe(false);
  expect(agrees({ ...cluster, stripped: ["properties.x"] })).toBe(false);
  expect(agrees({ ...cluster, kind: "Microsoft.Network/natGateways" })).toBe(false);
});

test("what Azure changed one day is noise in older recordings alone", () => {
  const answer = { kind: "Microsoft.Storage/storageAccounts", url: "https://management.azure.com/…" };
  const oldDefault = ["value", "properties.minimumTlsVersion", "TLS1_0", "TLS1_2"] as const;
  expect(isNoise({ ...answer, at: Date.parse("2023-12-31") / 1000 }, oldDefault)).toBe(true);
  expect(isNoise({ ...answer, at: Date.parse("2024-02-01") / 1000 }, oldDefault)).toBe(false);
  expect(isNoise({ ...answer, at: null }, oldDefault)).toBe(false);
});

test("what existed before the recording, or names an ended version of Kubernetes, cannot be sent again", () => {
  const missing = row({ answered: 404, outcome: "differs", url: "https://management.azure.com/a?api-version=1" });
  const made = row({ ...missing, method: "PUT", recorded: 201, answered: 201, url: "https://management.azure.com/A?api-version=1" });
  const ended = row({ answeredError: '{"code":"AgentPoolK8sVersionNotSupported"}', outcome: "differs" });
  expect(repeatable([missing, made, missing, ended])).toEqual([made, missing]);
});

test("gateways are foreign, application security groups are not", () => {
  expect(isForeign({ kind: "Microsoft.Network/applicationGateways" })).toBe(true);
  expect(isForeign({ kind: "Microsoft.EventGrid/topics (list)" })).toBe(true);
  expect(isForeign({ kind: "Microsoft.Keyvault/vaults" })).toBe(false);
  expect(isForeign({ kind: "Microsoft.Network/applicationSecurityGroups" })).toBe(false);
  expect(isForeign({ kind: "vault keys" })).toBe(false);
});

test("a smaller share, of a family too, and more requests that are not served are below the floor", () => {
  const figures = {
    recordings: 1,
    agreeing: 90,
    compared: 100,
    notServed: 60,
    families: { AKS: { agreeing: 17, compared: 20, notServed: 0 } },
  };
  expect(belowFloor(figures, { agreeing: 90, eachFamily: 85, notServed: 60 })).toEqual([]);
  expect(belowFloor(figures, { agreeing: 90.1, eachFamily: 85.1, notServed: 59 })).toEqual([
    "90 % of the answers agree; the floor is 90.1 %",
    "85 % of the answers of the family AKS agree; the floor is 85.1 %",
    "not served: 60 requests; the limit is 59",
  ]);
});
