/** Record sets of public and private zones. */
import { expect, test } from "vitest";
import { ArmState, type Reply } from "../arm-state.js";
import { under } from "./network-bodies.js";

const global = { location: "global" };
/** Without a published description, which differs from what Azure answers: see `refusals.ts` of the emulator's DNS types. */
const privately = { apiVersion: "2018-09-01" };
const publicly = { apiVersion: "2023-07-01-preview" };

function withZone(kind: "dnsZones" | "privateDnsZones", name = "a.example.com") {
  const arm = new ArmState();
  const zone = under(arm.group("demo"), `${kind}/${name}`);
  arm.put(zone, global);
  return { arm, zone };
}

const propertiesOf = ({ body }: Reply) => (body as { properties: Record<string, unknown> }).properties;
const namesOf = ({ body }: Reply) =>
  (body as { value: { name: string; type: string }[] }).value.map(({ name, type }) => `${name} ${type.split("/").at(-1) ?? ""}`);

test("a private zone begins with its SOA record set, and counts what it has", () => {
  const { arm, zone } = withZone("privateDnsZones");
  expect(propertiesOf(arm.get(`${zone}/SOA/@`))).toEqual({
    fqdn: "a.example.com.",
    ttl: 3600,
    soaRecord: {
      email: "azureprivatedns-host.microsoft.com",
      expireTime: 2_419_200,
      host: "azureprivatedns.net",
      minimumTtl: 10,
      refreshTime: 3600,
      retryTime: 300,
      serialNumber: 1,
    },
    isAutoRegistered: false,
  });
  expect(propertiesOf(arm.get(zone))).toMatchObject({ numberOfRecordSets: 1, maxNumberOfRecordSets: 25_000 });
  arm.put(`${zone}/A/www`, { properties: { ttl: 60 } });
  expect(propertiesOf(arm.get(zone))).toMatchObject({ numberOfRecordSets: 2 });
});

test("a public zone begins with NS and SOA, which are deleted with it only", () => {
  const { arm, zone } = withZone("dnsZones");
  const { nameServers } = propertiesOf(arm.get(zone)) as { nameServers: string[] };
  expect(arm.get(zone).body).toMatchObject({ tags: {}, properties: { numberOfRecordSets: 2, maxNumberOfRecordsPerRecordSet: null } });
  expect(propertiesOf(arm.get(`${zone}/NS/@`))).toMatchObject({ TTL: 172_800, NSRecords: nameServers.map((nsdname) => ({ nsdname })) });
  expect(propertiesOf(arm.get(`${zone}/SOA/@`))).toMatchObject({ SOARecord: { host: nameServers[0], minimumTTL: 300 } });
  for (const kept of ["NS/@", "SOA/@"]) expect(arm.delete(`${zone}/${kept}`)).toMatchObject({ status: 400 });
  expect(arm.put(`${zone}/NS/@`, { properties: { TTL: 60, NSRecords: [{ nsdname: "ns.example.com." }] } }, publicly)).toMatchObject({
    status: 400,
    body: { code: "BadRequest" },
  });
  const added = [...nameServers, "ns.example.com."].map((nsdname) => ({ nsdname }));
  expect(arm.put(`${zone}/NS/@`, { properties: { TTL: 60, NSRecords: added } }).status).toBe(200);
  arm.put(`${zone}/NS/sub`, { properties: { TTL: 60, NSRecords: [{ nsdname: "ns.example.com." }] } });
  expect(arm.delete(`${zone}/NS/sub`).status).toBe(200);
});

const contents = {
  A: [{ ipv4Address: "203.0.113.9" }],
  AAAA: [{ ipv6Address: "2001:db8::9" }],
  MX: [{ preference: 10, exchange: "mail.example.com." }],
  PTR: [{ ptrdname: "host.example.com." }],
  SRV: [{ priority: 1, weight: 2, port: 3, target: "." }],
  TXT: [{ value: ["one", "two"] }],
};

