/** What exists of a zone's ExternalDNS decides its settings: a rerun, `show` and `verify` without their flags use it, whatever the tags say. */
import { expect, test } from "vitest";
import { wellKnown } from "../../../src/emulator/index.js";
import { createZoneFlags, zoneFlags } from "../../../tools/demo-cluster.js";
import { addTags, resource } from "../../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { create, credentials, home, principal, show, verify, zoneId } from "../dns-zones.js";
import { exits, refuses, writesSince } from "../../cli/expectations.js";

const identityId = `${home}/blue-dns/providers/Microsoft.ManagedIdentity/userAssignedIdentities/external-dns-blue-hcp-example-com`;
const keeps = (flags: string) => new RegExp(`notice: blue\\.hcp\\.example\\.com keeps what exists for it: ${flags}\\n`);
const issuer = ["--oidc-issuer-url", "https://issuer.example.com/mgmt"];
const withFile = (azure: TestEmulator) => [...zoneFlags, ...credentials(azure)];

test("a zone with a service principal keeps it, until a flag says otherwise", async () => {
  const azure = await testEmulator();
  exits(await create(azure, principal(azure)), 0);
  await azure.traffic();
  expect(exits(await create(azure, withFile(azure)), 0).stderr).toMatch(keeps("--external-dns-identity service-principal"));
  expect(await writesSince(azure)).toEqual([]);
  const { stdout } = exits(await show(azure, withFile(azure)), 0);
  expect(stdout).toMatch(/application external-dns .* exists/);
  expect(stdout).not.toMatch(/managed identity|absent/);
  exits(await verify(azure, withFile(azure)), 0);
  await refuses(
    azure,
    create(azure, [...zoneFlags, ...issuer]),
    2,
    /a setting cannot be combined with what exists for blue\.hcp\.example\.com/,
    /--oidc-issuer-url.*cannot be combined with --external-dns-identity/,
  );

  const { stderr } = exits(await create(azure, [...zoneFlags, "--external-dns-identity", "workload-identity"]), 0);
  expect(stderr).toMatch(/--external-dns-identity: service-principal exists for the zone; now workload-identity/);
  expect(await resource(azure, identityId)).toBeDefined();
  await azure.traffic();
  // Both exist: the managed identity is the default, and a flag names the other.
  expect(exits(await create(azure, zoneFlags), 0).stderr).not.toMatch(/notice:/);
  expect(exits(await create(azure, principal(azure)), 0).stderr).not.toMatch(/now service-principal/);
  expect(await writesSince(azure)).toEqual([]);
});

test("a zone without an identity gets the one that the flags say: its create may not have ended", async () => {
  const azure = await testEmulator();
  exits(await create(azure, [...zoneFlags, "--external-dns-identity", "none"]), 0);
  exits(await create(azure, zoneFlags), 0);
  expect(await resource(azure, identityId)).toBeDefined();
});

test("tags decide nothing, and those of an earlier version are removed", async () => {
  const azure = await testEmulator();
  exits(await create(azure, [...zoneFlags, ...issuer]), 0);
  const made = await azure.snapshot();
  const record = { externalDnsIdentity: "workload-identity", externalDnsNamespace: "evil", externalDnsServiceAccount: "evil" };
  await addTags(azure, zoneId, { "aro-hcp-options": JSON.stringify(record), "aro-hcp-options-2": "{}", team: "red" });
  expect(exits(await show(azure, [...zoneFlags, ...issuer]), 0).stderr).not.toContain("evil");
  const { stderr } = exits(await create(azure, [...zoneFlags, ...issuer]), 0);
  expect(stderr).toContain("it has tags of an earlier version");
  expect((await resource(azure, zoneId))?.tags).toEqual({ "aro-hcp-dns-zone": "blue.hcp.example.com", team: "red" });
  expect((await azure.snapshot()).resources[identityId.toLowerCase()]).toEqual(made.resources[identityId.toLowerCase()]);
});

test("only flags say which pods get the role of ExternalDNS: a rerun without them is refused, whatever exists", async () => {
  const azure = await testEmulator();
  const plain = [...zoneFlags, ...issuer];
  const pods = ["--external-dns-namespace", "edge", "--external-dns-service-account", "writer"];
  exits(await create(azure, [...plain, ...pods]), 0);
  await refuses(azure, create(azure, plain), 2, /--external-dns-namespace +Azure shows/, /--external-dns-service-account +Azure shows/);
  exits(await create(azure, [...plain, ...pods]), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("an existing zone of others keeps its identity too", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [`${home}/blue-dns`]: { location: "eastus" }, [zoneId]: { location: "global" } } });
  exits(await create(azure, principal(azure)), 0);
  await azure.traffic();
  expect(exits(await create(azure, withFile(azure)), 0).stderr).toMatch(keeps("--external-dns-identity service-principal"));
  expect(await writesSince(azure)).toEqual([]);
});

test.each(["show", "verify"])("%s dns-zone reads the zone and the list of zones once", async (verb) => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.traffic();
  exits(
    await azure.cli([verb, "dns-zone", ...createZoneFlags, ...(verb === "verify" ? ["--only", "zone-delegated,hidden-records"] : [])]),
    0,
  );
  const reads = (await azure.traffic()).map(({ method, url }) => `${method} ${new URL(url).pathname.toLowerCase()}`);
  const times = (wanted: string) => reads.filter((one) => one === `GET ${wanted.toLowerCase()}`).length;
  expect([times(zoneId), times(`/subscriptions/${wellKnown.subscriptionId}/providers/Microsoft.Network/dnszones`)]).toEqual([1, 1]);
});
