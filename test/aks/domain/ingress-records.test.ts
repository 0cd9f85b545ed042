/** The hostnames of an ingress. */
import { expect, test } from "vitest";
import { hostnameOf, ownsRecord, recordNames } from "../../../src/aks/domain/ingress-records.js";

const domain = { zone: "eastus.example.com", zoneGroup: undefined, hosts: ["rp"], opsHosts: ["admin", "rp"], delegate: false };

test("each hostname has one address: that of the operators only if they have one", () => {
  expect(recordNames(domain, true)).toEqual([
    { name: "rp", address: "ingress" },
    { name: "admin", address: "ops" },
  ]);
  expect(recordNames(domain, false).map(({ address }) => address)).toEqual(["ingress", "ingress"]);
});

test("the apex is the zone itself", () => {
  expect([hostnameOf("@", domain.zone), hostnameOf("rp", domain.zone)]).toEqual(["eastus.example.com", "rp.eastus.example.com"]);
});

test("the metadata of a record name its owner", () => {
  const svc = { kind: "service-cluster", name: "svc" } as const;
  expect(ownsRecord({ "aro-hcp-service-cluster": "svc" }, svc)).toBe(true);
  expect(ownsRecord({ "aro-hcp-service-cluster": "other" }, svc)).toBe(false);
  expect(ownsRecord({ "aro-hcp-management-cluster": "svc" }, svc)).toBe(false);
  expect(ownsRecord(undefined, svc)).toBe(false);
});
