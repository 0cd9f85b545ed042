/** The zones above a public DNS zone, and its name servers. */
import { expect, test } from "vitest";
import { nameInParent, parentZonesOf, plainServer, sameServers } from "../../../src/domain/dns-zone.js";

const zone = "eastus.example.com";

test("the parent is the closest public parent zone, and all of its name are returned", () => {
  const zones = [{ name: "com" }, { name: "Example.com" }, { name: zone }, { name: "xample.com" }];
  expect(parentZonesOf(zones, zone)).toEqual([{ name: "Example.com" }]);
  expect(parentZonesOf([...zones, { name: "example.com" }], zone)).toEqual([{ name: "Example.com" }, { name: "example.com" }]);
  expect(parentZonesOf([{ name: "example.com", zoneType: "Private" }], zone)).toEqual([]);
  expect(parentZonesOf([{ name: "ple.com" }], zone)).toEqual([]);
  expect(nameInParent(zone, "Example.com")).toBe("eastus");
});

test("name servers are the same in any order and case, and with or without a trailing dot", () => {
  expect(plainServer("NS1-01.Azure-DNS.com.")).toBe("ns1-01.azure-dns.com");
  expect(sameServers(["ns2.", "NS1"], ["ns1.", "ns2"])).toBe(true);
  expect(sameServers(["ns1"], ["ns1", "ns2"])).toBe(false);
  expect(sameServers(["ns1", "ns3"], ["ns1", "ns2"])).toBe(false);
});
