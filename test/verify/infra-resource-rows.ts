/** Rows of resources that are there, and not as they should be: in flight, failed, of others, elsewhere, different. */
import { groupId, groups, ids, ownership } from "../cli/demo-cluster.js";
import { updateResource, setProvisioningState, deleteResources } from "../harness/state-changes.js";
import { altered, move, store, subjects, type Row, type Scenario } from "./infra-rows.js";

export const alteredResources: Scenario = {
  title: "a resource that is not as wanted",
  rows: [
    {
      check: "resource-at-rest",
      subject: subjects.ip,
      state: "warning",
      evidence: /in flight: Updating/,
      next: /wait a few minutes until it has finished/,
      make: (there) => setProvisioningState(there, ids.publicIp, "Updating"),
      mend: (there) => setProvisioningState(there, ids.publicIp, "Succeeded"),
    },
    {
      check: "resource-succeeded",
      subject: subjects.vnet,
      evidence: /ended as Failed/,
      next: /`aro-hcp create infra .*` writes it again unchanged/,
      make: (there) => setProvisioningState(there, ids.vnet, "Failed"),
      mend: "first",
    },
    {
      check: "resource-owned",
      subject: subjects.balancer,
      evidence: /exists but has a different owner: its ownership tags name another owner/,
      next: /choose a different --name or --infra-id, or delete it/,
      make: (there) => store(there, ids.loadBalancer, (stored) => (stored.tags = { ...ownership, "aro-hcp-infra-id": "other" })),
      mend: async (there) => {
        await deleteResources(there, ids.loadBalancer);
        await there.follow(there.command);
      },
    },
    ...[
      [subjects.nsg, ids.nsg],
      [subjects.vnet, ids.vnet],
      [subjects.managed, groupId(groups.managed)],
    ].map(([subject = "", id = ""]): Row => ({
      check: "resource-location",
      subject,
      evidence: /is in westus3, not in eastus: .*must be in one location/,
      next: /pass --location westus3, or use a different one/,
      make: (there) => move(there, id, "westus3"),
      mend: (there) => move(there, id, "eastus"),
    })),
    {
      check: "resource-as-wanted",
      subject: subjects.ip,
      evidence: /is Basic and Static, not Standard/,
      next: /delete it and rerun the command/,
      make: (there) => store(there, ids.publicIp, (stored) => (stored.sku = { name: "Basic" })),
      mend: async (there) => {
        await deleteResources(there, ids.publicIp);
        await there.follow(there.command);
      },
    },
    {
      check: "resource-as-made",
      subject: subjects.ip,
      state: "warning",
      evidence: /^idleTimeoutInMinutes: 30, not 4$/,
      next: /create infra does not revert it, because the change may be intended/,
      ...altered(ids.publicIp, { idleTimeoutInMinutes: 30 }, { idleTimeoutInMinutes: 4 }),
    },
    {
      check: "resource-as-made",
      subject: subjects.balancer,
      state: "warning",
      evidence:
        /^probes\[demo-x7k2\]\.requestPath: \/ready, not \/healthz; outboundRules\[demo-x7k2\]\.allocatedOutboundPorts: 64, not 1024$/,
      next: /set the wanted values in the portal/,
      make: (there) =>
        updateResource(there, ids.loadBalancer, (live) => ({ properties: reworded(live.properties, "/healthz", "/ready", 64) })),
      mend: (there) =>
        updateResource(there, ids.loadBalancer, (live) => ({ properties: reworded(live.properties, "/ready", "/healthz", 1024) })),
    },
  ],
};

function reworded(live: Record<string, unknown>, from: string, to: string, ports: number): Record<string, unknown> {
  const text = JSON.stringify(live).replace(`"requestPath":"${from}"`, `"requestPath":"${to}"`);
  return JSON.parse(text.replace(/"allocatedOutboundPorts":\d+/, `"allocatedOutboundPorts":${String(ports)}`)) as Record<string, unknown>;
}
