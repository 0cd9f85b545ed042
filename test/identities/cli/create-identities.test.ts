/** `create identities` and `destroy identities`, end to end on the emulator. */
import { readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { testEmulator, writes, type TestEmulator } from "../../harness/test-emulator.js";
import { readDataPlaneIdentities, readManagedIdentities } from "../../../src/files/identity-files.js";
import { changeState, removeApplications } from "../../harness/state-changes.js";
import { groupId, keyOf } from "../../cli/demo-cluster.js";
import { exits, refuses, writesSince } from "../../cli/expectations.js";
import { controlPlaneFields } from "./identities.js";
import {
  components,
  createSet,
  credentialsOf,
  destroySet,
  group,
  identityIds,
  issuer,
  setFlags,
  uniqueName,
  vaultId,
} from "./identity-sets.js";

const readJson = async (path: string) => JSON.parse(await readFile(path, "utf8")) as Record<string, Record<string, unknown>>;
const applicationsOf = async (azure: TestEmulator) =>
  Object.values((await azure.snapshot()).applications) as { uniqueName?: string; servicePrincipalId?: string; appId: string }[];

test("create creates the whole set and its files, a second run writes nothing, destroy with --purge restores the original state", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const paths = { all: azure.path("ids.json"), control: azure.path("cp.json"), data: azure.path("dp.json") };
  const files = ["--output-file", paths.all, "--output-managed-identities", paths.control, "--output-data-plane-identities", paths.data];
  exits(await createSet(azure, [...files, "--key-vault-name", "demo-kv"]), 0);

  const made = await azure.snapshot();
  for (const id of [group, vaultId("demo-kv"), ...identityIds]) expect(made.resources).toHaveProperty([keyOf(id)]);
  const applications = await applicationsOf(azure);
  for (const component of components) {
    expect(
      applications.filter((each) => each.uniqueName === uniqueName(component)),
      component,
    ).toHaveLength(1);
  }
  expect(await credentialsOf(azure)).toEqual(
    Object.fromEntries(components.map((component) => [component, { keys: 1, certificates: 1, secrets: 1 }])),
  );

  for (const path of Object.values(paths)) expect((await stat(path)).mode & 0o777).toBe(0o600);
  const all = await readJson(paths.all);
  expect(all).toEqual({ controlPlane: await readJson(paths.control), dataPlane: await readJson(paths.data) });
  expect(Object.keys(all["controlPlane"] ?? {}).toSorted()).toEqual(["managedIdentitiesKeyVault", ...controlPlaneFields].toSorted());
  expect(all["controlPlane"]?.["controlPlaneOperator"]).toEqual({
    clientID: applications.find((each) => each.uniqueName === uniqueName("cpo"))?.appId,
    credentialsSecretName: "demo-cpo",
    objectEncoding: "utf-8",
  });
  // The readers recognize the kind of each file.
  const reading = { disabledCapabilities: [] };
  expect((await readManagedIdentities(paths.all, reading)).format).toMatch(/combined/);
  expect((await readManagedIdentities(paths.control, reading)).format).toMatch(/control-plane/);
  expect((await readDataPlaneIdentities(paths.data)).format).toMatch(/data-plane/);

  await azure.traffic();
  exits(await createSet(azure, ["--key-vault-name", "demo-kv"]), 0);
  expect(writes(await azure.traffic())).toEqual([]);
  expect(await azure.snapshot()).toEqual(made);

  // A run is killed before it deletes the vault. The next run still needs access to the vault to purge it.
  const faults = [{ method: "DELETE", path: "/vaults/[^/]+$", when: "before", kill: true }];
  expect((await destroySet(azure, ["--key-vault-name", "demo-kv", "--purge"], { faults })).code).toBe("SIGKILL");
  exits(await destroySet(azure, ["--key-vault-name", "demo-kv", "--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
  exits(await destroySet(azure, ["--purge"]), 0);
});

test("destroy without --purge reports the soft-deleted resources; create then restores vault and applications, with the same client IDs and no new key", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const clientIds = (await applicationsOf(azure)).map(({ appId }) => appId).toSorted();
  const destroyed = exits(await destroySet(azure, ["--output", "json"]), 0);
  const { recoverable } = JSON.parse(destroyed.stdout) as { recoverable: { title: string; until: string }[] };
  expect(recoverable.map(({ title }) => title)).toContain("application demo-cpo");
  expect(recoverable.filter(({ title }) => title.startsWith("Key Vault"))).toHaveLength(1);
  for (const { until } of recoverable) expect(Date.parse(until)).toBeGreaterThan(Date.now() + 29 * 86_400_000);
  // Shown before and after, with one line for each way of recovery.
  expect(destroyed.stderr).toMatch(
    /deleted vault for 90 days and applications for 30[^\n]*--purge deletes them permanently, but no vault with purge protection\n/,
  );
  const next = destroyed.stderr.split("\n").filter((line) => line.startsWith("  next"));
  expect(next).toHaveLength(2);
  expect(next[1]).toMatch(/^ {2}next +8 applications can be recovered until .*: rerun the original create all or create identities/);

  exits(await createSet(azure), 0);
  expect((await applicationsOf(azure)).map(({ appId }) => appId).toSorted()).toEqual(clientIds);
  expect(await credentialsOf(azure)).toMatchObject({ cpo: { keys: 1, certificates: 1, secrets: 1 } });
});

test("another cluster's issuer is trusted in addition to the first, and the first is not changed", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  await azure.traffic();
  exits(await azure.cli(["create", "identities", ...setFlags, "--oidc-issuer-url", "https://issuer.example.com/other"]), 0);
  expect((await writesSince(azure)).every((write) => write.includes("/federatedIdentityCredentials/"))).toBe(true);
  const { resources } = await azure.snapshot();
  const issuers = Object.entries(resources)
    .filter(([id]) => id.includes("/azure-disk-mi-demo/federatedidentitycredentials/"))
    .map(([, live]) => (live as { properties: { issuer: string; audiences: string[] } }).properties.issuer);
  expect(issuers.toSorted()).toEqual([issuer, "https://issuer.example.com/other"].toSorted());
});

test("--enable-kms adds a ninth identity, in addition to the eight in the combined file", async () => {
  const azure = await testEmulator();
  const path = azure.path("ids.json");
  exits(await createSet(azure, ["--enable-kms", "--output-file", path]), 0);
  expect(await readJson(path)).toMatchObject({ kms: { credentialsSecretName: "demo-kms" } });
  expect(Object.keys((await readJson(path))["controlPlane"] ?? {})).not.toContain("kms");
  expect((await readManagedIdentities(path, { disabledCapabilities: [] })).format).toMatch(/combined/);

  const whole = await readJson(path);
  await azure.traffic();
  const { stderr } = exits(await createSet(azure, ["--output-file", path]), 0);
  expect(stderr).toContain("notice: identity set demo keeps settings that it was created with: --enable-kms");
  expect(await readJson(path)).toEqual(whole);
  expect(writes(await azure.traffic())).toEqual([]);
  exits(await createSet(azure, ["--no-enable-kms", "--output-file", path]), 0);
  expect(await readJson(path)).not.toHaveProperty("kms");
});

test("a certificate that is already being created is waited for: the response to an earlier request may have been lost", async () => {
  const azure = await testEmulator();
  const pending = { code: "Conflict", message: "pending", innererror: { code: "PendingCertificateInProgress" } };
  const faults = [{ method: "POST", path: "/certificates/demo-cpo-cert/create$", answer: { status: 409, body: { error: pending } } }];
  exits(await createSet(azure, [], { faults }), 0);
  for (const { certificates } of Object.values(await credentialsOf(azure))) expect(certificates).toBe(1);
});

test("a client ID instead of the reader's object ID is detected, and the right ID is reported", async () => {
  const azure = await testEmulator();
  const [appId, servicePrincipalId] = ["00000000-0000-4000-8000-000000000901", "00000000-0000-4000-8000-000000000902"];
  await azure.seed({ applications: [{ appId, displayName: "aks-addon", servicePrincipalId }] });
  await refuses(azure, createSet(azure, ["--key-vault-reader-object-id", appId]), 2, /client ID of aks-addon/, servicePrincipalId);
  exits(await createSet(azure, ["--key-vault-reader-object-id", servicePrincipalId, "--dry-run"]), 0);
});

test("a dry run shows everything and writes nothing", async () => {
  const azure = await testEmulator();
  const { stdout } = exits(await createSet(azure, ["--dry-run", "--output", "json"]), 0);
  expect(JSON.parse(stdout)).toMatchObject({ dryRun: true, name: "demo", changes: 51 });
  expect(await writesSince(azure)).toEqual([]);
});

test("a plan says of a credential secret whether it exists, also if its certificate will be created", async () => {
  const azure = await testEmulator();
  // The files prove whose the applications are.
  const file = ["--output-file", azure.path("identities.json")];
  exits(await createSet(azure, file), 0);
  await changeState(azure, (state) => {
    for (const vault of Object.values(state.vaults ?? {})) {
      for (const component of ["cpo", "disk", "file"]) delete vault.certificates[`demo-${component}-cert`];
      delete vault.secrets["demo-disk"];
    }
    removeApplications(state, (each) => each.uniqueName === uniqueName("ingress"));
    // Without certificate and secret, nothing in the vault shows whose key it is.
    for (const application of Object.values(state.applications))
      if (application.uniqueName === uniqueName("disk")) application.keyCredentials = [];
  });
  const planned = exits(await createSet(azure, [...file, "--dry-run", "--full-plan"]), 0).stderr;
  expect(planned).toMatch(/~ update +credential secret demo-cpo: with the new certificate\n/);
  expect(planned).toMatch(/\+ create +credential secret demo-disk: with the new certificate\n/);
  expect(planned).toMatch(/\+ create +key of application demo-ingress: for the new application\n/);
  expect(planned).toMatch(/~ update +credential secret demo-ingress: known after key of application demo-ingress\n/);
  await changeState(azure, ({ vaults = {} }) => {
    for (const { secrets } of Object.values(vaults)) for (const version of secrets["demo-file"]?.versions ?? []) version.tags = {};
  });
  await refuses(azure, createSet(azure, [...file, "--dry-run"]), 5, 'secret "demo-file" exists but does not belong to this identity set');
});

test("an existing resource group is used, and kept when the set is destroyed", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId("common")]: { location: "westeurope" } } });
  const before = await azure.snapshot();
  exits(await createSet(azure), 0);
  const { stderr } = exits(await destroySet(azure, ["--purge"]), 0);
  expect(stderr).toContain("not created by aro-hcp");
  expect(await azure.snapshot()).toEqual(before);
});

