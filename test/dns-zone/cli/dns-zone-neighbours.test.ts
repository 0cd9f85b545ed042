/** A zone beside others: records of its parent that a delegation would hide, a second zone of its name, and zones that share a group. */
import { expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/index.js";
import { zoneFlags } from "../../../tools/demo-cluster.js";
import { az } from "../../harness/az.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { linesIn } from "../../harness/own-line.js";
import { changeResource, deleteResources, resource } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { addRecord, create, delegationId, destroy, home, name, parentId, servers, show, verify, zoneId, zoneIn } from "../dns-zones.js";
import { exits, refuses } from "../../cli/expectations.js";

const address = { TTL: 300, ARecords: [{ ipv4Address: "203.0.113.7" }] };
const alias = { TTL: 300, CNAMERecord: { cname: "elsewhere.example.net" } };
const plainZone = [...zoneFlags, "--external-dns-identity", "none"];

test.each([
  ["below its name", "A/api.blue", address, /A api\.blue/],
  ["of its name", "A/blue", address, /A blue/],
  ["an alias of its name, which Azure would refuse beside NS records", "CNAME/blue", alias, /CNAME blue/],
  ["a wildcard below its name", "CNAME/*.apps.blue", alias, /CNAME \*\.apps\.blue/],
])("a zone is not delegated over records of its parent: %s", async (_what, record, properties, listed) => {
  const azure = await testEmulator();
  const id = `${parentId}/${record}`;
  await addRecord(azure, id, properties);
  await addRecord(azure, `${parentId}/A/notblue`, address);
  const refused = create(azure, plainZone);
  await refuses(azure, refused, 5, "ARO-DNS-004", listed, /choose another name for the zone/);
  const { stderr } = await refused;
  expect(stderr).not.toContain("notblue");

  // What the advice says: the group and the zone first, then the records move to it.
  const advised = linesIn(stderr).filter((line) => line.startsWith("az "));
  expect(advised).toHaveLength(2);
  const context = { azure: await connectedAzure(azure.directory), directory: azure.directory };
  for (const line of advised) await az(context, line.replace("<location>", "eastus"));
  await refuses(azure, create(azure, plainZone), 5, "ARO-DNS-004", /copy the records to zone blue\.hcp\.example\.com/);
  await deleteResources(azure, id);
  exits(await create(azure, plainZone), 0);
  expect(await resource(azure, delegationId)).toBeDefined();
  exits(await destroy(azure), 0);
  for (const left of [delegationId, zoneId, `${home}/blue-dns`]) expect(await resource(azure, left), left).toBeUndefined();
});

test("a group that exists is not to be created: az would replace its tags", async () => {
  const azure = await testEmulator();
  await addRecord(azure, `${parentId}/A/blue`, address);
  await azure.seed({ resources: { [`${home}/blue-dns`]: { location: "eastus", tags: { team: "network" } } } });
  const refused = create(azure, plainZone);
  await refuses(azure, refused, 5, "ARO-DNS-004", /az network dns zone create/);
  expect((await refused).stderr).not.toContain("az group create");
});

test("a zone that is delegated already is not refused, and verify warns about the records that the delegation hides", async () => {
  const azure = await testEmulator();
  exits(await create(azure, plainZone), 0);
  exits(await verify(azure, plainZone), 0);
  await addRecord(azure, `${parentId}/A/api.blue`, address);
  exits(await create(azure, plainZone), 0);
  const { stdout } = exits(await verify(azure, plainZone), 3);
  expect(stdout).toMatch(/hidden-records/);
  expect(stdout.replace(/\s+/g, " ")).toMatch(/hcp\.example\.com contains A api\.blue.*az network dns record-set a delete/);
});

test("without permission to list the records of the parent zone, the NS records are handed over", async () => {
  const azure = await testEmulator();
  const error = { code: "AuthorizationFailed", message: "The client does not have authorization to perform action." };
  const faults = [{ path: `/dnsZones/${wellKnown.dnsZone}/recordsets`, times: 100, answer: { status: 403, body: { error } } }];
  const { stderr } = exits(await create(azure, plainZone, { faults }), 0);
  expect(stderr).toMatch(/no permission to list the records of zone hcp\.example\.com/);
  expect(await resource(azure, delegationId)).toBeUndefined();
});

test("a zone below a name that its parent delegates elsewhere: the records are handed over, and verify finds a delegation that is hidden", async () => {
  const azure = await testEmulator();
  exits(await create(azure, plainZone), 0);
  const deep = ["--cloud", "local", "--base-domain", `a.x.${wellKnown.dnsZone}`, "--dns-zone-rg-name", "deep-dns"];
  const none = ["--external-dns-identity", "none"];
  await addRecord(azure, `${parentId}/NS/x`, { TTL: 300, NSRecords: [{ nsdname: "ns1.example.net." }] });
  const { stderr } = exits(await create(azure, [...deep, ...none]), 0);
  expect(stderr).toMatch(/zone hcp\.example\.com delegates x\.hcp\.example\.com to ns1\.example\.net, where resolvers look for it/);
  expect(await resource(azure, `${parentId}/NS/a.x`)).toBeUndefined();

  // Somebody delegates above a zone that already works.
  await deleteResources(azure, `${parentId}/NS/x`);
  exits(await create(azure, [...deep, ...none]), 0);
  exits(await verify(azure, [...deep, ...none]), 0);
  await addRecord(azure, `${parentId}/NS/x`, { TTL: 300, NSRecords: [{ nsdname: "ns1.example.net." }] });
  expect(exits(await verify(azure, [...deep, ...none]), 3).stdout).toMatch(
    /so no resolver finds the delegation of a\.x\.hcp\.example\.com/,
  );
});

test.each([
  ["list the zones", `/providers/Microsoft.Network/dnszones$`, /no permission to list the DNS zones/],
  ["read its parent zone", `/dnszones/${wellKnown.dnsZone}/NS/`, /no permission to read the records of zone hcp\.example\.com/],
])("a destroy without permission to %s says that the delegation may be left", async (_what, path, words) => {
  const azure = await testEmulator();
  exits(await create(azure, plainZone), 0);
  const error = { code: "AuthorizationFailed", message: "The client does not have authorization to perform action." };
  const faults = [{ path, method: "GET", times: 100, answer: { status: 403, body: { error } } }];
  const { stderr } = exits(await azure.cli(["destroy", "dns-zone", ...zoneFlags, "--yes"], { faults }), 0);
  expect(stderr.replace(/\s+/g, " ")).toMatch(words);
  expect(stderr).toContain(`have its NS records removed: ${servers.join(", ")}`);
  expect(await resource(azure, delegationId)).toBeDefined();
});

const theirs = { nsdname: "ns1.example.net." };
const ours = servers.map((nsdname) => ({ nsdname }));

test.each([
  ["somebody added a name server to its delegation", [...ours, theirs], [theirs]],
  ["its delegation has one of its name servers, and others of somebody else", [...ours.slice(0, 1), theirs], [theirs]],
])("a zone is not deleted while %s: whoever got the servers next could answer for it", async (_what, records, left) => {
  const azure = await testEmulator();
  exits(await create(azure, plainZone), 0);
  await changeResource(azure, delegationId, (stored) => (stored.properties = { ...stored.properties, NSRecords: records }));
  await staysDelegated(azure);
  exits(await destroy(azure), 0);
  expect(await resource(azure, zoneId)).toBeUndefined();
  expect((await resource(azure, delegationId))?.properties["NSRecords"]).toEqual(left);
});

test("a zone is not deleted while a delegation that its parent's owner added by hand refers to it", async () => {
  const azure = await testEmulator();
  exits(await create(azure, plainZone), 0);
  await deleteResources(azure, delegationId);
  await addRecord(azure, delegationId, { TTL: 60, NSRecords: ours });
  await staysDelegated(azure);
  exits(await destroy(azure), 0);
  for (const gone of [zoneId, delegationId]) expect(await resource(azure, gone), gone).toBeUndefined();
});

/** A destroy is refused and changes nothing; its advice is followed. */
async function staysDelegated(azure: TestEmulator): Promise<void> {
  const refused = destroy(azure);
  await refuses(azure, refused, 5, "ARO-DNS-006", /zone hcp\.example\.com still delegates/);
  const context = { azure: await connectedAzure(azure.directory), directory: azure.directory };
  for (const line of linesIn((await refused).stderr).filter((one) => one.startsWith("az "))) await az(context, line);
}

test("a destroy of a zone whose parent is elsewhere names the records that its owner must remove", async () => {
  const azure = await testEmulator();
  await deleteResources(azure, parentId);
  exits(await create(azure, plainZone), 0);
  expect(exits(await destroy(azure), 0).stderr).toContain(`have its NS records removed: ${servers.join(", ")}`);
  expect(exits(await destroy(azure), 0).stderr).not.toContain("NS records");
});

test("a zone of the same name in another group is used, not duplicated", async () => {
  const azure = await testEmulator();
  exits(await create(azure, plainZone), 0);
  const inOther = (flags: readonly string[]) => flags.map((flag) => (flag === "blue-dns" ? "green-dns" : flag));
  const named = [new RegExp(zoneId, "i"), /pass --dns-zone-rg-name blue-dns/] as const;
  await refuses(azure, create(azure, inOther(plainZone)), 5, "ARO-DNS-005", ...named);
  await refuses(azure, show(azure, inOther(plainZone)), 5, "ARO-DNS-005", ...named);
  await refuses(azure, verify(azure, inOther(plainZone)), 5, "ARO-DNS-005", ...named);

  // Azure allows two zones of one name: an existing one is used in its own group.
  await azure.seed({ resources: { [`${home}/green-dns`]: { location: "eastus" }, [zoneIn("green-dns", name)]: { location: "global" } } });
  exits(await create(azure, inOther(plainZone)), 0);
});

const shared = (zone: string) => ["--cloud", "local", "--base-domain", `${zone}.${wellKnown.dnsZone}`, "--dns-zone-rg-name", "shared-dns"];
const destroyShared = (azure: TestEmulator, zone: string) => azure.cli(["destroy", "dns-zone", ...shared(zone), "--yes"]);

test("a group that a zone created for itself and others goes with the last of them", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  for (const zone of ["one", "two"]) exits(await create(azure, [...shared(zone), "--external-dns-identity", "none"]), 0);
  expect(exits(await destroyShared(azure, "one"), 0).stderr).toMatch(/keep .*shared-dns: it still contains .*two\.hcp/i);
  // A mistyped name deletes nothing of others.
  const nothing = exits(await destroyShared(azure, "tow"), 0).stderr;
  expect(nothing).toMatch(/nothing in subscription .* belongs to the DNS zone/);
  const last = exits(await destroyShared(azure, "two"), 0).stderr;
  expect(last).not.toMatch(/not created by aro-hcp/);
  expect(await azure.snapshot()).toEqual(before);
});

test("an empty group of another zone is not deleted, and the report says for whom it was created", async () => {
  const azure = await testEmulator();
  for (const zone of ["one", "two"]) exits(await create(azure, [...shared(zone), "--external-dns-identity", "none"]), 0);
  await deleteResources(azure, zoneIn("shared-dns", `one.${wellKnown.dnsZone}`), zoneIn("shared-dns", `two.${wellKnown.dnsZone}`));
  const { stderr } = exits(await destroyShared(azure, "two"), 0);
  expect(stderr).toMatch(/keep .*shared-dns.*created for DNS zone one\.hcp\.example\.com/);
  expect(await resource(azure, `${home}/shared-dns`)).toBeDefined();
});
