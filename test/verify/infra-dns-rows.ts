/** Rows of DNS: links that overlap, lead elsewhere, register or hide; and who delegates. */
import { groupId, ids, inGroup } from "../cli/demo-cluster.js";
import { setProperties, deleteResources } from "../harness/state-changes.js";
import { subjects, type Scenario } from "./infra-rows.js";

const rival = inGroup("others", "privateDnsZones/demo-azurecluster.hcp.example.com");
const hiding = inGroup("others", "privateDnsZones/hcp.example.com");
const otherVnet = inGroup("others", "virtualNetworks/theirs");
const linkOf = (zone: string) => `${zone}/virtualNetworkLinks/theirs`;
const zone = { location: "global", properties: {} };
const linkTo = (id: string) => ({ location: "global", properties: { virtualNetwork: { id }, registrationEnabled: false } });
const network = { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.9.0.0/16"] }, subnets: [] } };
/** The zone above the public one. */
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
      evidence: /others\/.*virtualNetworkLinks\/theirs also links to the network: Azure allows one link per zone name/,
      next: /`az network private-dns link vnet delete --ids .*theirs --yes`; then `aro-hcp create infra .*` creates what is missing/,
      // Azure admits no second one: whoever has it linked first.
      make: async (there) => {
        await deleteResources(there, ids.link);
        await there.seed({ resources: { [linkOf(rival)]: linkTo(ids.vnet) } });
      },
      mend: "every",
    },
    {
      check: "zone-overlap",
      subject: subjects.zone,
      evidence: /virtualNetworkLinks\/theirs also links to the network/,
      next: /link vnet delete/,
      make: async (there) => {
        await deleteResources(there, ids.link);
        await there.seed({ resources: { [linkOf(ids.privateZone)]: linkTo(ids.vnet) } });
      },
      mend: "every",
    },
    {
      check: "public-names-hidden",
      subject: subjects.zone,
      state: "warning",
      evidence: /^hcp\.example\.com is linked to the network, so workers resolve the names of demo\.hcp\.example\.com/,
      next: /or unlink it: `az network private-dns link vnet delete --ids .*hcp\.example\.com\/virtualNetworkLinks\/theirs --yes`/,
      make: (there) => there.seed({ resources: { [linkOf(hiding)]: linkTo(ids.vnet) } }),
      mend: "first",
    },
    {
      check: "zone-link-network",
      subject: subjects.link,
      evidence: /links to .*others.*theirs, not to .*demo-demo-x7k2, and the network of a link cannot be changed/,
      next: /`az network private-dns link vnet delete --ids .* --yes`, then `aro-hcp create infra .*` recreates it/,
      make: (there) => setProperties(there, ids.link, { virtualNetwork: { id: otherVnet } }),
      mend: "every",
    },
    {
      check: "zone-link-registration",
      subject: subjects.link,
      evidence: /registrationEnabled: true, not false/,
      next: /`aro-hcp create infra .*` fixes it/,
      make: (there) => setProperties(there, ids.link, { registrationEnabled: true }),
      mend: "first",
    },
    {
      check: "public-zone-delegated",
      subject: subjects.publicZone,
      evidence: /^example\.com has no NS record set "hcp"/,
      next: /`az network dns record-set ns add-record --resource-group dns --zone-name example\.com --record-set-name hcp --nsdname ns1-01/,
      make: (there) => there.seed({ resources: { [parentZone]: zone } }),
      mend: "every",
    },
    {
      check: "public-zone-delegated",
      subject: subjects.publicZone,
      evidence: /NS record set "hcp" of example\.com lists ns9\.example\.net, ns1-01.*, but the zone's name servers are ns1-01/,
      next: /remove-record .* --nsdname ns9\.example\.net\.`$/,
      make: (there) => there.seed({ resources: { [parentZone]: zone, ...delegation(["ns9.example.net.", ...servers]) } }),
      mend: "every",
    },
  ],
};
