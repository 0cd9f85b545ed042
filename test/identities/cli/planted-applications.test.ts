/** Applications that somebody else registered under our unique names: no create uses one, unless something proves that it is ours. */
import { mkdir, readFile, rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { connectedAzure } from "../../harness/connected-azure.js";
import { changeState } from "../../harness/state-changes.js";
import { demo, testEmulator, type CliOptions, type TestEmulator } from "../../harness/test-emulator.js";
import { wholeFlags, zoneFlags } from "../../../tools/demo-cluster.js";
import { connectedCluster } from "../../arc/cli/connected-clusters.js";
import { create as createZone, principal as asPrincipal } from "../../dns-zone/dns-zones.js";
import { exits, refuses, titled } from "../../cli/expectations.js";
import { components, createSet, destroySet, rotate, setFlags, uniqueName } from "./identity-sets.js";
import {
  applicationOf,
  arcApplication,
  foreign,
  grantAll,
  key,
  ofColleague,
  otherUser,
  password,
  plant,
  planted,
  setName,
  zoneApplication,
  type Planted,
} from "./planted-applications.js";

async function holdsNothing(azure: TestEmulator): Promise<void> {
  const { roleAssignments } = await azure.snapshot();
  const held = Object.values(roleAssignments) as { principalId: string }[];
  expect(held.filter(({ principalId }) => principalId === planted.servicePrincipalId)).toEqual([]);
}

test.each(titled(foreign))("an application with our unique name and %s is refused", async (_what, { application, shown }) => {
  const azure = await testEmulator();
  await plant(azure, { ...application, uniqueName: uniqueName("cpo") });
  await refuses(azure, createSet(azure), 5, "ARO-OWN-001", planted.appId, new RegExp(shown), "proves nothing");
});

test("an application with our unique name that nobody else owns or can sign in as is used", async () => {
  const azure = await testEmulator();
  await plant(azure, { uniqueName: uniqueName("cpo") });
  exits(await createSet(azure), 0);
});

const createArcSecrets = (azure: TestEmulator, flags: readonly string[] = []) => {
  const files = ["--output-file", azure.path("secrets.json"), "--output-credential", azure.path("credential.json")];
  const access = ["--secrets-identity", "service-principal"];
  return azure.cli(["create", "arc", "secrets", "--cloud", "local", "--name", "demo", "--yes", ...access, ...files, ...flags]);
};
const createAll = (azure: TestEmulator, flags: readonly string[] = []) =>
  azure.cli(["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes", ...flags]);

test("create all gives no role to an application of somebody else", async () => {
  const azure = await testEmulator();
  await plant(azure, { uniqueName: setName("cpo"), owners: [otherUser] });
  await refuses(azure, createAll(azure), 5, "ARO-OWN-001", `owner ${otherUser}`, "--output-dir");
  await holdsNothing(azure);
});

test("create dns-zone gives no role to an application of somebody else", async () => {
  const azure = await testEmulator();
  await plant(azure, { uniqueName: zoneApplication, owners: [otherUser] });
  const named = "--output-file or --external-dns-credentials-file";
  await refuses(azure, createZone(azure, asPrincipal(azure)), 5, "ARO-OWN-001", `owner ${otherUser}`, named);
  await holdsNothing(azure);
});

test("an application with the unique name of ExternalDNS does not choose how ExternalDNS signs in", async () => {
  const azure = await testEmulator();
  await plant(azure, { uniqueName: zoneApplication });
  await refuses(azure, createZone(azure, zoneFlags), 2, /--external-dns-identity +Azure shows/);
});

test("create arc secrets gives no role to an application of somebody else", async () => {
  const azure = await testEmulator();
  await connectedCluster(azure);
  await plant(azure, { uniqueName: arcApplication, owners: [otherUser] });
  await refuses(azure, createArcSecrets(azure), 5, "ARO-OWN-001", `owner ${otherUser}`, "--output-file or --output-credential");
  await holdsNothing(azure);
});

test("commands on a set without a KMS identity do not take one that somebody else registered", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  await plant(azure, { uniqueName: uniqueName("kms"), owners: [otherUser] });
  await refuses(azure, azure.cli(["create", "encryption-key", ...setFlags, "--yes"]), 5, "ARO-OWN-001", `owner ${otherUser}`);
  await refuses(azure, rotate(azure, ["--yes"]), 5, "ARO-OWN-001", `owner ${otherUser}`);
  await refuses(azure, createSet(azure), 5, "ARO-OWN-001", `owner ${otherUser}`);
  await holdsNothing(azure);
});

