/** A setting in an output file is checked like a given one: an invalid one is an error that names the file and the key. */
import { expect, test } from "vitest";
import { requireValidRecord } from "../../src/infra/inputs/recorded-options.js";
import { recordedOptionsSchema } from "../../src/files/recorded-options.js";

const group = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/n/providers/Microsoft.Network";

test.each<[string, object]>([
  ["vnetId", { vnetId: "garbage" }],
  ["vnetId", { vnetId: "/subscriptions/x" }],
  ["vnetId", { vnetId: `${group}/natGateways/a` }],
  ["location", { location: "" }],
  ["location", { location: "East US" }],
  ["vnetCidr", { vnetCidr: "banana" }],
  ["subnetCidr", { vnetCidr: "10.9.0.0/16" }],
  ["baseDomain", { baseDomain: "../../x" }],
  ["resourceGroupName", { resourceGroupName: "a/b" }],
  ["disableClusterCapabilities", { disableClusterCapabilities: ["nothing"] }],
  ["egress", { egress: "nat-gateway", vnetId: `${group}/virtualNetworks/a` }],
])("an invalid %s is an error: %j", async (key, record) => {
  await expect(requireValidRecord(record, "infra.json")).rejects.toThrow(
    expect.objectContaining({
      code: "ARO-FILE-003",
      problems: [{ origin: "infra.json", message: expect.stringContaining(`options.${key}: `) as string }],
    }) as Error,
  );
});

test.each<[string, object]>([
  ["a location", { location: "eastus" }],
  ["role assignments, which need no identity file", { baseDomain: "hcp.example.com", location: "eastus", assignIdentityRoles: true }],
  ["a prefix", { publicIpPrefixId: [`${group}/publicIPPrefixes/a`], expectedNodes: 100 }],
  ["an existing NAT gateway", { egress: "nat-gateway", natGatewayId: `${group}/natGateways/a` }],
  ["several addresses", { outboundAddresses: 3 }],
])("a record of %s is read", async (_what, record) => {
  expect(await requireValidRecord(record, "infra.json")).toEqual(record);
});

test("an option of a later program is left out, and the rest is read", () => {
  expect(recordedOptionsSchema.parse({ singleResourceGroup: true, later: 1 })).toEqual({ singleResourceGroup: true });
});