test.each(Object.entries(contents))(
  "a private record set of type %s is made without records, filled, answered and deleted",
  (type, records) => {
    const { arm, zone } = withZone("privateDnsZones");
    const set = `${zone}/${type}/r`;
    const member = `${type.toLowerCase()}Records`;
    expect(propertiesOf(arm.put(set, { properties: { ttl: 0 } }))).toEqual({
      fqdn: "r.a.example.com.",
      ttl: 0,
      [member]: [],
      isAutoRegistered: false,
    });
    const filled = arm.put(set, { properties: { ttl: 300, [member]: records, metadata: { by: "me" } } });
    expect(filled).toMatchObject({ status: 200, body: { properties: { metadata: { by: "me" }, [member]: records } } });
    expect(arm.get(set).body).toEqual(filled.body);
    expect(arm.delete(set).status).toBe(200);
    expect(arm.delete(set).status).toBe(204);
  },
);

const newer = {
  CAA: { caaRecords: [{ flags: 0, tag: "issue", value: "ca.example.com" }] },
  DS: { DSRecords: [{ keyTag: 1, algorithm: 13, digest: { algorithmType: 2, value: "AB" } }] },
  NAPTR: { NAPTRRecords: [{ order: 1, preference: 2, flags: "u", services: "S", regexp: "", replacement: "." }] },
  TLSA: { TLSARecords: [{ usage: 3, selector: 1, matchingType: 1, certAssociationData: "AB" }] },
};

test.each(Object.entries(newer))("a public record set of type %s is answered as it was sent", (type, content) => {
  const { arm, zone } = withZone("dnsZones");
  const set = `${zone}/${type}/r`;
  expect(arm.put(set, { properties: { TTL: 60, ...content } }, publicly)).toMatchObject({ status: 201 });
  expect(propertiesOf(arm.get(set, publicly))).toEqual({
    fqdn: "r.a.example.com.",
    TTL: 60,
    ...content,
    targetResource: {},
    provisioningState: "Succeeded",
  });
});

test("types of record that came later than their zones are unknown to earlier versions", () => {
  const { arm, zone } = withZone("dnsZones");
  expect(arm.get(`${zone}/TLSA/r`, { unrecorded: true })).toMatchObject({
    status: 400,
    body: { error: { code: "NoRegisteredProviderFound" } },
  });
});

test("a CNAME set answers no record before it has one", () => {
  const { arm, zone } = withZone("privateDnsZones");
  expect(propertiesOf(arm.put(`${zone}/CNAME/w`, { properties: { ttl: 60 } }))).toEqual({
    fqdn: "w.a.example.com.",
    ttl: 60,
    isAutoRegistered: false,
  });
});

test("of a private SOA record, the host and the serial number stay as they are", () => {
  const { arm, zone } = withZone("privateDnsZones");
  const soaRecord = { email: "me.example.com", host: "mine.example.com", serialNumber: 5, refreshTime: 4 };
  const put = arm.put(`${zone}/SOA/@`, { properties: { ttl: 60, soaRecord } });
  expect(put).toMatchObject({
    status: 200,
    body: {
      properties: { soaRecord: { email: "me.example.com", host: "azureprivatedns.net", serialNumber: 1, refreshTime: 4, retryTime: 300 } },
    },
  });
  expect(arm.put(`${zone}/SOA/www`, { properties: { ttl: 60, soaRecord } }, privately)).toMatchObject({
    status: 400,
    body: { code: "BadRequest" },
  });
});

test("PATCH changes what it names and keeps the rest", () => {
  const { arm, zone } = withZone("privateDnsZones");
  const set = `${zone}/A/r`;
  arm.put(set, { properties: { ttl: 60, aRecords: contents.A, metadata: { by: "me" } } });
  expect(arm.send("PATCH", set, { properties: { ttl: 90 } })).toMatchObject({
    status: 200,
    body: { properties: { ttl: 90, aRecords: contents.A, metadata: { by: "me" } } },
  });
  const missing = arm.send("PATCH", `${zone}/A/missing`, { properties: { ttl: 90 } }, privately);
  expect(missing).toMatchObject({ status: 404, body: { code: "NotFound" } });
});