test("a secret in the vault of the set that names a planted application does not prove it: others may write there", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  const { vaults = {} } = await azure.snapshot();
  const { secrets } = await (await connectedAzure(azure.directory)).vaultContent(Object.keys(vaults)[0] ?? "");
  const { value = "", properties } = await secrets.getSecret("demo-cpo");
  const forged = JSON.stringify({ ...(JSON.parse(value) as object), client_id: planted.appId });
  await secrets.setSecret("demo-kms", forged, {
    tags: properties.tags ?? {},
    ...(properties.contentType && { contentType: properties.contentType }),
  });
  for (const application of [{ owners: [otherUser] }, { passwordCredentials: [password] }]) {
    await plant(azure, { ...application, uniqueName: uniqueName("kms") });
    for (const run of [createSet(azure, ["--enable-kms"]), azure.cli(["create", "encryption-key", ...setFlags, "--yes"])])
      await refuses(azure, run, 5, "ARO-OWN-001", planted.appId, "proves nothing");
  }
  await holdsNothing(azure);
});

test("an application that appears between the plan and its creation is refused", async () => {
  const azure = await testEmulator();
  await grantAll(azure);
  await plant(azure, { uniqueName: setName("cpo"), owners: [otherUser] });
  const body = { error: { code: "Request_ResourceNotFound", message: "not yet" } };
  const faults = [{ method: "GET", path: "/applications\\(uniqueName=.*cpo", times: 1, answer: { status: 404, body } }];
  const flags = ["create", "all", ...wholeFlags, "--output-dir", azure.path("demo"), "--yes"];
  const { code, stderr } = await azure.cli(flags, { faults });
  expect(code, stderr).toBe(5);
  expect(stderr).toContain(`owner ${otherUser}`);
  await holdsNothing(azure);
});

const deleted = (azure: TestEmulator, application: Planted) =>
  changeState(azure, (state) => {
    state.deletedApplications = { [planted.appId]: { ...applicationOf(application), deletedAt: Date.now() } };
  });

test("a deleted application of somebody else is not restored for our use", async () => {
  const azure = await testEmulator();
  await grantAll(azure);
  await deleted(azure, { uniqueName: uniqueName("cpo"), owners: [otherUser] });
  const { code, stderr } = await createSet(azure);
  expect(code, stderr).toBe(5);
  expect(stderr).toContain(`owner ${otherUser}`);
  expect(Object.keys((await azure.snapshot()).applications)).not.toContain(planted.appId);
});

test("a restored application loses the credentials that nothing proves", async () => {
  const azure = await testEmulator();
  await deleted(azure, { uniqueName: uniqueName("cpo"), passwordCredentials: [password], keyCredentials: [key] });
  exits(await createSet(azure), 0);
  const { applications } = await azure.snapshot();
  expect(applications[planted.appId]).toMatchObject({ secrets: 0, certificates: [expect.any(String)] });
  expect(JSON.stringify(applications[planted.appId])).not.toContain(key.keyId);
});

test("an application that comes back after its vault was purged loses the certificates of that vault", async () => {
  const azure = await testEmulator();
  const destroy = (...flags: readonly string[]) => azure.cli(["destroy", "all", ...demo, "--yes", ...flags]);
  exits(await createAll(azure), 0);
  exits(await destroy(), 0);
  // The vault proved the applications: without it, the purge leaves them.
  exits(await destroy("--purge"), 0);
  exits(await createAll(azure), 0);
  // With neither the files nor another credential.
  const set = ["--cloud", "local", "--name", "demo", "--persistent-resource-group-name", "demo-common"];
  exits(await azure.cli(["rotate", "credentials", ...set, "--overlap", "1s", "--yes"]), 0);
});

test("the applications of a colleague are used with the vault of their set, or with the colleague's files", async () => {
  const azure = await testEmulator();
  const file = azure.path("ids.json");
  exits(await createSet(azure, ["--output-file", file]), 0);
  await ofColleague(azure);
  exits(await createSet(azure), 0);
  // A principal without a role for the secrets.
  const refusal = { status: 403, body: { error: { code: "Forbidden", message: "no", innererror: { code: "ForbiddenByRbac" } } } };
  const unread: CliOptions = { faults: [{ method: "GET", path: "/secrets/demo-[^/]+/?$", times: 8, answer: refusal }] };
  const next = ["--output-file or --output-managed-identities", "Key Vault Certificate User"];
  await refuses(azure, createSet(azure, [], unread), 5, "ARO-OWN-001", `owner ${otherUser}`, ...next);
  await refuses(azure, rotate(azure, ["--yes"], unread), 5, "ARO-OWN-001", "Key Vault Certificate User");
  exits(await createSet(azure, ["--output-file", file], { faults: [{ method: "GET", path: "/owners$", times: 9, answer: refusal }] }), 0);
});

