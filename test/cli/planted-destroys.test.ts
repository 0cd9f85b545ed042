/** Applications that somebody else registered under our unique names: a destroy deletes none that a create would refuse. */
import { expect, test } from "vitest";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, type CliResult, type TestEmulator } from "../harness/test-emulator.js";
import { clusterFlags, wholeFlags } from "../../tools/demo-cluster.js";
import { connectedCluster } from "../arc/cli/connected-clusters.js";
import { create as createZone, destroy as destroyZone, principal as asPrincipal } from "../dns-zone/dns-zones.js";
import { exits, titled } from "./expectations.js";
import { createSet, destroySet, uniqueName } from "../identities/cli/identity-sets.js";
import {
  arcApplication,
  foreign,
  grantAll,
  ofColleague,
  otherUser,
  password,
  plant,
  planted,
  setName,
  zoneApplication,
} from "../identities/cli/planted-applications.js";

/** Its owner deletes it. */
const softDelete = (azure: TestEmulator) =>
  changeState(azure, (state) => {
    const { [planted.appId]: one, ...others } = state.applications;
    if (one === undefined) throw new Error("nothing is planted");
    state.applications = others;
    state.deletedApplications = { [planted.appId]: { ...one, deletedAt: Date.now() } };
  });

/** The client IDs of the soft-deleted applications. */
const deleted = async (azure: TestEmulator) => Object.keys((await azure.snapshot()).deletedApplications ?? {});

async function keepsDeleted(azure: TestEmulator, run: Promise<CliResult>, flag: string): Promise<void> {
  const { stderr } = exits(await run, 0);
  expect(await deleted(azure)).toContain(planted.appId);
  expect(stderr).toMatch(
    new RegExp(`soft-deleted application demo\\S*: nothing proves that it is yours: .* until 20\\d\\d-.* ${planted.appId}: ${flag}`),
  );
}

async function uniqueNames(azure: TestEmulator): Promise<string[]> {
  const { applications } = await azure.snapshot();
  return Object.values(applications as Record<string, { readonly uniqueName?: string }>).flatMap(({ uniqueName: name }) => name ?? []);
}

async function keeps(azure: TestEmulator, run: Promise<CliResult>, reason: string, flag: string): Promise<void> {
  const { stderr } = exits(await run, 0);
  expect(Object.keys((await azure.snapshot()).applications)).toContain(planted.appId);
  expect(stderr).toMatch(
    new RegExp(`application demo\\S*: nothing proves that it is yours: it has .*${reason}.* ${planted.appId}: ${flag}`),
  );
}

const inSet = (application: object) => ({ ...application, uniqueName: uniqueName("cpo") });

test.each(titled(foreign))("destroy identities keeps an application with %s", async (_what, { application, shown }) => {
  const azure = await testEmulator();
  await grantAll(azure);
  await plant(azure, inSet(application));
  await keeps(azure, destroySet(azure, ["--purge"]), shown, "--identities-file");
});

test("destroy identities deletes the application of a create that ended before its first credential", async () => {
  const azure = await testEmulator();
  await plant(azure, inSet({}));
  exits(await destroySet(azure), 0);
  expect(await uniqueNames(azure)).toEqual([]);
});

test("destroy identities deletes the rest of the set, and the kept application keeps its roles", async () => {
  const azure = await testEmulator();
  await grantAll(azure);
  exits(await createSet(azure), 0);
  await plant(azure, { uniqueName: uniqueName("kms"), passwordCredentials: [password] });
  await azure.seed({
    roleAssignments: [
      {
        scope: "/subscriptions/5b5c0000-0000-4000-8000-000000000001",
        role: "b24988ac-6180-42a0-ab88-20f7382dd24c",
        principalId: planted.servicePrincipalId,
      },
    ],
  });
  await keeps(azure, destroySet(azure), password.keyId, "--identities-file");
  expect(await uniqueNames(azure)).toEqual([uniqueName("kms")]);
  const { roleAssignments } = await azure.snapshot();
  expect(JSON.stringify(roleAssignments)).toContain(planted.servicePrincipalId);
});

test("destroy all keeps an application of somebody else", async () => {
  const azure = await testEmulator();
  await grantAll(azure);
  exits(await azure.cli(["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes"]), 0);
  await plant(azure, { uniqueName: setName("kms"), owners: [otherUser] });
  await keeps(azure, azure.cli(["destroy", "all", ...clusterFlags, "--yes"]), `owner ${otherUser}`, "--identities-file");
  expect(await uniqueNames(azure)).toEqual([setName("kms")]);
});

test("destroy dns-zone and destroy arc keep an application of somebody else", async () => {
  const azure = await testEmulator();
  await grantAll(azure);
  await connectedCluster(azure);
  await plant(azure, { uniqueName: zoneApplication, passwordCredentials: [password] });
  await keeps(azure, destroyZone(azure, ["--purge"]), password.keyId, "--external-dns-credentials-file");
  await plant(azure, { uniqueName: arcApplication, passwordCredentials: [password] });
  const destroyArc = ["destroy", "arc", "--cloud", "local", "--name", "demo", "--yes"];
  await keeps(azure, azure.cli(destroyArc), password.keyId, "--arc-secrets-file");
});