test.each([
  ["an issuer with a slash at the end", ["--oidc-issuer-url", `${issuer}/`], /ends with a slash/],
  ["an issuer without TLS", ["--oidc-issuer-url", "http://issuer.example.com"], /HTTPS/],
  ["a vault name with two hyphens in a row", ["--key-vault-name", "a--b"], /Key Vault name "a--b"/],
  ["a vault name that is too long", ["--key-vault-name", "a".repeat(25)], /25 characters/],
  ["a reader that is not an object ID", ["--key-vault-reader-object-id", "aks-addon"], /not a UUID/],
  ["a validity of zero months", ["--validity-months", "0"], /not between 1 and 120/],
  [
    "two documents in one file",
    ["--output-file", "same.json", "--output-managed-identities", "same.json"],
    /also the path of --output-(?:file|managed-identities)/,
  ],
])("%s is refused before any request to Azure", async (_, flags, words) => {
  const azure = await testEmulator();
  const { stderr } = exits(await createSet(azure, flags), 2);
  expect(stderr).toMatch(words);
  expect(await azure.traffic()).toEqual([]);
});

test("without permission to write applications, the failure names the permission and how to grant it", async () => {
  const azure = await testEmulator();
  const denied = {
    status: 403,
    body: { error: { code: "Authorization_RequestDenied", message: "Insufficient privileges to complete the operation." } },
  };
  const faults = [{ method: "PATCH", path: "/v1.0/applications", answer: denied, times: 100 }];
  const { stderr } = exits(await createSet(azure, [], { faults }), 5);
  expect(stderr).toContain("Application.ReadWrite.OwnedBy");
  expect(stderr).toContain("az ad app permission add");
});

