/** Rows of resource groups and of existing networks: locks, tags, locations. */
import { groupId, groups } from "../../cli/demo-cluster.js";
import { existing, seedNetworks } from "../existing-networks.js";
import { changeResource, setProvisioningState, deleteResources } from "../../harness/state-changes.js";
import { move, subjects, type Scenario } from "./infra-rows.js";

const lock = `${groupId(groups.managed)}/providers/Microsoft.Authorization/locks/keep`;

export const resourceGroups: Scenario = {
  title: "resource groups",
  flags: "--resource-group-tags 'team=the edge' --vnet-cidr 10.0.0.0/16",
  rows: [
    {
      check: "no-locks",
      subject: subjects.cluster,
      fault: "a lock",
      state: "warning",
      evidence: /^"keep" \(CanNotDelete\) on .*resourceGroups\/demo-demo-x7k2$/,
      next: /`az lock delete --ids .*locks\/keep`/,
      breaks: (state) => state.seed({ resources: { [lock]: { properties: { level: "CanNotDelete" } } } }),
      fix: "first",
    },
    {
      check: "resource-as-wanted",
      subject: subjects.vnetGroup,
      fault: "a missing tag",
      evidence: /^tags\.team: nothing, not the edge$/,
      next: /`aro-hcp create infra .* --resource-group-tags 'team=the edge'` fixes it/,
      breaks: (state) => changeResource(state, groupId(groups.vnet), (stored) => delete stored.tags?.["team"]),
      fix: "first",
    },
  ],
};

const theirs = { vnet: "virtual network theirs", nsg: "network security group theirs" };

export const existingNetwork: Scenario = {
  title: "an existing network",
  flags: `--vnet-id ${existing.vnet} --subnet-id ${existing.subnet} --network-security-group-id ${existing.nsg} --resource-group-name mine`,
  async prepare(state) {
    await seedNetworks(state);
    await state.follow(state.command);
  },
  rows: [
    {
      check: "subnet-security-group",
      subject: theirs.vnet,
      fault: "a subnet without a network security group",
      evidence: /has no network security group: .* an existing subnet is never changed/,
      next: /az network vnet subnet update --ids .*workers --network-security-group .*theirs/,
      breaks: (state) => changeResource(state, existing.subnet, (stored) => delete stored.properties["networkSecurityGroup"]),
      fix: "first",
    },
    {
      check: "resource-succeeded",
      subject: theirs.vnet,
      fault: "a network whose last operation failed",
      evidence: /ended as Failed/,
      next: /`az network vnet update --ids .*virtualNetworks\/theirs` writes it again/,
      breaks: (state) => setProvisioningState(state, existing.vnet, "Failed"),
      fix: "first",
    },
    {
      check: "resource-location",
      subject: theirs.nsg,
      fault: "another location",
      evidence: /is in westus3, not in eastus/,
      next: /pass --location westus3, or (?:a different|pass --)/,
      breaks: (state) => move(state, existing.nsg, "westus3"),
      fix: (state) => move(state, existing.nsg, "eastus"),
    },
    {
      check: "resource-exists",
      subject: "resource group mine",
      fault: "a missing group",
      evidence: /resource group "mine" does not exist: --resource-group-name refers to it/,
      next: /correct --resource-group-name/,
      breaks: (state) => deleteResources(state, groupId("mine")),
      fix: async (state) => {
        await state.seed({ resources: { [groupId("mine")]: { location: "eastus" } } });
        await state.follow(state.command);
      },
    },
    {
      check: "subnet-exists",
      subject: theirs.vnet,
      fault: "a missing subnet",
      evidence: /subnet "workers" is not in virtual network theirs: the virtual network has no subnets/,
      next: /correct --subnet-id/,
      breaks: (state) => deleteResources(state, existing.subnet),
      fix: (state) => seedNetworks(state),
    },
  ],
};
