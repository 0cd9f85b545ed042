/** Rows of resources that are not there. */
import { groupId, groups, ids } from "../cli/demo-cluster.js";
import { deleteResources } from "../harness/state-changes.js";
import { run } from "./advice.js";
import { commandsIn } from "./healthy-state.js";
import { advised, subjects, type Row, type Scenario } from "./infra-rows.js";

const missing = (subject: string, ...gone: string[]): Row => ({
  check: "resource-exists",
  subject,
  evidence: /^it does not exist$/,
  next: /^`aro-hcp create infra --name demo --infra-id demo-x7k2 --base-domain hcp\.example\.com --location eastus` creates it$/,
  make: (there) => deleteResources(there, ...gone),
  mend: "first",
});

export const missingResources: Scenario = {
  title: "a resource that is missing",
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
      // A security group that is used cannot go in Azure: the subnet lets it go first.
      make: async (there) => deleteResources(there, ids.nsg),
    },
    {
      check: "resource-exists",
      subject: subjects.publicZone,
      evidence: /public DNS zone "hcp\.example\.com" not found in subscription/,
      next: /az network dns zone create --name hcp\.example\.com/,
      make: (there) => deleteResources(there, ids.publicZone),
      mend: (there, row) => run(advised(there), commandsIn(row)[0] ?? "", { "<group>": "dns" }),
    },
  ],
};
