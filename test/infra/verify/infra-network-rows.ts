/** Rows of the virtual network, with its subnet, addresses and peerings, and of the load balancer's parts. */
import { expect } from "vitest";
import { groups, ids, inGroup } from "../../cli/demo-cluster.js";
import { changeResource, setProperties, deleteResources } from "../../harness/state-changes.js";
import { azureRest } from "../../harness/azure-rest.js";
import { firstLine } from "../../verify/advice.js";
import { advised, subjects, type Scenario } from "./infra-rows.js";

const otherNsg = inGroup(groups.nsg, "networkSecurityGroups/other");
const otherAddress = inGroup(groups.vnet, "publicIPAddresses/other");
const otherGateway = inGroup(groups.vnet, "natGateways/other");
const peering = `${ids.vnet}/virtualNetworkPeerings/hub`;
const peered = (values: object) => ({
  [peering]: {
    properties: {
      peeringState: "Connected",
      peeringSyncLevel: "FullyInSync",
      remoteAddressSpace: { addressPrefixes: ["10.9.0.0/16"] },
      ...values,
    },
  },
});
const machine = (number: number) => inGroup(groups.managed, `networkInterfaces/worker-${String(number)}`);
const machines = [1, 2, 3].map(machine);

/** A rule of the cluster's network security group for each of `rules`. */
export function outboundRules(...rules: readonly object[]): Record<string, object> {
  const all = { direction: "Outbound", protocol: "*", sourcePortRange: "*", destinationPortRange: "*", sourceAddressPrefix: "*" };
  return Object.fromEntries(
    rules.map((rule, index) => [
      `${ids.nsg}/securityRules/${index === 0 ? "closed" : `rule-${String(index)}`}`,
      { properties: { ...all, destinationAddressPrefix: "*", priority: 400 - index * 100, ...rule } },
    ]),
  );
}

export const table = inGroup(groups.vnet, "routeTables/table");

export function routeTable(...routes: readonly object[]): Record<string, object> {
  const named = routes.map((properties, index) => ({ name: index === 0 ? "default" : `route-${String(index)}`, properties }));
  return { [table]: { location: "eastus", properties: { routes: named } } };
}

