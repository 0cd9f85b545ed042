/** Rows of DNS: virtual network links that overlap, have another network, register or hide names; and the delegation. */
import { groupId, ids, inGroup } from "../../cli/demo-cluster.js";
import { setProperties, deleteResources } from "../../harness/state-changes.js";
import { subjects, type Scenario } from "./infra-rows.js";

const rival = inGroup("others", "privateDnsZones/demo-azurecluster.hcp.example.com");
const hiding = inGroup("others", "privateDnsZones/hcp.example.com");
const otherVnet = inGroup("others", "virtualNetworks/theirs");
const linkOf = (zone: string) => `${zone}/virtualNetworkLinks/theirs`;
const zone = { location: "global", properties: {} };
const linkTo = (id: string) => ({ location: "global", properties: { virtualNetwork: { id }, registrationEnabled: false } });
const network = { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.9.0.0/16"] }, subnets: [] } };
/** The parent zone of the public one. */
const parentZone = inGroup("dns", "dnszones/example.com");
const servers = ["ns1-01.azure-dns.com.", "ns2-01.azure-dns.net.", "ns3-01.azure-dns.org.", "ns4-01.azure-dns.info."];
const delegation = (names: readonly string[]) => ({
  [`${parentZone}/NS/hcp`]: { properties: { TTL: 300, NSRecords: names.map((nsdname) => ({ nsdname })) } },
});

export const dns: Scenario = {
  title: "DNS",
  async prepare(state) {
    await state.seed({ resources: { [groupId("others")]: { location: "eastus" }, [rival]: zone, [hiding]: zone, [otherVnet]: network } });
    await state.follow(state.command);
  },
  rows: [
    {
      check: "zone-overlap",
      subject: subjects.zone,
      fault: "a link of another zone of that name",
      evidence: /others\/.*virtualNetworkLinks\/theirs also links to the network: Azure allows one link per zone name/,
      next: /`az network private-dns link vnet delete --ids .*theirs --yes`; then `aro-hcp create infra .*` creates what is missing/,
      // Azure allows no second link, so the other one came first.
      breaks: async (state) => {
        await deleteResources(state, ids.link);
        await state.seed({ resources: { [linkOf(rival)]: linkTo(ids.vnet) } });
      },
      fix: "every",
    },
    {
      check: "zone-overlap",
      subject: subjects.zone,
      fault: "a link of another virtual network resource",
      evidence: /virtualNetworkLinks\/theirs also links to the network/,
      next: /link vnet delete/,
      breaks: async (state) => {
        await deleteResources(state, ids.link);
        await state.seed({ resources: { [linkOf(ids.privateZone)]: linkTo(ids.vnet) } });
      },
      fix: "every",
    },
    {
      check: "public-names-hidden",
      subject: subjects.zone,
      fault: "a linked zone that hides the public names",
      state: "warning",
      evidence: /^hcp\.example\.com is linked to the network, so workers resolve the names of demo\.hcp\.example\.com/,
      next: /or unlink it: `az network private-dns link vnet delete --ids .*hcp\.example\.com\/virtualNetworkLinks\/theirs --yes`/,
      breaks: (state) => state.seed({ resources: { [linkOf(hiding)]: linkTo(ids.vnet) } }),
      fix: "first",
    },
    {
      check: "zone-link-network",
      subject: subjects.link,
      fault: "a link to another network",
      evidence: /links to .*others.*theirs, not to .*demo-demo-x7k2, and the network of a link cannot be changed/,
      next: /`az network private-dns link vnet delete --ids .* --yes`, then `aro-hcp create infra .*` recreates it/,
      breaks: (state) => setProperties(state, ids.link, { virtualNetwork: { id: otherVnet } }),
      fix: "every",
    },
    {
      check: "zone-link-registration",
      subject: subjects.link,
      fault: "a link that registers virtual machines",
      evidence: /registrationEnabled: true, not false/,
      next: /`aro-hcp create infra .*` fixes it/,
      breaks: (state) => setProperties(state, ids.link, { registrationEnabled: true }),
      fix: "first",
    },
    {
      check: "public-zone-delegated",
      subject: subjects.publicZone,
      fault: "a zone without delegation",
      evidence: /^example\.com has no NS record set "hcp"/,
      next: /`az network dns record-set ns add-record --resource-group dns --zone-name example\.com --record-set-name hcp --nsdname ns1-01/,
      breaks: (state) => state.seed({ resources: { [parentZone]: zone } }),
      fix: "every",
    },
    {
      check: "public-zone-delegated",
      subject: subjects.publicZone,
      fault: "a delegation to another name server too",
      evidence: /NS record set "hcp" of example\.com lists ns9\.example\.net, ns1-01.*, but the zone's name servers are ns1-01/,
      next: /remove-record .* --nsdname ns9\.example\.net\.`$/,
      breaks: (state) => state.seed({ resources: { [parentZone]: zone, ...delegation(["ns9.example.net.", ...servers]) } }),
      fix: "every",
    },
  ],
};