test("conditional writes are refused in the provider's words, without an error around them", () => {
  const { arm, zone } = withZone("privateDnsZones");
  const set = `${zone}/A/r`;
  const { etag } = arm.put(set, { properties: { ttl: 60 } }).body as { etag: string };
  const again = { properties: { ttl: 90 } };
  expect(arm.put(set, again, { ...privately, headers: { "If-None-Match": "*" } })).toMatchObject({
    status: 412,
    body: { code: "PreconditionFailed", message: "The Record set r exists already and hence cannot be created again." },
  });
  const stale = { status: 412, body: { code: "PreconditionFailed", message: "The Record set r has been modified (etag mismatch)." } };
  const other = { ...privately, headers: { "If-Match": "5dabb94c-c932-4506-b979-c2705f5b3480" } };
  expect(arm.put(set, again, other)).toMatchObject(stale);
  expect(arm.send("PATCH", set, again, other)).toMatchObject(stale);
  expect(arm.send("DELETE", set, undefined, other)).toMatchObject(stale);
  expect(arm.put(set, again, { headers: { "If-Match": etag } }).status).toBe(200);
});

test("versions whose published description has an error around refusals are answered so", () => {
  const { arm, zone } = withZone("privateDnsZones");
  const message = "The resource record 'r' does not exist in resource group 'demo' of subscription '5b5c0000-0000-4000-8000-000000000001'.";
  expect(arm.get(`${zone}/A/r`).body).toEqual({ error: { code: "NotFound", message } });
  expect(arm.get(`${zone}/A/r`, privately).body).toEqual({ code: "NotFound", message });
});

test("an alias shares its name with no other record set, so there is none at the apex", () => {
  const { arm, zone } = withZone("dnsZones");
  const alias = { properties: { TTL: 60, CNAMERecord: { cname: "b.example.com" } } };
  const address = { properties: { TTL: 60, ARecords: contents.A } };
  const refused = {
    status: 409,
    body: { code: "Conflict", details: [{ code: "CannotCreateRecordDueToCNameNamingRestriction" }] },
  };
  arm.put(`${zone}/A/one`, address);
  arm.put(`${zone}/CNAME/two`, alias);
  expect(arm.put(`${zone}/CNAME/ONE`, alias, publicly)).toMatchObject(refused);
  expect(arm.put(`${zone}/A/two`, address, publicly)).toMatchObject(refused);
  expect(arm.put(`${zone}/CNAME/@`, alias, publicly)).toMatchObject(refused);
  expect(arm.put(`${zone}/CNAME/two`, alias).status).toBe(200);
});

test("a record set needs a TTL within Azure's bounds, domain names, and at most 20 records", () => {
  const { arm, zone } = withZone("privateDnsZones");
  const put = (set: string, properties: unknown) => arm.put(`${zone}/${set}`, { properties }, privately);
  const invalid = { status: 400, body: { code: "BadRequest", message: "The request was invalid." } };
  expect(put("A/r", { aRecords: contents.A })).toMatchObject(invalid);
  for (const ttl of [-1, 2_147_483_648]) expect(put("A/r", { ttl })).toMatchObject(invalid);
  expect(put("CNAME/r", { ttl: 60, cnameRecord: { cname: '"b.example.com"' } })).toMatchObject({
    status: 400,
    body: { code: "BadRequest", message: "The domain name '\"b.example.com\"' is invalid." },
  });
  const addresses = (count: number) => Array.from({ length: count }, (_, index) => ({ ipv4Address: `203.0.113.${String(index)}` }));
  expect(put("A/r", { ttl: 60, aRecords: addresses(21) })).toMatchObject({ status: 409, body: { code: "Conflict" } });
  expect(put("A/r", { ttl: 60, aRecords: addresses(20) }).status).toBe(201);
});