test("the applications of a colleague are deleted with the vault of their set", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  await ofColleague(azure);
  exits(await destroySet(azure), 0);
  expect(await uniqueNames(azure)).toEqual([]);
});

test("a principal that cannot read the vault deletes neither the applications of a colleague nor the vault, except with the file", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createSet(azure, ["--output-file", azure.path("ids.json")]), 0);
  const names = await uniqueNames(azure);
  await ofColleague(azure);
  const refusal = { status: 403, body: { error: { code: "Forbidden", message: "no", innererror: { code: "ForbiddenByRbac" } } } };
  const unread = { faults: [{ method: "GET", path: "^/(secrets|certificates)", times: 99, answer: refusal }] };
  const { stderr } = exits(await destroySet(azure, [], unread), 0);
  expect(stderr).toMatch(
    /keep +applications \(8\): .* their create: --identities-file, or get a role to read the certificates and secrets of vault kv/,
  );
  expect(stderr).toMatch(/^ +kept +applications \(8\): demo-cpo, /m);
  expect(stderr).toMatch(/keep .*vaults\/kv-demo.*: it may prove whose the kept applications are/);
  expect(await uniqueNames(azure)).toEqual(names);
  exits(await destroySet(azure, ["--identities-file", azure.path("ids.json")], unread), 0);
  expect(await uniqueNames(azure)).toEqual([]);
  expect(Object.keys((await azure.snapshot()).resources).filter((id) => !id.includes("/deletedvaults/"))).toEqual(
    Object.keys(before.resources),
  );
});

test("a destroy that ends between two applications leaves the vault, which proves the others to the next one", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createSet(azure), 0);
  const denied = { status: 403, body: { error: { code: "Authorization_RequestDenied", message: "no" } } };
  const faults = [{ method: "DELETE", path: "/applications/", times: 99, answer: denied }];
  expect((await destroySet(azure, ["--purge"], { faults })).code).not.toBe(0);
  expect(Object.keys((await azure.snapshot()).vaults ?? {})).toHaveLength(1);
  exits(await destroySet(azure, ["--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("destroy dns-zone deletes its application with the file of its create, and keeps it without", async () => {
  const azure = await testEmulator();
  exits(await createZone(azure, asPrincipal(azure)), 0);
  const away = ["--external-dns-credentials-file", azure.path("missing.json")];
  const { stderr } = exits(await destroyZone(azure, away), 0);
  expect(stderr).toMatch(/application .*client secret .*--external-dns-credentials-file/);
  expect(await uniqueNames(azure)).toEqual([zoneApplication]);
  exits(await destroyZone(azure), 0);
  expect(await uniqueNames(azure)).toEqual([]);
});

test("destroy identities --purge keeps an application that its owner has deleted, and deletes its own for good", async () => {
  const azure = await testEmulator();
  await grantAll(azure);
  exits(await createSet(azure), 0);
  await plant(azure, inSet({ uniqueName: uniqueName("kms"), passwordCredentials: [password] }));
  await softDelete(azure);
  await keepsDeleted(azure, destroySet(azure, ["--purge"]), "--identities-file");
  expect(await deleted(azure)).toEqual([planted.appId]);
});

test("destroy dns-zone --purge and destroy arc --purge keep an application that its owner has deleted", async () => {
  const azure = await testEmulator();
  await grantAll(azure);
  await connectedCluster(azure);
  await plant(azure, { uniqueName: zoneApplication, passwordCredentials: [password] });
  await softDelete(azure);
  await keepsDeleted(azure, destroyZone(azure, ["--purge"]), "--external-dns-credentials-file");
  await plant(azure, { uniqueName: arcApplication, passwordCredentials: [password] });
  await softDelete(azure);
  const destroyArc = ["destroy", "arc", "--cloud", "local", "--name", "demo", "--purge", "--yes"];
  await keepsDeleted(azure, azure.cli(destroyArc), "--arc-secrets-file");
});

test("applications of a destroy without --purge are purged later only with the file of their create", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, ["--output-file", azure.path("ids.json")]), 0);
  exits(await destroySet(azure), 0);
  const left = await deleted(azure);
  expect(left.length).toBeGreaterThan(1);
  const { stderr } = exits(await destroySet(azure, ["--purge"]), 0);
  expect(stderr).toMatch(/soft-deleted applications \(8\): demo-cpo, .*: nothing proves that they are yours/);
  expect(await deleted(azure)).toEqual(left);
  exits(await destroySet(azure, ["--purge", "--identities-file", azure.path("ids.json")]), 0);
  expect(await deleted(azure)).toEqual([]);
});

test("a destroy that ends between the deletion and the purge of its applications leaves the vault, which proves them to the next one", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createSet(azure), 0);
  const denied = { status: 403, body: { error: { code: "Authorization_RequestDenied", message: "no" } } };
  const faults = [{ method: "DELETE", path: "/directory/deletedItems/", times: 99, answer: denied }];
  expect((await destroySet(azure, ["--purge"], { faults })).code).not.toBe(0);
  expect((await deleted(azure)).length).toBeGreaterThan(1);
  exits(await destroySet(azure, ["--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});
