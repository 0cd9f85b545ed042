/** Rows of missing resources. */
import { groupId, groups, ids } from "../../cli/demo-cluster.js";
import { deleteResources } from "../../harness/state-changes.js";
import { run } from "../../verify/advice.js";
import { advised, subjects, type Row, type Scenario } from "./infra-rows.js";

const missing = (subject: string, ...gone: string[]): Row => ({
  check: "resource-exists",
  subject,
  fault: "a missing resource",
  evidence: /^it does not exist$/,
  next: /^`aro-hcp create infra --name demo --infra-id demo-x7k2 --base-domain hcp\.example\.com --location eastus` creates what is missing$/,
  breaks: (state) => deleteResources(state, ...gone),
  fix: "first",
});

export const missingResources: Scenario = {
  title: "missing resources",
  rows: [
    missing(subjects.ip, ids.publicIp),
    missing(subjects.balancer, ids.loadBalancer),
    missing(subjects.link, ids.link),
    missing(subjects.zone, ids.privateZone),
    missing(subjects.vnet, ids.vnet),
    missing(subjects.managed, groupId(groups.managed)),
    missing(subjects.vnetGroup, groupId(groups.vnet)),
    {
      ...missing(subjects.nsg, ids.nsg),
      // Azure deletes no security group in use: the subnet is changed first.
      breaks: async (state) => deleteResources(state, ids.nsg),
    },
    {
      check: "resource-exists",
      subject: subjects.publicZone,
      fault: "a missing zone",
      evidence: /public DNS zone "hcp\.example\.com" not found in subscription/,
      next: /aro-hcp create dns-zone --base-domain hcp\.example\.com/,
      breaks: (state) => deleteResources(state, ids.publicZone),
      fix: (state) => run(advised(state), "az network dns zone create --name hcp.example.com --resource-group dns"),
    },
  ],
};
