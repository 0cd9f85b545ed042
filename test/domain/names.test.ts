import { expect, test } from "vitest";
import { nameProblem } from "../../src/domain/name-rules.js";
import { infraNames } from "../../src/domain/names.js";

const cluster = { name: "demo", infraId: "demo-x7k2", baseDomain: "hcp.example.com" };

test("documented names put the kind last and mark the private zone", () => {
  expect(infraNames("documented", cluster)).toEqual({
    groups: { managed: "demo-demo-x7k2", vnet: "demo-demo-x7k2-vnet", nsg: "demo-demo-x7k2-nsg" },
    vnet: "demo-demo-x7k2",
    subnet: "default",
    nsg: "demo-demo-x7k2-nsg",
    privateZone: "demo-azurecluster.hcp.example.com",
    privateZoneLink: "demo-demo-x7k2",
    publicIp: "demo-x7k2",
    loadBalancer: "demo-x7k2",
    natGateway: "demo-x7k2-nat",
    natPublicIp: "demo-x7k2-nat",
  });
});

test("hypershift names differ in two groups and the private zone, in nothing else", () => {
  const { groups, privateZone, ...rest } = infraNames("hypershift", cluster);
  const { groups: _groups, privateZone: _zone, ...documented } = infraNames("documented", cluster);
  expect(groups).toEqual({ managed: "demo-demo-x7k2", vnet: "demo-vnet-demo-x7k2", nsg: "demo-nsg-demo-x7k2" });
  expect(privateZone).toBe("demo.hcp.example.com");
  expect(rest).toEqual(documented);
});

test.each([
  ["resourceGroup", "a".repeat(90), true],
  ["resourceGroup", "a".repeat(91), false],
  ["resourceGroup", "ends.", false],
  ["resourceGroup", "(a)_b-c.d", true],
  ["virtualNetwork", "a", false],
  ["virtualNetwork", "ab", true],
  ["virtualNetwork", "a".repeat(65), false],
  ["loadBalancer", "a-", false],
  ["loadBalancer", "a_", true],
  ["subnet", "_a", false],
  ["publicIpAddress", "a".repeat(81), false],
  ["privateDnsZone", "single", false],
  ["privateDnsZone", "a.b", true],
  ["privateDnsZone", `${"a".repeat(64)}.b`, false],
] as const)("of %s names %j is good: %s", (kind, name, good) => {
  expect(nameProblem(kind, name) === undefined).toBe(good);
});
