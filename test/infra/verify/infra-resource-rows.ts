/** Rows of resources that exist but differ: in flight, failed, with another owner, in another location, changed. */
import { groupId, groups, ids, ownership } from "../../cli/demo-cluster.js";
import { changeResource, updateResource, setProvisioningState, deleteResources } from "../../harness/state-changes.js";
import { altered, move, subjects, type Row, type Scenario } from "./infra-rows.js";

export const alteredResources: Scenario = {
  title: "resources that differ",
  rows: [
    {
      check: "resource-at-rest",
      subject: subjects.ip,
      fault: "an operation in flight",
      state: "warning",
      evidence: /in flight: Updating/,
      next: /wait a few minutes until it has finished/,
      breaks: (state) => setProvisioningState(state, ids.publicIp, "Updating"),
      fix: (state) => setProvisioningState(state, ids.publicIp, "Succeeded"),
    },
    {
      check: "resource-succeeded",
      subject: subjects.vnet,
      fault: "a failed operation",
      evidence: /ended as Failed/,
      next: /`aro-hcp create infra .*` writes it again unchanged/,
      breaks: (state) => setProvisioningState(state, ids.vnet, "Failed"),
      fix: "first",
    },
    {
      check: "resource-owned",
      subject: subjects.balancer,
      fault: "tags of another cluster",
      evidence: /exists but has a different owner: its ownership tags name another owner/,
      next: /choose a different --name or --infra-id; delete this one only if its owner agrees/,
      breaks: (state) => changeResource(state, ids.loadBalancer, (stored) => (stored.tags = { ...ownership, "aro-hcp-infra-id": "other" })),
      fix: async (state) => {
        await deleteResources(state, ids.loadBalancer);
        await state.follow(state.command);
      },
    },
    {
      check: "resource-owned",
      subject: subjects.balancer,
      fault: "lost ownership tags",
      evidence: /^it lost its ownership tags; `hypershift create infra azure`/,
      next: /`aro-hcp create infra .*` adds them again/,
      breaks: (state) => changeResource(state, ids.loadBalancer, (stored) => delete stored.tags),
      fix: "first",
    },
    ...[
      [subjects.nsg, ids.nsg],
      [subjects.vnet, ids.vnet],
      [subjects.managed, groupId(groups.managed)],
    ].map(([subject = "", id = ""]): Row => ({
      check: "resource-location",
      subject,
      fault: "another location",
      evidence: /is in westus3, not in eastus: .*creates all of its resources in one location/,
      next: /pass --location westus3, or (?:a different|pass --)/,
      breaks: (state) => move(state, id, "westus3"),
      fix: (state) => move(state, id, "eastus"),
    })),
    {
      check: "resource-as-wanted",
      subject: subjects.ip,
      fault: "another SKU",
      evidence: /is Basic and Static, not Standard/,
      next: /delete it and rerun the command/,
      breaks: (state) => changeResource(state, ids.publicIp, (stored) => (stored.sku = { name: "Basic" })),
      fix: async (state) => {
        await deleteResources(state, ids.publicIp);
        await state.follow(state.command);
      },
    },
    {
      check: "resource-as-made",
      subject: subjects.ip,
      fault: "another idle timeout",
      state: "warning",
      evidence: /^idleTimeoutInMinutes: 30, not 4$/,
      next: /create infra does not revert it, because the change may be intended/,
      ...altered(ids.publicIp, { idleTimeoutInMinutes: 30 }, { idleTimeoutInMinutes: 4 }),
    },
    {
      check: "resource-as-made",
      subject: subjects.balancer,
      fault: "a changed probe and changed outbound ports",
      state: "warning",
      evidence:
        /^probes\[demo-x7k2\]\.requestPath: \/ready, not \/healthz; outboundRules\[demo-x7k2\]\.allocatedOutboundPorts: 64, not 1024$/,
      next: /set the wanted values in the portal/,
      breaks: (state) =>
        updateResource(state, ids.loadBalancer, (live) => ({ properties: reworded(live.properties, "/healthz", "/ready", 64) })),
      fix: (state) =>
        updateResource(state, ids.loadBalancer, (live) => ({ properties: reworded(live.properties, "/ready", "/healthz", 1024) })),
    },
  ],
};

function reworded(live: Record<string, unknown>, from: string, to: string, ports: number): Record<string, unknown> {
  const text = JSON.stringify(live).replace(`"requestPath":"${from}"`, `"requestPath":"${to}"`);
  return JSON.parse(text.replace(/"allocatedOutboundPorts":\d+/, `"allocatedOutboundPorts":${String(ports)}`)) as Record<string, unknown>;
}
