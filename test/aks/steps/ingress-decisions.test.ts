/** What each step of an ingress decides about what it finds. */
import { describe, expect, test } from "vitest";
import type { Step } from "../../../src/engine/step.js";
import { addressRecord } from "../../../src/aks/steps/ingress-records.js";
import { publicAddress } from "../../../src/aks/steps/public-address.js";
import { regionalZone, type RegionalZoneOutput } from "../../../src/aks/steps/regional-zone.js";
import { ingressCertificate } from "../../../src/aks/steps/ingress-certificate.js";
import { listedZones } from "../../../src/steps/listed-zones.js";
import { ownGroup } from "../../../src/steps/resource-groups.js";
import { zoneDelegation } from "../../../src/steps/zone-delegation.js";
import { asMade, decided } from "../../steps/decisions.js";
import { unasked } from "../../steps/every-graph.js";

const cluster = { kind: "service-cluster", name: "svc" } as const;
const metadata = { "aro-hcp-service-cluster": "svc" };
const zoneName = "eastus.example.com";
const zone: RegionalZoneOutput = { id: "/zone", group: "dns", name: zoneName, nameServers: ["ns1.azure.com.", "ns2.azure.com."] };
const location = "eastus";
const group = ownGroup(unasked, { subscriptionId: "s", location, owner: cluster, tags: {} }, "aks-group", "svc");
const ipTags = [{ type: "FirstPartyUsage", tag: "/NonProd" }];
const address = publicAddress(
  unasked,
  { cluster, location, id: "ingress-public-ip", name: "svc-ingress-ip", ipTags, flag: "--ingress-ip-tags", release: "release it" },
  group,
);
const zones = listedZones(unasked);
const zoneStep = regionalZone(unasked, { zone: zoneName, zoneGroup: undefined, hosts: ["rp"], opsHosts: [], delegate: true }, zones);

describe("a public address", () => {
  const made = asMade(address);
  test.each<[string, object | undefined, RegExp]>([
    ["nothing", undefined, /^create$/],
    ["what it makes itself", made, /^keep$/],
    ["its tags in another order and casing", { ...made, ipTags: [{ ipTagType: "firstpartyusage", tag: "/NonProd" }] }, /^keep$/],
    [
      "other IP tags",
      { ...made, ipTags: [{ ipTagType: "FirstPartyUsage", tag: "/Prod" }] },
      /^refuse ARO-OWN-002: .* has the IP tags .*Prod, not .*NonProd$/,
    ],
    ["no IP tags", { ...made, ipTags: undefined }, /^refuse ARO-OWN-002: .* has the IP tags none, not FirstPartyUsage:\/NonProd$/],
    [
      "a second IP tag",
      { ...made, ipTags: [...(made["ipTags"] as object[]), { ipTagType: "RoutingPreference", tag: "Internet" }] },
      /^refuse ARO-OWN-002/,
    ],
    ["a Basic one", { ...made, sku: { name: "Basic" } }, /^refuse ARO-OWN-002: .* is Basic and Static/],
    ["one of another cluster", { ...made, tags: { "aro-hcp-service-cluster": "other" } }, /^refuse ARO-OWN-001/],
    ["one of a management cluster of that name", { ...made, tags: { "aro-hcp-management-cluster": "svc" } }, /^refuse ARO-OWN-001/],
    ["a failed one", { ...made, provisioningState: "Failed" }, /^update: provisioningState$/],
    ["one in flight", { ...made, provisioningState: "Updating" }, /^wait: Updating$/],
  ])("that finds %s", (_what, live, decision) => {
    expect(decided(address, live)).toMatch(decision);
  });
});

describe("an A record", () => {
  const step = addressRecord(unasked, cluster, { name: "rp", address: "ingress" }, zoneStep, zoneName, address);
  const at = (ipAddress: string | undefined) => ({ outputs: { zone, address: { id: "/address", ipAddress, ipTags } } });
  const made = { ttl: 300, aRecords: [{ ipv4Address: "203.0.113.7" }], metadata };
  test.each<[string, object | undefined, RegExp]>([
    ["nothing", undefined, /^create$/],
    ["what it makes itself", made, /^keep$/],
    ["another address", { ...made, aRecords: [{ ipv4Address: "203.0.113.8" }] }, /^update: aRecords$/],
    ["a second address", { ...made, aRecords: [...made.aRecords, { ipv4Address: "203.0.113.8" }] }, /^update: aRecords$/],
    ["another lifetime", { ...made, ttl: 60 }, /^update: ttl$/],
    ["an alias", { ...made, aRecords: [], targetResource: { id: "/other" } }, /^update: aRecords, targetResource$/],
    ["the right one of somebody", { ...made, metadata: {} }, /^use$/],
    ["the right one of somebody with another lifetime", { ...made, metadata: {}, ttl: 60 }, /^use$/],
    ["another one of somebody", { ...made, metadata: {}, aRecords: [] }, /^refuse ARO-OWN-001: A record rp\.eastus\.example\.com exists/],
    ["one of another cluster", { ...made, metadata: { "aro-hcp-service-cluster": "x" }, aRecords: [] }, /^refuse ARO-OWN-001/],
  ])("that finds %s", (_what, live, decision) => {
    expect(decided(step, live, at("203.0.113.7"))).toMatch(decision);
  });

  test("moves with an address that does not exist yet", () => {
    expect(decided(step, made, at(undefined))).toBe("update: aRecords");
  });
});