export const networks: Scenario = {
  title: "the virtual network",
  flags: "--subnet-cidr 10.0.0.0/29 --expected-nodes 100",
  async prepare(state) {
    await state.follow(state.command);
    await state.seed({ resources: { [otherNsg]: { location: "eastus", properties: {} }, ...peered({}) } });
  },
  rows: [
    {
      check: "subnet-exists",
      subject: subjects.vnet,
      fault: "a missing subnet",
      evidence: /has no subnet "default"/,
      next: /`aro-hcp create infra .* --subnet-cidr 10\.0\.0\.0\/29 .*` adds it/,
      breaks: (state) => deleteResources(state, ids.subnet),
      fix: "first",
    },
    {
      check: "subnet-security-group",
      subject: subjects.vnet,
      fault: "a subnet without a network security group",
      evidence: /no network security group is attached/,
      next: /`aro-hcp create infra .*` attaches .*demo-demo-x7k2-nsg/,
      breaks: (state) => changeResource(state, ids.subnet, (stored) => delete stored.properties["networkSecurityGroup"]),
      fix: "first",
    },
    {
      check: "subnet-security-group",
      subject: subjects.vnet,
      fault: "another network security group",
      evidence: /networkSecurityGroups\/other is attached, but the cloud provider writes its rules to .*demo-demo-x7k2-nsg/,
      next: /`az network vnet subnet update --ids .*subnets\/default --network-security-group .*demo-demo-x7k2-nsg`/,
      breaks: (state) => setProperties(state, ids.subnet, { networkSecurityGroup: { id: otherNsg } }),
      fix: "first",
    },
    {
      check: "subnet-delegation",
      subject: subjects.vnet,
      fault: "a delegated subnet",
      evidence: /delegated to Microsoft\.Sql\/managedInstances, so it cannot contain virtual machines/,
      next: /--remove delegations/,
      breaks: (state) =>
        setProperties(state, ids.subnet, { delegations: [{ name: "sql", properties: { serviceName: "Microsoft.Sql/managedInstances" } }] }),
      fix: "first",
    },
    {
      check: "subnet-addresses",
      subject: subjects.vnet,
      fault: "a subnet without free addresses",
      evidence: /^no address is free \(3 usable addresses\)/,
      next: /pass a larger subnet with --subnet-id/,
      breaks: (state) =>
        state.seed({
          resources: Object.fromEntries(
            machines.map((id) => [
              id,
              { location: "eastus", properties: { ipConfigurations: [{ name: "one", properties: { subnet: { id: ids.subnet } } }] } },
            ]),
          ),
        }),
      fix: ({ azure }) => azureRest(azure).arm("DELETE", machine(1), "2025-05-01"),
    },
    {
      check: "outbound-rules",
      subject: subjects.vnet,
      fault: "a rule that denies all outbound traffic",
      evidence: /^rule "closed" of priority 400 denies TCP to port 443 of every address/,
      next: /`az network nsg rule delete .* --name closed`/,
      breaks: (state) => state.seed({ resources: outboundRules({ access: "Deny" }) }),
      fix: "first",
    },
    {
      check: "outbound-routes",
      subject: subjects.vnet,
      fault: "a default route that drops traffic",
      evidence: /^route "default" of table drops traffic to every address outside the network/,
      next: /`az network route-table route delete .* --route-table-name table --name default`$/,
      async breaks(state) {
        await state.seed({ resources: routeTable({ addressPrefix: "0.0.0.0/0", nextHopType: "None" }) });
        await setProperties(state, ids.subnet, { routeTable: { id: table } });
      },
      fix: "first",
    },
    {
      check: "outbound-precedence",
      subject: subjects.vnet,
      fault: "a NAT gateway of others on the subnet",
      state: "warning",
      evidence: /natGateways\/other is attached to the subnet, and a NAT gateway has precedence over the outbound rule/,
      next: /^to detach it, choose the egress: `aro-hcp create infra .* --change-egress .*--egress load-balancer`; or choose the NAT gateway$/,
      async breaks(state) {
        const standard = { location: "eastus", sku: { name: "Standard" } };
        const address = { ...standard, properties: { publicIPAllocationMethod: "Static" } };
        const gateway = { ...standard, properties: { publicIpAddresses: [{ id: otherAddress }] } };
        await state.seed({ resources: { [otherAddress]: address, [otherGateway]: gateway } });
        await setProperties(state, ids.subnet, { natGateway: { id: otherGateway } });
      },
      fix: "first",
    },
    {
      check: "peering-connected",
      subject: subjects.vnet,
      fault: "a disconnected peering",
      state: "warning",
      evidence: /^hub is Disconnected, FullyInSync$/,
      next: /`az network vnet peering delete --ids .*hub`, and create it again on both networks/,
      breaks: (state) => state.seed({ resources: peered({ peeringState: "Disconnected" }) }),
      async fix(state, row) {
        await firstLine(advised(state), row);
        await state.seed({ resources: peered({}) });
      },
    },
    {
      check: "peering-connected",
      subject: subjects.vnet,
      fault: "a peering that is not in sync",
      state: "warning",
      evidence: /^hub is Connected, LocalNotInSync$/,
      next: /^`az network vnet peering sync --ids .*hub`$/,
      breaks: (state) => state.seed({ resources: peered({ peeringSyncLevel: "LocalNotInSync" }) }),
      fix: "first",
    },
    {
      check: "peering-connected",
      subject: subjects.vnet,
      fault: "a peering whose other side is not in sync either",
      state: "warning",
      evidence: /^hub is Connected, LocalAndRemoteNotInSync$/,
      next: /^`az network vnet peering sync --ids .*hub`; sync the peering of the other network with this network \(/,
      breaks: (state) => state.seed({ resources: peered({ peeringSyncLevel: "LocalAndRemoteNotInSync" }) }),
      async fix(state, row) {
        await firstLine(advised(state), row);
        const [finding = ""] = (await state.verify()).filter(({ check }) => check === "peering-connected").map(({ evidence }) => evidence);
        expect(finding).toBe("hub is Connected, RemoteNotInSync");
        // The sync of the other network, which the emulator does not have.
        await state.seed({ resources: peered({}) });
      },
    },
    {
      check: "peering-ranges",
      subject: subjects.vnet,
      fault: "a peered network that overlaps the pod network",
      state: "warning",
      evidence: /^hub: 10\.133\.0\.0\/16 overlaps the pod network 10\.132\.0\.0\/14: pods cannot reach/,
      next: /hypershift create cluster azure --cluster-cidr/,
      breaks: (state) => state.seed({ resources: peered({ remoteAddressSpace: { addressPrefixes: ["10.133.0.0/16"] } }) }),
      fix: (state) => state.seed({ resources: peered({}) }),
    },
    {
      check: "outbound-ports",
      subject: subjects.balancer,
      fault: "ports for fewer workers",
      state: "warning",
      evidence: /^1024 ports each, of 1 address: enough for 62 workers, not for 100$/,
      next: /^`aro-hcp create infra .* --change-egress --expected-nodes 100` divides the ports among that many$/,
      breaks: (state) =>
        changeResource(state, ids.loadBalancer, (stored) => {
          const text = JSON.stringify(stored.properties).replace('"allocatedOutboundPorts":640', '"allocatedOutboundPorts":1024');
          stored.properties = JSON.parse(text) as typeof stored.properties;
        }),
      fix: "first",
    },
    {
      check: "balancer-parts",
      subject: subjects.balancer,
      fault: "a missing probe",
      evidence: /^probes\[demo-x7k2\] is missing; found: renamed$/,
      next: /`aro-hcp create infra .*` adds the missing part to the existing ones/,
      breaks: (state) =>
        setProperties(state, ids.loadBalancer, { probes: [{ name: "renamed", properties: { port: 30595, protocol: "Tcp" } }] }),
      fix: "first",
    },
  ],
};