test("what eight applications have in common is printed once", async () => {
  const azure = await testEmulator();
  const denied = { status: 403, body: { error: { code: "Authorization_RequestDenied", message: "Insufficient privileges." } } };
  const mayNotWrite: CliOptions = { faults: [{ method: "PATCH", path: "/applications", times: 8, answer: denied }] };
  const { stderr: failed } = await createSet(azure, [], mayNotWrite);
  expect(failed.match(/ failed +application demo-cpo: the signed-in principal has no permission to write applications \[/g)).toHaveLength(
    1,
  );
  expect(failed.match(/ failed +application demo-\S+, for the same reason \[/g)).toHaveLength(7);

  exits(await createSet(azure), 0);
  await ofColleague(azure);
  const refusal = { status: 403, body: { error: { code: "Forbidden", message: "no", innererror: { code: "ForbiddenByRbac" } } } };
  const unread = (path: string): CliOptions => ({ faults: [{ method: "GET", path, times: 99, answer: refusal }] });
  for (const path of ["/secrets/demo-[^/]+/?$", "/(secrets|certificates)/demo-"]) {
    const { code, stderr } = await createSet(azure, [], unread(path));
    expect(code).toBe(5);
    expect(stderr.match(/^ +! refuse .*/gm)?.join()).toMatch(
      /^ +! refuse +applications \(8\): demo-cpo, .*, demo-image-registry: nothing proves that they are yours$/,
    );
    const [block = ""] = stderr.split(/^error: /m).slice(1);
    expect(block).toMatch(/^8 applications exist, and nothing proves that they are yours {2}\[ARO-OWN-001\]$/m);
    for (const component of components) expect(block).toMatch(new RegExp(`^ {2}demo-${component} +client ID \\S{36}`, "m"));
    expect(block.match(/prove nothing, because/g)).toHaveLength(1);
    expect(block.match(/pass|run the command with a file/g)).toHaveLength(1);
    if (path.includes("certificates")) expect(block.match(/: owner \S+, certificate [0-9A-F]{40}$/gm)).toHaveLength(8);
    else expect(block).toMatch(`because  they have owner ${otherUser}; their unique names`);
  }
  const kept = async (...flags: readonly string[]) =>
    (await destroySet(azure, ["--dry-run", ...flags], unread("/(secrets|certificates)/demo-"))).stderr.match(
      /^ +(= keep +application.*)/gm,
    );
  expect(await kept()).toEqual([
    expect.stringMatching(
      /applications \(8\): demo-.*: nothing proves that they are yours .*; if they are, pass a file of their create: --/,
    ),
  ]);
  const full = await kept("--full-plan");
  expect(full).toHaveLength(8);
  expect(full?.[0]).toMatch(/application demo-cpo: .* it has owner .*, certificate [0-9A-F]{40}; .* has the client ID \S{36}: --/);
});

test("a vault of somebody else with the name of ours proves nothing", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  await ofColleague(azure);
  await changeState(azure, ({ resources }) => {
    for (const one of Object.values(resources)) if (one.type === "Microsoft.KeyVault/vaults") one.tags = { owner: "mallory" };
  });
  await refuses(azure, rotate(azure, ["--yes"]), 5, `owner ${otherUser}`);
});

test("applications without an owner are used, because only administrators can change them", async () => {
  const azure = await testEmulator();
  exits(await createSet(azure), 0);
  await ofColleague(azure, []);
  // As after a crash between the key of the application and the credential secret.
  await changeState(azure, ({ vaults = {} }) => {
    for (const { secrets } of Object.values(vaults)) delete secrets["demo-cpo"];
  });
  exits(await createSet(azure), 0);
});

test("create dns-zone and create arc secrets use the application of a colleague with the colleague's file", async () => {
  const azure = await testEmulator();
  await connectedCluster(azure);
  exits(await createZone(azure, asPrincipal(azure)), 0);
  exits(await createArcSecrets(azure), 0);
  await ofColleague(azure);
  exits(await createZone(azure, asPrincipal(azure)), 0);
  exits(await createArcSecrets(azure), 0);
  await mkdir(azure.path("elsewhere"));
  const other = ["--output-file", azure.path("elsewhere/secrets.json"), "--output-credential", azure.path("elsewhere/credential.json")];
  await refuses(azure, createArcSecrets(azure, other), 5, `owner ${otherUser}`);
  await rm(azure.path("azure.json"));
  await refuses(azure, createZone(azure, asPrincipal(azure)), 5, `owner ${otherUser}`);
});

test("create dns-zone names the application in the file before the secret exists, so that a run after a crash continues", async () => {
  const azure = await testEmulator();
  const noSecret = [
    { method: "POST", path: "/addPassword$", times: 9, answer: { status: 403, body: { error: { code: "Forbidden", message: "no" } } } },
  ];
  expect((await createZone(azure, asPrincipal(azure), { faults: noSecret })).code).not.toBe(0);
  const file = JSON.parse(await readFile(azure.path("azure.json"), "utf8")) as Record<string, string>;
  expect(file).toHaveProperty("aadClientId");
  expect(file).not.toHaveProperty("aadClientSecret");
  // The secret of the response that was lost.
  await changeState(azure, ({ applications }) => {
    const own = applications[file["aadClientId"] ?? ""];
    if (own) own.passwordCredentials = [password];
  });
  exits(await createZone(azure, asPrincipal(azure)), 0);
});