describe("a delegation", () => {
  const step = zoneDelegation(unasked, { owner: cluster, zoneName, needs: { zone: zoneStep, address }, listed: zones });
  const parent = { id: "/parent", name: "example.com" };
  const set = { ttl: 3600, nsRecords: [{ nsdname: "ns2.azure.com." }, { nsdname: "NS1.azure.com" }], metadata };
  const elsewhere = { ...set, nsRecords: [{ nsdname: "ns.example.net." }] };
  test.each<[string, object, RegExp]>([
    [
      "no parent",
      { parent: undefined, noParent: "the subscription has no parent zone" },
      /^keep \(the subscription has no parent zone; its owner must delegate to ns1\.azure\.com\., ns2/,
    ],
    ["no records", { parent, isWritable: true }, /^create$/],
    [
      "no records and no permission to write them",
      { parent },
      /^keep \(the signed-in principal has no permission to write to zone example\.com; its owner must delegate to ns1/,
    ],
    [
      "no records, and none that it may list",
      { parent, isWritable: true, hidden: undefined },
      /^keep \(the signed-in principal has no permission to list the records of zone example\.com/,
    ],
    ["what it makes itself", { parent, set }, /^keep$/],
    ["another lifetime", { parent, set: { ...set, ttl: 60 }, isWritable: true }, /^update: ttl$/],
    ["another lifetime and no permission to write it", { parent, set: { ...set, ttl: 60 } }, /^keep$/],
    ["other servers", { parent, set: elsewhere, isWritable: true }, /^update: nsRecords$/],
    ["other servers and no permission to write them", { parent, set: elsewhere }, /^keep \(the signed-in principal has no permission/],
    [
      "the servers of another zone of the name",
      { parent, set: elsewhere, isWritable: true, otherZone: "/other" },
      /^keep \(it delegates to another zone of this name: \/other\)$/,
    ],
    ["the right ones of somebody", { parent, set: { ...set, metadata: undefined } }, /^use$/],
    [
      "other ones of somebody",
      { parent, set: { ...elsewhere, metadata: undefined }, isWritable: true },
      /^keep \(it delegates to ns\.example\.net, and its metadata do not name this owner\)$/,
    ],
  ])("that finds %s", (_what, live, decision) => {
    expect(decided(step, { hidden: [], ...live }, { outputs: { zone } })).toMatch(decision);
  });
});

describe("a certificate", () => {
  const vaultId = "/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/kv-svc";
  const vault = { id: "vault", title: "Key Vault kv-svc" } as unknown as Step<{ readonly id: string; readonly name: string }>;
  const step = ingressCertificate(
    unasked,
    cluster,
    { vaultId, name: "tls", issuer: "Self", hostnames: ["rp.example.com"] },
    { vault, cluster: address },
  );
  const policy = { issuerName: "Self", subjectAlternativeNames: { dnsNames: ["rp.example.com"] }, contentType: "application/x-pem-file" };
  const properties = { tags: metadata, enabled: true, expiresOn: new Date("2027-01-01") };
  const found = (other: { policy?: object; properties?: object }) => ({
    certificate: {
      name: "tls",
      cer: new Uint8Array(),
      policy: { ...policy, ...other.policy },
      properties: { ...properties, ...other.properties },
    },
  });
  test.each<[string, object | undefined, RegExp]>([
    ["nothing", undefined, /^create$/],
    ["what it makes itself", found({}), /^keep$/],
    ["another issuer", found({ policy: { issuerName: "OneCertV2-PublicCA" } }), /^update: issuer$/],
    ["another hostname", found({ policy: { subjectAlternativeNames: { dnsNames: ["x.example.com"] } } }), /^update: hostnames$/],
    ["a further hostname", found({ policy: { subjectAlternativeNames: { dnsNames: ["rp.example.com", "x"] } } }), /^update: hostnames$/],
    ["another format", found({ policy: { contentType: "application/x-pkcs12" } }), /^update: contentType$/],
    ["an expired one", found({ properties: { expiresOn: new Date("2026-01-01") } }), /^update: version$/],
    ["a disabled one", found({ properties: { enabled: false } }), /^update: version$/],
    ["a deleted one of ours", { deleted: { name: "tls", properties } }, /^create \(it was deleted and is recovered\)$/],
    ["a deleted one of others", { deleted: { name: "tls", properties: { tags: {} } } }, /^refuse ARO-OWN-001/],
    ["a disabled one of others", found({ properties: { tags: {}, enabled: false } }), /^refuse ARO-OWN-001/],
    ["one being issued", { pending: true }, /^wait: inProgress$/],
  ])("that finds %s", (_what, live, decision) => {
    expect(decided(step, live, { outputs: { vault: { id: vaultId, name: "kv-svc" } } })).toMatch(decision);
  });
});