test("a vault of the same name that is not owned by the set is refused, with the alternatives", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure, ["--key-vault-name", "demo-kv"]), 0);
  const other = [
    "create",
    "identities",
    "--cloud",
    "local",
    "--name",
    "other",
    "--resource-group-name",
    "common",
    "--oidc-issuer-url",
    issuer,
  ];
  await refuses(
    azure,
    azure.cli([...other, "--key-vault-name", "demo-kv"]),
    5,
    /Key Vault "demo-kv" exists but has a different owner/,
    /--key-vault-name/,
  );
  exits(await destroySet(azure, ["--key-vault-name", "demo-kv"]), 0);
  await refuses(
    azure,
    azure.cli([...other, "--key-vault-name", "demo-kv"]),
    5,
    /is soft-deleted/,
    /az keyvault recover/,
    /az keyvault purge/,
  );
});

test("without its group, a set that exists in another group is not made a second time", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const named = ["create", "identities", "--cloud", "local", "--identities-name", "demo", "--oidc-issuer-url", issuer, "--yes"];
  await refuses(
    azure,
    azure.cli(named),
    2,
    "ARO-USAGE-001",
    "resource group common contains",
    "--persistent-resource-group-name demo-common",
  );
  exits(await azure.cli([...named, "-g", "demo-common", "--dry-run"]), 0);
});
