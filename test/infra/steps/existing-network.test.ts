/** An error about an absent existing resource names the flag that specifies it. */
import { defaultEgress } from "../../../src/domain/egress.js";
import { expect, test } from "vitest";
import { offlineAzure } from "../../../src/azure/offline-azure.js";
import type { InfraSpec } from "../../../src/domain/infra-spec.js";
import { plainAdvice } from "../../harness/plain-advice.js";
import { infraGraph } from "../../../src/infra/steps/infra.js";

const subscriptionId = "5b5c0000-0000-4000-8000-000000000001";
const vnetId = `/subscriptions/${subscriptionId}/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/corp`;
const nsgId = `/subscriptions/${subscriptionId}/resourceGroups/net/providers/Microsoft.Network/networkSecurityGroups/corp`;

/** The advice of each step if its existing resource is absent. */
function adviceOf(existing: Partial<InfraSpec["existing"]>): Record<string, string> {
  const { steps } = infraGraph(offlineAzure(), {
    cluster: { name: "demo", infraId: "demo-x7k2" },
    subscriptionId,
    location: "eastus",
    baseDomain: "hcp.example.com",
    naming: "documented",
    ...{
      vnetCidr: "10.0.0.0/16",
      subnetCidr: "10.0.0.0/24",
      egress: defaultEgress,
      groupTags: {},
      existingGroup: undefined,
      singleResourceGroup: false,
    },
    existing: { vnetId: undefined, subnetId: undefined, networkSecurityGroupId: undefined, ...existing },
    dnsZoneGroup: undefined,
    roles: undefined,
  });
  const outputs = { vnet: { id: vnetId, securityGroupId: nsgId }, held: { id: vnetId } };
  return Object.fromEntries(
    steps.flatMap(({ id, declared }) => {
      if (!["vnet", "nsg"].includes(id)) return [];
      const decision = declared.decide(undefined, outputs, new Date());
      return decision.act === "refuse" ? [[id, plainAdvice(decision.failure.next?.[0] ?? "")]] : [];
    }),
  );
}

test("a subnet alone specifies its network, so the advice is to correct the subnet flag", () => {
  expect(adviceOf({ subnetId: `${vnetId}/subnets/nodes` })).toEqual({
    vnet: expect.stringContaining("correct --subnet-id,") as string,
    nsg: expect.stringContaining("correct --subnet-id,") as string,
  });
});

test("with a network flag too, the advice is to correct that flag", () => {
  expect(adviceOf({ vnetId, subnetId: `${vnetId}/subnets/nodes`, networkSecurityGroupId: nsgId })).toEqual({
    vnet: expect.stringContaining("correct --vnet-id,") as string,
    nsg: expect.stringContaining("correct --network-security-group-id,") as string,
  });
});
