/** The hostnames of an ingress, and the zone above theirs. */
import { expect, test } from "vitest";
import { hostnameOf, ownsRecord, parentZoneOf, plainServer, recordNames } from "../../../src/domain/aks/ingress-records.js";

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

test("the parent is the closest public zone above", () => {
  const zones = [{ name: "com" }, { name: "Example.com" }, { name: "eastus.example.com" }, { name: "xample.com" }];
  expect(parentZoneOf(zones, domain.zone)).toEqual({ name: "Example.com" });
  expect(parentZoneOf([{ name: "example.com", zoneType: "Private" }], domain.zone)).toBeUndefined();
  expect(parentZoneOf([{ name: "ple.com" }], domain.zone)).toBeUndefined();
});

test("name servers are the same in any case and with or without a trailing dot", () => {
  expect(plainServer("NS1-01.Azure-DNS.com.")).toBe("ns1-01.azure-dns.com");
});

test("the metadata of a record name its owner", () => {
  const svc = { kind: "service-cluster", name: "svc" } as const;
  expect(ownsRecord({ "aro-hcp-service-cluster": "svc" }, svc)).toBe(true);
  expect(ownsRecord({ "aro-hcp-service-cluster": "other" }, svc)).toBe(false);
  expect(ownsRecord({ "aro-hcp-management-cluster": "svc" }, svc)).toBe(false);
  expect(ownsRecord(undefined, svc)).toBe(false);
});
