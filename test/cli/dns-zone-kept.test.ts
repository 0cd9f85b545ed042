/** A zone keeps the ExternalDNS settings that it was created with: a rerun, `show` and `verify` without their flags use them, from one read. */
import { expect, test } from "vitest";
import { wellKnown } from "../../src/emulator/index.js";
import { createZoneFlags, zoneFlags } from "../../tools/demo-cluster.js";
import { resource } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { create, credentials, home, principal, show, verify, zoneId, type Flags } from "./dns-zones.js";
import { exits, refuses, writesSince } from "./expectations.js";

const identityId = `${home}/blue-dns/providers/Microsoft.ManagedIdentity/userAssignedIdentities/external-dns-blue-hcp-example-com`;
const keeps = (flags: string) => new RegExp(`notice: blue\\.hcp\\.example\\.com keeps settings that it was created with: ${flags}\\n`);

interface Kept {
  readonly flags: (azure: TestEmulator) => Flags;
  /** The flags of the later commands. */
  readonly later: (azure: TestEmulator) => Flags;
  readonly notice: RegExp;
  readonly shown: RegExp;
  readonly notShown: RegExp;
}

const withFile = (azure: TestEmulator) => [...zoneFlags, ...credentials(azure)];
const kept: readonly (readonly [what: string, Kept])[] = [
  [
    "a service principal",
    {
      ...{ flags: principal, later: withFile, notice: keeps("--external-dns-identity service-principal") },
      ...{ shown: /application external-dns .* exists/, notShown: /managed identity/ },
    },
  ],
  [
    "no identity",
    {
      ...{ flags: () => [...zoneFlags, "--external-dns-identity", "none"], later: () => zoneFlags },
      ...{ notice: keeps("--external-dns-identity none"), shown: /public DNS zone/, notShown: /managed identity|application/ },
    },
  ],
];

test.each(kept)("a zone with %s keeps it", async (_what, { flags, later, notice, shown, notShown }) => {
  const azure = await testEmulator();
  exits(await create(azure, flags(azure)), 0);
  await azure.traffic();
  expect(exits(await create(azure, later(azure)), 0).stderr).toMatch(notice);
  expect(await writesSince(azure)).toEqual([]);
  const { stdout } = exits(await show(azure, later(azure)), 0);
  expect(stdout).toMatch(shown);
  expect(stdout).not.toMatch(notShown);
  expect(stdout).not.toMatch(/absent/);
  exits(await verify(azure, later(azure)), 0);
  await refuses(
    azure,
    create(azure, [...zoneFlags, "--oidc-issuer-url", "https://issuer.example.com/mgmt"]),
    2,
    /a setting cannot be combined with one that the zone was created with/,
    /--oidc-issuer-url.*cannot be combined with --external-dns-identity/,
  );

  // A flag overrides the record, and is kept from then on.
  const { stderr } = exits(await create(azure, [...zoneFlags, "--external-dns-identity", "workload-identity"]), 0);
  expect(stderr).toMatch(/--external-dns-identity: the zone was created with (service-principal|none); now workload-identity/);
  expect(await resource(azure, identityId)).toBeDefined();
  await azure.traffic();
  expect(exits(await create(azure, zoneFlags), 0).stderr).not.toMatch(/notice:/);
  expect(await writesSince(azure)).toEqual([]);
});

test("only flags say which pods get the role of ExternalDNS: a rerun without them is refused, whatever the tags say", async () => {
  const azure = await testEmulator();
  const issuer = [...zoneFlags, "--oidc-issuer-url", "https://issuer.example.com/mgmt"];
  const pods = ["--external-dns-namespace", "edge", "--external-dns-service-account", "writer"];
  exits(await create(azure, [...issuer, ...pods]), 0);
  await refuses(azure, create(azure, issuer), 2, /--external-dns-namespace +Azure shows/, /--external-dns-service-account +Azure shows/);
  exits(await create(azure, [...issuer, ...pods]), 0);
  expect(await writesSince(azure)).toEqual([]);
});

test("an existing zone has no record, so its identity of ExternalDNS shows the choice", async () => {
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
