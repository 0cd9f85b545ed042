/** `create all` and `destroy all`: from nothing to every file that a HostedCluster needs. */
import { copyFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDataPlaneIdentities, readManagedIdentities } from "../../../src/files/identity-files.js";
import { readInfraOutput } from "../../../src/files/infra-output.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { changeState } from "../../harness/state-changes.js";
import { testEmulator, writes, type CliOptions, type TestEmulator } from "../../harness/test-emulator.js";
import { exits, refuses } from "../../cli/expectations.js";
import { table } from "../../infra/role-names.js";
import { placePrivateKey, testKey } from "../../issuer/signing-keys.js";
import { demoAccount, demoIssuer } from "../../harness/demo-issuer.js";

const cluster = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2"] as const;
const key = testKey();
const issuer = demoIssuer;

async function create(azure: TestEmulator, flags: readonly string[] = [], options?: CliOptions, directory = "demo") {
  await placePrivateKey(azure.path(directory), key);
  const wanted = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--output-dir", azure.path(directory)];
  return azure.cli(["create", "all", ...cluster, ...wanted, ...flags], options);
}

const destroy = (azure: TestEmulator, flags: readonly string[] = []) => azure.cli(["destroy", "all", ...cluster, "--yes", ...flags]);

test("create creates everything and writes every file, a second run changes nothing, destroy restores the original state", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const { stdout } = exits(await create(azure), 0);
  expect(stdout.trim()).toBe(issuer);

  const directory = azure.path("demo");
  expect((await readdir(directory)).sort()).toEqual([
    "data-plane-identities.json",
    "identities.json",
    "infra.json",
    "jwks",
    "managed-identities.json",
    "openid-configuration",
    "serviceaccount-signer.private",
    "serviceaccount-signer.public",
  ]);
  const readableByAll = [];
  for (const name of await readdir(directory)) if (((await stat(join(directory, name))).mode & 0o077) !== 0) readableByAll.push(name);
  expect(readableByAll.sort()).toEqual(["jwks", "openid-configuration", "serviceaccount-signer.public"]);

  const { controlPlane } = (await readManagedIdentities(join(directory, "identities.json"), { disabledCapabilities: [] })).identities;
  const dataPlane = (await readDataPlaneIdentities(join(directory, "data-plane-identities.json"))).identities;
  expect((await readManagedIdentities(join(directory, "managed-identities.json"), { disabledCapabilities: [] })).identities).toEqual({
    controlPlane,
  });
  expect(await readInfraOutput(join(directory, "infra.json"))).toMatchObject({
    infraID: "demo-x7k2",
    controlPlaneMIs: { controlPlane },
    dataPlaneIdentities: dataPlane,
  });

  const made = await azure.snapshot();
  const assignments = Object.keys(made.roleAssignments).length - Object.keys(before.roleAssignments).length;
  // The role table has 21. The caller gets three: on the vault for certificates and secrets, on the account for blobs.
  expect(assignments).toBe(table.flatMap(([, , , scopes]) => scopes).length + 3);
  expect(Object.keys(made.applications).length).toBe(Object.keys(before.applications).length + 8);

  await azure.traffic();
  exits(await create(azure), 0);
  expect(writes(await azure.traffic())).toEqual([]);
  expect(await azure.snapshot()).toEqual(made);

  // Its files are enough to verify the resources, and infra.json alone has the principals of the roles.
  const reported = async (...flags: string[]) => {
    const { stdout: document } = exits(await azure.cli(["verify", "infra", "--cloud", "local", ...flags, "-o", "json"]), 0);
    // Only with the directory, the create is that of everything.
    const ofOneCreate = document.replaceAll("create all", "create infra");
    return (JSON.parse(ofOneCreate) as { results: { check: string; subject: string; state: string }[] }).results;
  };
  const whole = await reported("--input-dir", directory);
  expect(whole.filter(({ state }) => state !== "passed").map(({ check, state }) => `${check} ${state}`)).toEqual([
    "public-zone-delegated skipped",
  ]);
  expect(whole.filter(({ check }) => check === "role-assigned")).toHaveLength(21);
  expect(await reported("--infra-file", join(directory, "infra.json"))).toEqual(whole);

  // Away from the other files, the advice has a placeholder for the file of each plane, and does what it says.
  const moved = azure.path("moved.json");
  await copyFile(join(directory, "infra.json"), moved);
  await changeState(azure, ({ roleAssignments }) => {
    for (const id of Object.keys(roleAssignments)) if (id.includes("/demo-demo-x7k2/")) Reflect.deleteProperty(roleAssignments, id);
  });
  const broken = exits(await azure.cli(["verify", "infra", "--cloud", "local", "--infra-file", moved, "-o", "json"]), 6);
  const [, line = ""] = /`aro-hcp (create infra [^`]*)` creates what is missing/.exec(broken.stdout) ?? [];
  const files = line
    .replace("--managed-identities-file FILE", `--managed-identities-file ${join(directory, "managed-identities.json")}`)
    .replace("--data-plane-identities-file FILE", `--data-plane-identities-file ${join(directory, "data-plane-identities.json")}`);
  exits(await azure.cli(files.split(" ")), 0);
  expect(await reported("--infra-file", moved)).toEqual(whole);

  exits(await destroy(azure, ["--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
  exits(await destroy(azure, ["--purge"]), 0);
});

test("a configuration file has all settings, and a dry run lists every step by reads only", async () => {
  const azure = await testEmulator();
  const config = azure.path("cluster.yaml");
  await writeFile(
    config,
    `cloud: local\nname: demo\ninfraId: demo-x7k2\nbaseDomain: hcp.example.com\ndnsZoneRgName: dns\noutputDir: ${azure.path("demo")}\n`,
  );
  const { stdout } = exits(await azure.cli(["create", "all", "--config", config, "--dry-run", "-o", "json"]), 0);
  const { steps } = JSON.parse(stdout) as { steps: { id: string; act: string }[] };
  expect(steps.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["key-pair", "issuer-documents", "key-vault", "load-balancer", "role-cpo-managed"]),
  );
  expect(writes(await azure.traffic())).toEqual([]);
  // It needed no directory.
  expect(await readdir(azure.path("."))).not.toContain("demo");
});

test("a plan says that an issuer that exists is updated with a signing key that will be created, or refused", async () => {
  const azure = await testEmulator();
  const planned = async () =>
    azure.cli([
      ...["create", "all", ...cluster, "--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns"],
      ...["--output-dir", azure.path("new"), "--dry-run", "--full-plan"],
    ]);
  expect(exits(await planned(), 0).stderr).toMatch(/\+ create +issuer \S+: with the new signing key\n/);
  exits(await create(azure), 0);
  expect(exits(await planned(), 0).stderr).toMatch(
    /~ update +issuer \S+: with the new signing key, beside \S{43}, which this run does not name\n/,
  );
  const blobs = await (await connectedAzure(azure.directory)).blobs();
  const url = `${issuer}/openid/v1/jwks`;
  const others = { text: "{}", contentType: "application/json", cacheControl: "no-store" };
  await blobs.write(url, others, (await blobs.read(url))?.etag);
  await refuses(azure, planned(), 5, "ARO-OIDC-005", "is not a JSON Web Key Set");
});

test("issuer and identities may share one resource group, which is deleted after both", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const flags = ["--oidc-resource-group-name", "shared", "--persistent-resource-group-name", "shared"];
  exits(await create(azure, flags), 0);
  exits(await destroy(azure, [...flags, "--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a set in another group is not left without its issuer: destroy names the group and the flag", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  // The soft-deleted vault of an earlier set does not show where the set is.
  exits(await create(azure), 0);
  exits(await destroy(azure), 0);
  const chosen = ["--persistent-resource-group-name", "chosen"];
  // The files of the earlier set are not replaced.
  exits(await create(azure, chosen, {}, "second"), 0);
  const refused = [
    2,
    "ARO-USAGE-001",
    'resource group demo-common does not contain the identity set "demo"',
    "resource group chosen",
    chosen.join(" "),
  ] as const;
  await refuses(azure, destroy(azure), ...refused);
  exits(await destroy(azure, chosen), 0);
  expect(await azure.snapshot()).toMatchObject({ resources: before.resources });
});

test("a rerun without the group of the set makes no second set: it is refused, unless the second group is passed", async () => {
  const azure = await testEmulator();
  const chosen = ["--persistent-resource-group-name", "chosen"];
  exits(await create(azure, chosen), 0);
  const words = ['the identity set "demo" is not in resource group demo-common', chosen.join(" ")] as const;
  await refuses(azure, create(azure), 5, "ARO-USAGE-001", ...words);
  await refuses(azure, create(azure, ["--dry-run"]), 5, "ARO-USAGE-001", ...words);
  exits(await create(azure, [...chosen, "--dry-run"]), 0);
  const second = ["--persistent-resource-group-name", "demo-common", "--dry-run"];
  await refuses(azure, create(azure, second), 5, "of identity set demo in resource group chosen", "--change-identities");
  exits(await create(azure, [...second, "--change-identities", "--yes"], {}, "second"), 0);
});

test("a set with the same name in another group does not keep destroy from ending, and is kept", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const tags = { "aro-hcp-identities": "demo" };
  const group = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/chosen";
  const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/azure-disk-MI-demo`;
  await azure.seed({ resources: { [group]: { location: "eastus", tags }, [identity]: { location: "eastus", tags } } });
  exits(await destroy(azure, ["--purge"]), 0);
  const { stderr } = exits(await destroy(azure, ["--purge"]), 0);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("pass --persistent-resource-group-name chosen");
  expect(Object.keys((await azure.snapshot()).resources)).toContain(identity.toLowerCase());
});

