/** The emulated types as Azure's own SDKs see them: through the server, with real pollers and pagers. */
import { DnsManagementClient } from "@azure/arm-dns";
import { ManagedServiceIdentityClient } from "@azure/arm-msi";
import { NetworkManagementClient } from "@azure/arm-network";
import { PrivateDnsManagementClient } from "@azure/arm-privatedns";
import { ResourceManagementClient } from "@azure/arm-resources";
import { expect, test } from "vitest";
import { wellKnown } from "../../../../src/emulator/index.js";
import { openLocalServer } from "../../local-server.js";
import { all, sdkAccess } from "../../sdk-access.js";

async function openClients() {
  const { credential, options } = sdkAccess(await openLocalServer());
  const { subscriptionId } = wellKnown;
  return {
    resources: new ResourceManagementClient(credential, subscriptionId, options),
    network: new NetworkManagementClient(credential, subscriptionId, options),
    dns: new DnsManagementClient(credential, subscriptionId, options),
    privateDns: new PrivateDnsManagementClient(credential, subscriptionId, options),
    identities: new ManagedServiceIdentityClient(credential, subscriptionId, options),
  };
}

test("a cluster's infrastructure is made, listed and deleted with the real SDKs", async () => {
  const { resources, network, dns, privateDns, identities } = await openClients();
  const location = "eastus";
  await resources.resourceGroups.createOrUpdate("demo", { location });
  const nsg = await network.networkSecurityGroups.beginCreateOrUpdateAndWait("demo", "demo-nsg", { location });
  const vnet = await network.virtualNetworks.beginCreateOrUpdateAndWait("demo", "demo", {
    location,
    addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
    subnets: [{ name: "default", addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: nsg.id ?? "" } }],
  });
  expect(vnet.provisioningState).toBe("Succeeded");
  expect(vnet.subnets?.[0]).toMatchObject({ name: "default", networkSecurityGroup: { id: nsg.id } });
  const address = await network.publicIPAddresses.beginCreateOrUpdateAndWait("demo", "infra", {
    location,
    sku: { name: "Standard" },
    publicIPAllocationMethod: "Static",
  });
  const id = `${(address.id ?? "").replace("publicIPAddresses", "loadBalancers")}`;
  const balancer = await network.loadBalancers.beginCreateOrUpdateAndWait("demo", "infra", {
    location,
    sku: { name: "Standard" },
    frontendIPConfigurations: [{ name: "infra", publicIPAddress: { id: address.id ?? "" } }],
    backendAddressPools: [{ name: "infra" }],
    outboundRules: [
      {
        name: "infra",
        protocol: "All",
        backendAddressPool: { id: `${id}/backendAddressPools/infra` },
        frontendIPConfigurations: [{ id: `${id}/frontendIPConfigurations/infra` }],
      },
    ],
  });
  expect(balancer.outboundRules?.[0]?.id).toBe(`${id}/outboundRules/infra`);
  await privateDns.privateZones.beginCreateOrUpdateAndWait("demo", "demo.example.com", { location: "global" });
  const link = await privateDns.virtualNetworkLinks.beginCreateOrUpdateAndWait("demo", "demo.example.com", "demo", {
    location: "global",
    virtualNetwork: { id: vnet.id ?? "" },
    registrationEnabled: false,
  });
  expect(link).toMatchObject({ provisioningState: "Succeeded", virtualNetworkLinkState: "Completed" });
  expect((await all(dns.zones.list())).map(({ name }) => name)).toEqual(["hcp.example.com"]);
  expect(await all(identities.userAssignedIdentities.listBySubscription())).toEqual([]);
  const listed = await all(resources.resources.listByResourceGroup("demo"));
  expect(listed.map(({ name }) => name).sort()).toEqual([
    "demo",
    "demo-nsg",
    "demo.example.com",
    "demo.example.com/demo",
    "infra",
    "infra",
  ]);

  await expect(network.networkSecurityGroups.beginDeleteAndWait("demo", "demo-nsg")).rejects.toMatchObject({
    statusCode: 400,
    code: "InUseNetworkSecurityGroupCannotBeDeleted",
  });
  await network.loadBalancers.beginDeleteAndWait("demo", "infra");
  await network.publicIPAddresses.beginDeleteAndWait("demo", "infra");
  await privateDns.virtualNetworkLinks.beginDeleteAndWait("demo", "demo.example.com", "demo");
  await privateDns.privateZones.beginDeleteAndWait("demo", "demo.example.com");
  await network.subnets.beginDeleteAndWait("demo", "demo", "default");
  await network.virtualNetworks.beginDeleteAndWait("demo", "demo");
  await network.networkSecurityGroups.beginDeleteAndWait("demo", "demo-nsg");
  expect(await all(resources.resources.listByResourceGroup("demo"))).toEqual([]);
  await resources.resourceGroups.beginDeleteAndWait("demo");
  expect((await resources.resourceGroups.checkExistence("demo")).body).toBe(false);
});

test("a link that breaks a rule fails in the SDK's poller, after it was accepted", async () => {
  const { resources, privateDns } = await openClients();
  const group = await resources.resourceGroups.createOrUpdate("demo", { location: "eastus" });
  await privateDns.privateZones.beginCreateOrUpdateAndWait("demo", "demo.example.com", { location: "global" });
  const virtualNetwork = { id: `${group.id ?? ""}/providers/Microsoft.Network/virtualNetworks/none` };
  const linked = privateDns.virtualNetworkLinks.beginCreateOrUpdateAndWait("demo", "demo.example.com", "l", {
    location: "global",
    virtualNetwork,
  });
  await expect(linked).rejects.toThrow(/BadRequest/);
});
