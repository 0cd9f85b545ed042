/** Rows of the network: its subnet, its addresses and its peerings; and of the load balancer's parts. */
import { groups, ids, inGroup } from "../cli/demo-cluster.js";
import { setProperties, deleteResources } from "../harness/state-changes.js";
import { azureRest } from "../harness/azure-rest.js";
import { firstLine } from "./advice.js";
import { advised, store, subjects, type Scenario } from "./infra-rows.js";

const otherNsg = inGroup(groups.nsg, "networkSecurityGroups/other");
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

export const networks: Scenario = {
  title: "the network",
  flags: "--subnet-cidr 10.0.0.0/29",
  async prepare(state) {
    await state.follow(state.command);
    await state.seed({ resources: { [otherNsg]: { location: "eastus", properties: {} }, ...peered({}) } });
  },
  rows: [
    {
      check: "subnet-exists",
      subject: subjects.vnet,
      evidence: /has no subnet "default"/,
      next: /`aro-hcp create infra .* --subnet-cidr 10\.0\.0\.0\/29` adds it/,
      make: (there) => deleteResources(there, ids.subnet),
      mend: "first",
    },
    {
      check: "subnet-security-group",
      subject: subjects.vnet,
      evidence: /no network security group is attached/,
      next: /`aro-hcp create infra .*` attaches .*demo-demo-x7k2-nsg/,
      make: (there) => store(there, ids.subnet, (stored) => delete stored.properties["networkSecurityGroup"]),
      mend: "first",
    },
    {
      check: "subnet-security-group",
      subject: subjects.vnet,
      evidence: /networkSecurityGroups\/other is attached, but the cloud provider writes its rules to .*demo-demo-x7k2-nsg/,
      next: /`az network vnet subnet update --ids .*subnets\/default --network-security-group .*demo-demo-x7k2-nsg`/,
      make: (there) => setProperties(there, ids.subnet, { networkSecurityGroup: { id: otherNsg } }),
      mend: "first",
    },
    {
      check: "subnet-delegation",
      subject: subjects.vnet,
      evidence: /delegated to Microsoft\.Sql\/managedInstances, so it cannot contain virtual machines/,
      next: /--remove delegations/,
      make: (there) =>
        setProperties(there, ids.subnet, { delegations: [{ name: "sql", properties: { serviceName: "Microsoft.Sql/managedInstances" } }] }),
      mend: "first",
    },
    {
      check: "subnet-addresses",
      subject: subjects.vnet,
      evidence: /^no address is free \(3 usable addresses\)/,
      next: /pass a larger subnet with --subnet-id/,
      make: (there) =>
        there.seed({
          resources: Object.fromEntries(
            machines.map((id) => [
              id,
              { location: "eastus", properties: { ipConfigurations: [{ name: "one", properties: { subnet: { id: ids.subnet } } }] } },
            ]),
          ),
        }),
      mend: ({ azure }) => azureRest(azure).arm("DELETE", machine(1), "2025-05-01"),
    },
    {
      check: "peering-connected",
      subject: subjects.vnet,
      state: "warning",
      evidence: /^hub is Disconnected, FullyInSync$/,
      next: /`az network vnet peering delete --ids .*hub`, and create it again on both networks/,
      make: (there) => there.seed({ resources: peered({ peeringState: "Disconnected" }) }),
      async mend(there, row) {
        await firstLine(advised(there), row);
        await there.seed({ resources: peered({}) });
      },
    },
    {
      check: "peering-connected",
      subject: subjects.vnet,
      state: "warning",
      evidence: /^hub is Connected, RemoteNotInSync$/,
      next: /^`az network vnet peering sync --ids .*hub`$/,
      make: (there) => there.seed({ resources: peered({ peeringSyncLevel: "RemoteNotInSync" }) }),
      mend: "first",
    },
    {
      check: "peering-ranges",
      subject: subjects.vnet,
      state: "warning",
      evidence: /^hub: 10\.133\.0\.0\/16 overlaps the pod network 10\.132\.0\.0\/14: pods cannot reach/,
      next: /hypershift create cluster azure --cluster-cidr/,
      make: (there) => there.seed({ resources: peered({ remoteAddressSpace: { addressPrefixes: ["10.133.0.0/16"] } }) }),
      mend: (there) => there.seed({ resources: peered({}) }),
    },
    {
      check: "balancer-parts",
      subject: subjects.balancer,
      evidence: /^probes\[demo-x7k2\] is missing; found: renamed$/,
      next: /`aro-hcp create infra .*` adds the missing part to the existing ones/,
      make: (there) =>
        setProperties(there, ids.loadBalancer, { probes: [{ name: "renamed", properties: { port: 30595, protocol: "Tcp" } }] }),
      mend: "first",
    },
  ],
};