test("issuer and identities in the managed group of the cluster are destroyed with it", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const flags = ["--oidc-resource-group-name", "demo-demo-x7k2", "--persistent-resource-group-name", "demo-demo-x7k2"];
  exits(await create(azure, [...flags, "--single-resource-group"]), 0);
  const { stderr } = exits(await destroy(azure, [...flags, "--purge"]), 0);
  expect(stderr).not.toContain("not created by aro-hcp");
  expect(await azure.snapshot()).toEqual(before);
});

test("a set that other clusters use is not destroyed, nor its issuer", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const second = ["--cloud", "local", "--name", "demo", "--infra-id", "second"];
  const given = ["--managed-identities-file", azure.path("demo/managed-identities.json")];
  given.push("--data-plane-identities-file", azure.path("demo/data-plane-identities.json"));
  const roles = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--assign-identity-roles", ...given];
  exits(await azure.cli(["create", "infra", ...second, ...roles]), 0);
  await azure.traffic();
  const made = await azure.snapshot();

  // With another set for the existing cluster, the plan shows that each role changes to another principal: in one line, or each with both principals.
  const elsewhere = ["--persistent-resource-group-name", "elsewhere", "--change-identities", "--dry-run"];
  const other = exits(await create(azure, elsewhere, {}, "elsewhere"), 0).stderr;
  expect(other, other).toMatch(
    /^ {2}-\/\+ replace {2}role assignments \(21\): [^]*: the assignment of that name is of a different principal$/m,
  );
  expect(other).toMatch(/, 21 to replace\b/);
  const full = exits(await create(azure, [...elsewhere, "--full-plan"], {}, "elsewhere"), 0).stderr;
  expect(full.match(/ replace +role assignment [^]*? is of a different principal\n +principalId: "/g), full).toHaveLength(21);
  expect(writes(await azure.traffic())).toEqual([]);

  const set = ["--cloud", "local", "--name", "demo", "--resource-group-name", "demo-common", "--yes"];
  // A command to paste: the program knows the cluster's name.
  const named = "aro-hcp destroy infra --cloud local --name demo --infra-id second";
  await refuses(
    azure,
    azure.cli(["destroy", "identities", ...set]),
    5,
    "ARO-OWN-006",
    /is used by (demo-x7k2, second|second, demo-x7k2)/,
    named,
  );
  const ofTheIssuer = ["destroy", "oidc-issuer", "--cloud", "local", "--name", "demo", "--yes"];
  await refuses(
    azure,
    azure.cli(ofTheIssuer),
    5,
    "ARO-OWN-006",
    "the issuer of the identity set",
    /used\s+by\s+(demo-x7k2, second|second, demo-x7k2)/,
    named,
  );
  expect(await azure.snapshot()).toEqual(made);
  // As hypershift creates clusters: their role assignments and group names show them.
  const taken = new Map<string, Record<string, string>>();
  await changeState(azure, ({ resources }) => {
    for (const [key, one] of Object.entries(resources)) {
      if (one.tags?.["aro-hcp-infra-id"] !== "second") continue;
      taken.set(key, { ...one.tags });
      delete one.tags;
    }
  });
  await refuses(azure, azure.cli(["destroy", "identities", ...set]), 5, "ARO-OWN-006", "second", named);
  await refuses(azure, azure.cli(ofTheIssuer), 5, "ARO-OWN-006", "second", named);
  await changeState(azure, ({ resources }) => {
    for (const [key, tags] of taken) Object.assign(resources[key] ?? {}, { tags });
  });
  // Nothing needs an issuer that no identity trusts.
  await changeState(azure, ({ resources }) => {
    for (const { id, properties } of Object.values(resources))
      if (id.includes("/federatedIdentityCredentials/")) Object.assign(properties ?? {}, { issuer: "https://other.example.com" });
  });
  exits(await azure.cli([...ofTheIssuer, "--dry-run"]), 0);
  exits(await azure.cli(["destroy", "infra", ...second, "--yes"]), 0);
  exits(await destroy(azure, ["--purge"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("every refusal is reported before any resource is created", async () => {
  const azure = await testEmulator();
  await azure.seed({ knobs: { takenStorageNames: [demoAccount] } });
  await refuses(azure, create(azure, ["--base-domain", "elsewhere.example.com"]), 5, "ARO-OIDC-002", "ARO-DNS-001");
  await refuses(azure, create(azure, ["--name", "a--b"]), 2, "--blob-container-name");
  await refuses(azure, create(azure, ["--output-events", azure.path("demo/infra.json")]), 2, /is also infra.json of --output-dir/);
  await refuses(azure, azure.cli(["create", "all", ...cluster]), 2, "--output-dir", "--dns-zone-rg-name", "--base-domain");
});

test("no private key is in the output, in requests to Azure, or readable by other users", async () => {
  const azure = await testEmulator();
  const events = azure.path("events.ndjson");
  const { stdout, stderr } = exits(await create(azure, ["--debug", "--output", "json", "--output-events", events]), 0);
  // The first lines contain the modulus, which is public. This line is in the private part.
  const secret = key.privatePem.split("\n")[15] ?? "";
  expect(secret).toMatch(/^[\w+/]{64}$/);
  const traffic = JSON.stringify(await azure.traffic());
  for (const text of [stdout, stderr, traffic, await readFile(events, "utf8")]) {
    expect(text.includes(secret) || /BEGIN (?:RSA )?PRIVATE KEY/.test(text)).toBe(false);
  }
});
