/** What Azure answers to the delete of a resource that another one uses: both lists of codes know each answer, of every type. */
import { expect, test } from "vitest";
import { retryRules } from "../../src/azure/retry-rules.js";
import { isUsed, rows } from "../../src/domain/resource-catalogue.js";
import { failureCodeFor } from "../../src/errors/translate.js";
import { ArmState } from "../emulator/arm/arm-state.js";
import { networkInterface, loadBalancer, publicAddress, under, withNetwork } from "../emulator/arm/types/network-bodies.js";

/** Makes a resource of the type that another one uses, and returns its ID. */
const makers: Readonly<Record<string, (arm: ArmState) => string>> = {
  "Microsoft.Network/virtualNetworks": (arm) => {
    const { group, vnet, subnetId } = withNetwork(arm);
    arm.put(under(group, "networkInterfaces/user"), networkInterface(subnetId));
    return vnet;
  },
  "Microsoft.Network/networkSecurityGroups": (arm) => withNetwork(arm).nsg,
  "Microsoft.Network/publicIPAddresses": (arm) => {
    const { group } = withNetwork(arm);
    const address = under(group, "publicIPAddresses/i");
    arm.put(address, publicAddress());
    const balancer = under(group, "loadBalancers/i");
    arm.put(balancer, loadBalancer(balancer, "i", address));
    return address;
  },
  "Microsoft.Network/natGateways": (arm) => {
    const { group, vnet } = withNetwork(arm);
    const nat = under(group, "natGateways/nat");
    arm.put(nat, { location: "eastus", sku: { name: "Standard" }, properties: {} });
    arm.put(`${vnet}/subnets/out`, { properties: { addressPrefix: "10.0.9.0/24", natGateway: { id: nat } } });
    return nat;
  },
  "Microsoft.Network/privateDnsZones": (arm) => {
    const { group, vnet } = withNetwork(arm);
    const zone = under(group, "privateDnsZones/demo.example.com");
    arm.put(zone, { location: "global" });
    arm.put(`${zone}/virtualNetworkLinks/link`, {
      location: "global",
      properties: { virtualNetwork: { id: vnet }, registrationEnabled: false },
    });
    return zone;
  },
};

/** Azure deletes these although others use them. */
const deletable = new Set([
  "Microsoft.Kubernetes/connectedClusters",
  "Microsoft.Network/loadBalancers",
  "Microsoft.KeyVault/vaults",
  "Microsoft.ManagedIdentity/userAssignedIdentities",
  "Microsoft.Storage/storageAccounts",
]);

const held = rows
  .filter((row) => isUsed(row) && row.use.verbs.includes("write") && row.heldBy.length > 0)
  .map(({ type }) => type)
  .filter((type) => !deletable.has(type));

test.each(held)("the refusal to delete a %s in use is retried, and reported as in use", (type) => {
  const arm = new ArmState();
  const id = makers[type]?.(arm);
  const { status, body } = arm.delete(id ?? "");
  const { code } = (body as { error: { code: string } }).error;
  const rule = retryRules.find(({ statuses, codes, methods }) => {
    return statuses.includes(status) && codes?.includes(code) && methods?.includes("DELETE");
  });
  expect(rule?.because).toBe("a resource that used it is still being released");
  expect(failureCodeFor({ status, code })).toBe("ARO-DELETE-001");
});

test("the codes that are retried are the codes of a resource in use", () => {
  const { codes = [] } = retryRules.find(({ because }) => because === "a resource that used it is still being released") ?? {};
  expect(codes.map((code) => failureCodeFor({ status: 400, code }))).toEqual(codes.map(() => "ARO-DELETE-001"));
});