test("a full zone takes no new record set, but changes to those it has", () => {
  const { arm, zone } = withZone("dnsZones");
  arm.put(`${zone}/A/one`, { properties: { TTL: 60 } });
  arm.state.knobs = { recordSetLimit: 3 };
  const message =
    "You have reached or exceeded the maximum number of record resources in zone 'a.example.com'. You have 3 record resources of 3 allowed.";
  expect(arm.put(`${zone}/A/two`, { properties: { TTL: 60 } }, publicly)).toMatchObject({
    status: 409,
    body: { code: "Conflict", message, details: [{ code: "MaximumNumberOfRecordSetsReached", message }] },
  });
  expect(arm.put(`${zone}/A/one`, { properties: { TTL: 90 } }).status).toBe(200);
});

test("lists are in the order of DNS names, by type, filtered by suffix, and in pages", () => {
  const { arm, zone } = withZone("dnsZones");
  for (const name of ["www", "b.sub", "sub", "200", "160.1"]) arm.put(`${zone}/A/${name}`, { properties: { TTL: 60 } });
  arm.put(`${zone}/AAAA/sub`, { properties: { TTL: 60 } });
  const all = ["@ NS", "@ SOA", "160.1 A", "200 A", "sub A", "sub AAAA", "b.sub A", "www A"];
  for (const list of ["recordsets", "all"]) expect(namesOf(arm.get(`${zone}/${list}`))).toEqual(all);
  expect(namesOf(arm.get(`${zone}/A`))).toEqual(["160.1 A", "200 A", "sub A", "b.sub A", "www A"]);
  expect(namesOf(arm.get(`${zone}/recordsets?$recordsetnamesuffix=sub`))).toEqual(["b.sub A"]);
  const first = arm.get(`${zone}/recordsets?$top=5`);
  expect(namesOf(first)).toEqual(all.slice(0, 5));
  const { nextLink } = first.body as { nextLink: string };
  expect(namesOf(arm.get(nextLink))).toEqual(all.slice(5));
});

test("a private zone lists its record sets and not its links, with the apex among the names", () => {
  const { arm, zone } = withZone("privateDnsZones");
  for (const name of ["www", "7"]) arm.put(`${zone}/A/${name}`, { properties: { ttl: 60 } });
  expect(namesOf(arm.get(`${zone}/ALL`))).toEqual(["7 A", "@ SOA", "www A"]);
  expect(namesOf(arm.get(`${zone}/MX`))).toEqual([]);
});

test("a record set whose zone is missing is refused by its parent, and one whose group is missing by that", () => {
  const arm = new ArmState();
  const group = arm.group("demo");
  const gone = (words: string) => ({
    status: 404,
    body: { error: { code: "ParentResourceNotFound", message: expect.stringContaining(words) as string } },
  });
  const hidden = under(group, "privateDnsZones/a.example.com");
  const words = "Failed to perform 'write' on resource(s) of type 'privateDnsZones/A', because the parent resource";
  expect(arm.put(`${hidden}/A/r`, { properties: { ttl: 60 } })).toMatchObject(gone(words));
  const known = under(group, "dnsZones/a.example.com");
  const older = "Can not perform requested operation on nested resource. Parent resource 'a.example.com' not found.";
  expect(arm.delete(`${known}/A/r`)).toMatchObject(gone(older));
  const nowhere = under(group.replace("demo", "missing"), "dnsZones/a.example.com");
  expect(arm.delete(`${nowhere}/A/r`)).toMatchObject({ status: 404, body: { error: { code: "ResourceGroupNotFound" } } });
  expect(arm.get(`${hidden}/ALL`)).toMatchObject({ status: 404, body: { error: { code: "ParentResourceNotFound" } } });
});
