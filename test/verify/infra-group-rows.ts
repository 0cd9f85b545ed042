/** Rows of groups and of what is brought: locks, tags, networks of others. */
import { groupId, groups } from "../cli/demo-cluster.js";
import { existing, seedNetworks } from "../cli/existing-networks.js";
import { setProvisioningState, deleteResources } from "../harness/state-changes.js";
import { move, store, subjects, type Scenario } from "./infra-rows.js";

const lock = `${groupId(groups.managed)}/providers/Microsoft.Authorization/locks/keep`;

export const resourceGroups: Scenario = {
  title: "the resource groups",
  flags: "--resource-group-tags 'team=the edge' --vnet-cidr 10.0.0.0/16",
  rows: [
    {
      check: "no-locks",
      subject: subjects.cluster,
      state: "warning",
      evidence: /^"keep" \(CanNotDelete\) on .*resourceGroups\/demo-demo-x7k2$/,
      next: /`az lock delete --ids .*locks\/keep`/,
      make: (there) => there.seed({ resources: { [lock]: { properties: { level: "CanNotDelete" } } } }),
      mend: "first",
    },
    {
      check: "resource-as-wanted",
      subject: subjects.vnetGroup,
      evidence: /^tags\.team: nothing, not the edge$/,
      next: /`aro-hcp create infra .* --resource-group-tags 'team=the edge'` fixes it/,
      make: (there) => store(there, groupId(groups.vnet), (stored) => delete stored.tags?.["team"]),
      mend: "first",
    },
  ],
};

const theirs = { vnet: "virtual network theirs", nsg: "network security group theirs" };

export const broughtNetwork: Scenario = {
  title: "what is brought",
  flags: `--vnet-id ${existing.vnet} --subnet-id ${existing.subnet} --network-security-group-id ${existing.nsg} --resource-group-name mine`,
  async prepare(state) {
    await seedNetworks(state);
    await state.follow(state.command);
  },
  rows: [
    {
      check: "subnet-security-group",
      subject: theirs.vnet,
      evidence: /has no network security group: .* an existing subnet is never changed/,
      next: /az network vnet subnet update --ids .*workers --network-security-group .*theirs/,
      make: (there) => store(there, existing.subnet, (stored) => delete stored.properties["networkSecurityGroup"]),
      mend: "first",
    },
    {
      check: "resource-succeeded",
      subject: theirs.vnet,
      evidence: /ended as Failed/,
      next: /`az network vnet update --ids .*virtualNetworks\/theirs` writes it again/,
      make: (there) => setProvisioningState(there, existing.vnet, "Failed"),
      mend: "first",
    },
    {
      check: "resource-location",
      subject: theirs.nsg,
      evidence: /is in westus3, not in eastus/,
      next: /pass --location westus3, or use a different one/,
      make: (there) => move(there, existing.nsg, "westus3"),
      mend: (there) => move(there, existing.nsg, "eastus"),
    },
    {
      check: "resource-exists",
      subject: "resource group mine",
      evidence: /resource group "mine" does not exist: --resource-group-name refers to it/,
      next: /correct --resource-group-name/,
      make: (there) => deleteResources(there, groupId("mine")),
      mend: async (there) => {
        await there.seed({ resources: { [groupId("mine")]: { location: "eastus" } } });
        await there.follow(there.command);
      },
    },
    {
      check: "subnet-exists",
      subject: theirs.vnet,
      evidence: /subnet "workers" is not in virtual network theirs: the virtual network has no subnets/,
      next: /correct --subnet-id/,
      make: (there) => deleteResources(there, existing.subnet),
      mend: (there) => seedNetworks(there),
    },
  ],
};
