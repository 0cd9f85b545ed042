/** An option that decides what a cluster is made of is recorded, and is in the command that a verification advises: a new one cannot be forgotten. */
import { expect, test } from "vitest";
import { createInfraAdvice } from "../../src/infra/verify-infra.js";
import { recordOfInfra, requireValidRecord } from "../../src/infra/inputs/recorded-options.js";
import { recordedNames } from "../../src/settings/infrastructure-options.js";
import { create, nsgId, subnetId, subscription, vnetId } from "./resolving.js";

const network = (path: string) => `/subscriptions/${subscription}/resourceGroups/net/providers/Microsoft.Network/${path}`;

/** Several clusters, for some options exclude others. */
const clusters = [
  {
    ...{ naming: "hypershift", singleResourceGroup: true, resourceGroupName: "mine", egress: "nat-gateway", assignIdentityRoles: true },
    ...{ resourceGroupTags: ["team=a"], vnetCidr: "10.8.0.0/16", subnetCidr: "10.8.0.0/24", dnsZoneRgName: "dns" },
    ...{ managedIdentitiesFile: "a.json", disableClusterCapabilities: ["ImageRegistry"] },
  },
  { vnetId, subnetId, networkSecurityGroupId: nsgId, assignCustomHcpRoles: true, dnsZoneRgName: "dns", managedIdentitiesFile: "a.json" },
  { egress: "nat-gateway", natGatewayId: network("natGateways/corp") },
  { egress: "user-defined-routing", routeTableId: network("routeTables/corp") },
  { outboundAddresses: "2", expectedNodes: "100" },
  { publicIpPrefixId: [network("publicIPPrefixes/corp")] },
];

test("every option that decides which resources there are is recorded", async () => {
  const records = await Promise.all(clusters.map(async (flags) => Object.keys(recordOfInfra(await create(flags)))));
  expect(recordedNames.filter((key) => !records.flat().includes(key))).toEqual([]);
});

test("every record that a create writes is valid when it is read", async () => {
  const records = await Promise.all(clusters.map(async (flags) => recordOfInfra(await create(flags))));
  for (const record of records) expect(await requireValidRecord(record, "infra.json")).toEqual(record);
});

test("every one of them is in the command that a verification advises", async () => {
  const advised = await Promise.all(clusters.map(async (flags) => Object.keys(createInfraAdvice((await create(flags)).settings).settings)));
  expect(recordedNames.filter((key) => !advised.flat().includes(key))).toEqual([]);
});
