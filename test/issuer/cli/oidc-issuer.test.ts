/** `create oidc-issuer` and `destroy oidc-issuer`: the published documents, their readers, and refusals. */
import { readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { defaultAccountName } from "../../../src/domain/issuer.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { testEmulator, writes, type Exchange, type TestEmulator } from "../../harness/test-emulator.js";
import { exits, refuses, writesSince } from "../../cli/expectations.js";
import { addTags, changeState, deleteResources, resource, setProperties, type Properties } from "../../harness/state-changes.js";
import { publicFile, testKey, type TestKey } from "../signing-keys.js";
import { demoAccount, demoIssuer } from "../../harness/demo-issuer.js";

const subscription = "/subscriptions/5b5c0000-0000-4000-8000-000000000001";
const group = `${subscription}/resourceGroups/demo-oidc`;
const account = `${group}/providers/Microsoft.Storage/storageAccounts/${demoAccount}`;
const container = `${account}/blobServices/default/containers/demo`;
const issuer = demoIssuer;
const [one, two] = [testKey(), testKey()];

const named = ["--cloud", "local", "--name", "demo"] as const;

async function create(azure: TestEmulator, keys: readonly TestKey[], flags: readonly string[] = []) {
  const files = await Promise.all(keys.map((key) => publicFile(azure.path("keys"), key)));
  return azure.cli(["create", "oidc-issuer", ...named, ...files.flatMap((file) => ["--public-key-file", file]), "--yes", ...flags]);
}

const destroy = (azure: TestEmulator, flags: readonly string[] = []) => azure.cli(["destroy", "oidc-issuer", ...named, "--yes", ...flags]);

/** The last anonymous responses of the issuer's URLs. */
function published(traffic: readonly Exchange[]): { discovery: unknown; keys: readonly { kid: string }[] } {
  const answered = (path: string): unknown => {
    const read = traffic.findLast(({ method, url, status }) => method === "GET" && url === `${issuer}/${path}` && status === 200);
    return typeof read?.responseBody === "string" ? JSON.parse(read.responseBody) : read?.responseBody;
  };
  const set = answered("openid/v1/jwks") as { keys: { kid: string }[] } | undefined;
  return { discovery: answered(".well-known/openid-configuration"), keys: set?.keys ?? [] };
}

test("create publishes the discovery document and the key set, which everyone can read and nobody can list; a second run writes nothing; destroy restores the original state", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const { stdout } = exits(await create(azure, [one], ["--output-dir", azure.path("out"), "--user-tags", "team=a"]), 0);
  expect(stdout.trim()).toBe(issuer);

  const traffic = await azure.traffic();
  const { discovery, keys } = published(traffic);
  expect(discovery).toEqual({
    issuer,
    jwks_uri: `${issuer}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
  });
  expect(keys).toMatchObject([{ kid: one.kid, kty: "RSA", alg: "RS256", use: "sig", e: "AQAB" }]);
  const uploads = writes(traffic).filter(({ url }) => url.startsWith(issuer));
  expect(uploads.map(({ url }) => url)).toEqual([`${issuer}/openid/v1/jwks`, `${issuer}/.well-known/openid-configuration`]);
  for (const { requestHeaders } of uploads) {
    expect(requestHeaders).toMatchObject({
      "x-ms-blob-content-type": "application/json",
      "x-ms-blob-cache-control": "public, max-age=300",
    });
  }
  const reads = traffic.filter(({ method, url }) => method === "GET" && url.startsWith(issuer));
  expect(reads.length).toBeGreaterThan(1);
  for (const { requestHeaders } of reads) expect(Object.keys(requestHeaders)).not.toContain("authorization");
  expect(traffic.some(({ url }) => url.includes("listKeys"))).toBe(false);

  expect(JSON.parse(await readFile(azure.path("out/jwks"), "utf8"))).toEqual({ keys });
  expect(JSON.parse(await readFile(azure.path("out/openid-configuration"), "utf8"))).toEqual(discovery);
  expect((await stat(azure.path("out/jwks"))).mode & 0o777).toBe(0o644);

  expect(await resource(azure, account)).toMatchObject({
    beside: { kind: "StorageV2" },
    sku: { name: "Standard_LRS" },
    tags: { "aro-hcp-identities": "demo", team: "a" },
    properties: { allowBlobPublicAccess: true, allowSharedKeyAccess: false, minimumTlsVersion: "TLS1_2", supportsHttpsTrafficOnly: true },
  });
  expect(await resource(azure, container)).toMatchObject({ properties: { publicAccess: "Blob" } });

  const made = await azure.snapshot();
  exits(await create(azure, [one], ["--user-tags", "team=a"]), 0);
  expect(await writesSince(azure)).toEqual([]);
  expect(await azure.snapshot()).toEqual(made);

  exits(await destroy(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
  exits(await destroy(azure), 0);
});

test("a dry run writes nothing and lists every step", async () => {
  const azure = await testEmulator();
  const { stdout } = exits(await create(azure, [one], ["--dry-run", "--output", "json"]), 0);
  const plan = JSON.parse(stdout) as { name: string; changes: number; steps: { id: string; act: string }[] };
  expect(plan).toMatchObject({ name: "demo", dryRun: true, changes: 5 });
  expect(plan.steps.map(({ id }) => id)).toEqual([
    "signing-keys",
    "issuer-group",
    "issuer-account",
    "issuer-role",
    "issuer-container",
    "issuer-documents",
  ]);
  expect(await writesSince(azure)).toEqual([]);
});

test("a second key is added to the first, the first is retired without a gap, and the last one cannot be retired", async () => {
  const azure = await testEmulator();
  exits(await create(azure, [one]), 0);
  exits(await create(azure, [two]), 0);
  const both = published(await azure.traffic());
  expect(both.keys.map(({ kid }) => kid)).toEqual([one.kid, two.kid]);

  await refuses(azure, create(azure, [], ["--retire-key", `${one.kid},${two.kid}`]), 5, "ARO-OIDC-005");
  await writeFile(azure.path("keys/serviceaccount-signer.public"), two.publicPem);
  await refuses(azure, create(azure, [], ["--retire-key", two.kid, "--output-dir", azure.path("keys")]), 2, "ARO-USAGE-001", "next key");
  await refuses(
    azure,
    create(azure, [], ["--retire-key", one.kid, "--no-yes"]),
    5,
    `would retire ${one.kid}`,
    `${two.kid} would stay`,
    "pass --yes",
  );
  const plan = exits(await create(azure, [], ["--retire-key", one.kid, "--dry-run"]), 0).stderr;
  expect(plan.replaceAll(/\s+/g, " ")).toContain(`without ${one.kid}; ${two.kid} stays published`);
  exits(await create(azure, [], ["--retire-key", one.kid]), 0);
  expect(published(await azure.traffic()).keys.map(({ kid }) => kid)).toEqual([two.kid]);
  // Not an error, and not the time to choose the other key.
  await refuses(
    azure,
    create(azure, [], ["--retire-key", one.kid, "--no-yes"]),
    0,
    new RegExp(`${one.kid} is not published at .*nothing to retire`),
  );
  await refuses(azure, create(azure, [], ["--retire-key", two.kid]), 5, "ARO-OIDC-005", "last key");
  await refuses(azure, create(azure, [two], ["--retire-key", two.kid]), 2, "in the same run");
});

test("without a terminal and --yes, no key is published beside one that the run does not name", async () => {
  const azure = await testEmulator();
  exits(await create(azure, [one]), 0);
  const unattended = ["--no-yes"];
  await refuses(azure, create(azure, [two], unattended), 5, "ARO-OIDC-005", `does not name: ${one.kid}`, "beside it, pass --yes");
  const { stderr } = exits(await create(azure, [two], ["--dry-run"]), 0);
  expect(stderr).toContain(`another signing key beside ${one.kid}, which this run does not name`);
  // Both are named, as in a rotation.
  exits(await create(azure, [one, two], unattended), 0);
  // A key that is published already changes nothing.
  exits(await create(azure, [two], unattended), 0);
});

test("two keys can be published at once", async () => {
  const azure = await testEmulator();
  exits(await create(azure, [one, two]), 0);
  expect(
    published(await azure.traffic())
      .keys.map(({ kid }) => kid)
      .sort(),
  ).toEqual([one.kid, two.kid].sort());
});

test.each<[string, Properties]>([
  ["public access off", { allowBlobPublicAccess: false }],
  ["shared key access on", { allowSharedKeyAccess: true }],
  ["an old TLS version", { minimumTlsVersion: "TLS1_0" }],
])("an account of ours with %s is repaired", async (_, wrong) => {
  const azure = await testEmulator();
  exits(await create(azure, [one]), 0);
  const made = await azure.snapshot();
  await setProperties(azure, account, wrong);
  await azure.traffic();
  exits(await create(azure, [one]), 0);
  expect((await writesSince(azure)).filter((write) => write.startsWith("PATCH"))).toHaveLength(1);
  expect((await azure.snapshot()).resources[account.toLowerCase()]).toEqual(made.resources[account.toLowerCase()]);
});

test("anonymous listing of a container is disabled", async () => {
  const azure = await testEmulator();
  exits(await create(azure, [one]), 0);
  await setProperties(azure, container, { publicAccess: "Container" });
  exits(await create(azure, [one]), 0);
  expect(await resource(azure, container)).toMatchObject({ properties: { publicAccess: "Blob" } });
});

test("waits, with a note, until the role applies to the data", async () => {
  const azure = await testEmulator();
  await azure.seed({ knobs: { dataRightsLagSeconds: 300 } });
  const files = await publicFile(azure.path("keys"), one);
  const run = await azure.cli(["create", "oidc-issuer", ...named, "--public-key-file", files], {
    env: { ARO_HCP_LOCAL_TIME_SCALE: "60" },
  });
  exits(run, 0);
  expect(run.stderr).toContain("the role assignment has not taken effect on the data yet (AuthorizationPermissionMismatch)");
  expect((await azure.traffic()).some(({ status, url }) => status === 403 && url.startsWith(issuer))).toBe(true);
});

test.each(["deny", "modify"])("a policy against public blobs with the effect %s is named before the first write", async (effect) => {
  const azure = await testEmulator();
  await azure.seed({ knobs: { publicBlobPolicy: effect } });
  const policy = new RegExp(`policyAssignments/${effect}-public-blobs of the definition /providers/.* \\(${effect}\\)`);
  await refuses(azure, create(azure, [one]), 5, "ARO-SUB-005", `does not allow storage account ${demoAccount}`, policy);
});

test.each([
  ["deny", "deny-public-blobs"],
  ["modify", "a policy keeps allowBlobPublicAccess at false"],
])(
  "a policy against public blobs with the effect %s that Azure's check does not see is in the failure",
  async (publicBlobPolicy, words) => {
    const azure = await testEmulator();
    await azure.seed({ providers: { "Microsoft.PolicyInsights": "NotRegistered" }, knobs: { publicBlobPolicy } });
    expect(exits(await create(azure, [one]), 5).stderr).toContain(words);
  },
);

test("a name that is taken globally is refused before anything is created", async () => {
  const azure = await testEmulator();
  await azure.seed({ knobs: { takenStorageNames: [demoAccount] } });
  await refuses(azure, create(azure, [one]), 5, "ARO-OIDC-002", "--storage-account-name");
});

test.each([account, `${group}/providers/Microsoft.Storage/storageAccounts/demo`])(
  "an unowned account %s is refused, and destroy keeps it",
  async (id) => {
    const azure = await testEmulator();
    await azure.seed({
      resources: {
        [group]: { location: "eastus" },
        [id]: { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {} },
      },
    });
    const before = await azure.snapshot();
    await refuses(azure, create(azure, [one]), 5, "ARO-OWN-001", "has a different owner");
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  },
);

test.each([
  ["my-cluster", "mycluster"],
  ["ab", "ab"],
  ["a-name-that-is-longer-than-an-account-may-be", "anamethatislongert"],
])("an issuer of the set %s has an account that Azure accepts, and destroy finds it", async (name, stem) => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const file = await publicFile(azure.path("keys"), one);
  const flags = ["--cloud", "local", "--name", name, "--yes"];
  const { stdout } = exits(await azure.cli(["create", "oidc-issuer", ...flags, "--public-key-file", file]), 0);
  expect(stdout.trim()).toMatch(
    new RegExp(`^https://${stem}[0-9a-f]{6}\\.blob\\.core\\.windows\\.net/${name === "ab" ? "ab-oidc" : name}$`),
  );
  exits(await azure.cli(["destroy", "oidc-issuer", ...flags]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("sets of one name in two groups or subscriptions have accounts of different names", () => {
  const place = { subscriptionId: "5b5c0000-0000-4000-8000-000000000001", groupName: "demo-oidc", name: "demo" };
  const names = [place, { ...place, groupName: "other" }, { ...place, subscriptionId: "0" }, { ...place, name: "de-mo" }].map(
    defaultAccountName,
  );
  expect(new Set(names).size).toBe(4);
  expect(names[0]).toBe(demoAccount);
});

describe("an account with the plain name of the set, which earlier versions created,", () => {
  const plain = `${group}/providers/Microsoft.Storage/storageAccounts/demo`;
  const plainIssuer = "https://demo.blob.core.windows.net/demo";
  /** As an earlier version: without a suffix, and without a record of the name. */
  const createPlain = (azure: TestEmulator) => create(azure, [one], ["--storage-account-name", "demo"]);

  test("is kept: a second key is published beside the first, nothing else is created, and destroy deletes it", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    exits(await createPlain(azure), 0);
    expect((await resource(azure, plain))?.tags).toEqual({ "aro-hcp-identities": "demo" });
    const made = await azure.snapshot();
    await azure.traffic();
    expect(exits(await create(azure, [one]), 0).stdout.trim()).toBe(plainIssuer);
    expect(await writesSince(azure)).toEqual([]);
    expect(await azure.snapshot()).toEqual(made);
    exits(await create(azure, [two]), 0);
    expect(await resource(azure, account)).toBeUndefined();
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("is the account that the doctor plans", async () => {
    const azure = await testEmulator();
    exits(await createPlain(azure), 0);
    const { stdout } = await azure.cli(["doctor", "oidc-issuer", ...named, "--output", "json"]);
    expect(stdout).toContain('"subject": "demo"');
    expect(stdout).not.toContain(demoAccount);
  });

  test("is not looked for in other groups: there, the set gets another one", async () => {
    const azure = await testEmulator();
    exits(await createPlain(azure), 0);
    const { stdout } = exits(await create(azure, [one], ["--oidc-resource-group-name", "second"]), 0);
    expect(stdout.trim()).toMatch(/^https:\/\/demo[0-9a-f]{6}\.blob/);
    await refuses(azure, destroy(azure), 5, "ARO-OIDC-006", "storageAccounts/demo,");
    exits(await destroy(azure, ["--oidc-resource-group-name", "second"]), 0);
    exits(await destroy(azure), 0);
  });

  test("is kept by two creates at once, and both names are deleted together", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    exits(await createPlain(azure), 0);
    const runs = await Promise.all([create(azure, [one]), create(azure, [two])]);
    for (const run of runs) expect(exits(run, 0).stdout.trim()).toBe(plainIssuer);
    exits(await create(azure, [one], ["--storage-account-name", demoAccount]), 0);
    expect(await resource(azure, account)).toMatchObject({ tags: { "aro-hcp-identities": "demo" } });
    exits(await destroy(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

test("two creates at once agree on the account", async () => {
  const azure = await testEmulator();
  const runs = await Promise.all([create(azure, [one]), create(azure, [two])]);
  for (const run of runs) expect(exits(run, 0).stdout.trim()).toBe(issuer);
  const accounts = Object.keys((await azure.snapshot()).resources).filter((id) => /storageaccounts\/[^/]+$/.test(id));
  expect(accounts).toEqual([account.toLowerCase()]);
});

test("an existing group is used and kept; content of others in the account is not deleted with it", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [`${subscription}/resourceGroups/common`]: { location: "westeurope", tags: { team: "a" } } } });
  const before = await azure.snapshot();
  const flags = ["--oidc-resource-group-name", "common", "--storage-account-name", "demoissuer", "--blob-container-name", "tokens"];
  const { stdout } = exits(await create(azure, [one], flags), 0);
  expect(stdout.trim()).toBe("https://demoissuer.blob.core.windows.net/tokens");
  const demoissuer = `${subscription}/resourceGroups/common/providers/Microsoft.Storage/storageAccounts/demoissuer`;
  const contents = [
    ["container", "blobServices/default/containers/other"],
    ["file share", "fileServices/default/shares/other"],
    ["queue", "queueServices/default/queues/other"],
    ["table", "tableServices/default/tables/other"],
  ] as const;
  for (const [what, path] of contents) {
    await azure.seed({ resources: { [`${demoissuer}/${path}`]: { properties: {} } } });
    await refuses(azure, destroy(azure, flags.slice(0, 2)), 5, "ARO-OWN-004", `${what} demoissuer/other`);
    await deleteResources(azure, `${demoissuer}/${path}`);
  }
  // Another issuer, in the container of this one.
  const blobs = await (await connectedAzure(azure.directory)).blobs();
  const document = { text: "{}", contentType: "application/json", cacheControl: undefined };
  await blobs.write("https://demoissuer.blob.core.windows.net/tokens/other/keys.json", document, undefined);
  await refuses(azure, destroy(azure, flags.slice(2, 4)), 5, "ARO-OWN-004", "blob demoissuer/tokens/other/keys.json");
  // Without a role for the data, blobs are not looked for.
  await changeState(azure, ({ roleAssignments }) => {
    for (const [id, { scope }] of Object.entries(roleAssignments))
      if (scope.toLowerCase() === demoissuer.toLowerCase()) delete roleAssignments[id];
  });
  exits(await destroy(azure, flags), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("with two issuers of one name in two groups, destroy deletes the specified one, and none without a choice", async () => {
  const azure = await testEmulator();
  const second = ["--oidc-resource-group-name", "second"];
  exits(await create(azure, [one], second), 0);
  const alone = await azure.snapshot();
  exits(await create(azure, [one]), 0);
  await refuses(azure, destroy(azure), 5, "ARO-OIDC-006", "resourceGroups/second/", "--oidc-resource-group-name");
  exits(await destroy(azure, ["--oidc-resource-group-name", "demo-oidc"]), 0);
  expect(await azure.snapshot()).toEqual(alone);
});

test("an empty account in a group of others that has nothing but our tags is kept, and listed with the flag that would name it", async () => {
  const azure = await testEmulator();
  const theirs = `${subscription}/resourceGroups/theirs`;
  const payroll = (name: string) => `${theirs}/providers/Microsoft.Storage/storageAccounts/${name}`;
  const empty = { location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {} };
  const tags = { "aro-hcp-identities": "demo" };
  await azure.seed({
    resources: {
      [theirs]: { location: "eastus", tags: { ...tags, "aro-hcp-created-as": "theirs" } },
      [payroll("payroll")]: { ...empty, tags: { ...tags, "aro-hcp-created-as": "payroll" } },
      // Earlier versions gave this name, but anybody may have it.
      [payroll("demo")]: { ...empty, tags },
    },
  });
  const before = await azure.snapshot();
  for (const command of [
    ["oidc-issuer", ...named],
    ["all", ...named, "--infra-id", "demo-x7k2"],
  ]) {
    const { stderr } = exits(await azure.cli(["destroy", ...command, "--yes"]), 0);
    for (const name of ["payroll", "demo"])
      expect(stderr).toMatch(new RegExp(`kept +${payroll(name)}: .* if it is, pass --oidc-resource-group-name theirs`));
    expect(await azure.snapshot()).toEqual(before);
  }
  exits(await destroy(azure, ["--oidc-resource-group-name", "theirs"]), 0);
  expect(Object.keys((await azure.snapshot()).resources)).not.toContain(theirs.toLowerCase());
});

test("an account without internet access gets it, and keeps its other settings", async () => {
  const azure = await testEmulator();
  exits(await create(azure, [one]), 0);
  await addTags(azure, account, { team: "a" });
  await setProperties(azure, account, {
    publicNetworkAccess: "Disabled",
    networkAcls: { bypass: "Logging", defaultAction: "Deny", ipRules: [], virtualNetworkRules: [] },
    minimumTlsVersion: "TLS1_3",
  });
  exits(await create(azure, [one]), 0);
  expect(await resource(azure, account)).toMatchObject({
    tags: { team: "a", "aro-hcp-identities": "demo" },
    properties: { publicNetworkAccess: "Enabled", networkAcls: { bypass: "Logging", defaultAction: "Allow" }, minimumTlsVersion: "TLS1_3" },
  });
});

test.each([
  ["by storage itself", "/containers/", 409, "PublicAccessNotPermitted", "ARO-OIDC-001"],
  ["by a policy", "/storageAccounts/[^/]+$", 403, "RequestDisallowedByPolicy", "ARO-SUB-005"],
])("public access that is refused %s is explained", async (_, path, status, code, expected) => {
  const azure = await testEmulator();
  const files = await publicFile(azure.path("keys"), one);
  const faults = [{ method: "PUT", path, answer: { status, body: { error: { code, message: "no" } } }, times: 9 }];
  const run = azure.cli(["create", "oidc-issuer", ...named, "--public-key-file", files], { faults });
  expect(exits(await run, 5).stderr).toMatch(new RegExp(`\\[${expected}\\][^]*exemption`));
});

test("resources of another identity set are not changed", async () => {
  const azure = await testEmulator();
  exits(await create(azure, [one]), 0);
  await addTags(azure, account, { "aro-hcp-identities": "demo-2" });
  await addTags(azure, group, { "aro-hcp-identities": "demo-2" });
  const before = await azure.snapshot();
  await refuses(azure, create(azure, [one]), 5, "another owner");
  exits(await destroy(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test.each<[string, readonly string[], string]>([
  ["a name with two hyphens", ["--name", "a--b"], "blob-container-name"],
  ["an account name in capitals", ["--name", "demo", "--storage-account-name", "Demo"], "lowercase"],
  ["a container name with two hyphens", ["--name", "demo", "--blob-container-name", "a--b"], "container"],
  ["no key", ["--name", "demo"], "--public-key-file is required: serviceaccount-signer.public does not exist"],
])("%s is refused before any request to Azure", async (_, flags, word) => {
  const azure = await testEmulator();
  const { stderr } = exits(await azure.cli(["create", "oidc-issuer", "--cloud", "local", ...flags]), 2);
  expect(stderr).toContain(word);
  expect(await azure.traffic()).toEqual([]);
});

test("without a key, the error says how to create one, and the command in it leads to an issuer", async () => {
  const azure = await testEmulator();
  const directory = azure.path("keys");
  const publish = () => azure.cli(["create", "oidc-issuer", ...named, "--output-dir", directory]);
  const { stderr } = exits(await publish(), 2);
  expect(stderr).toContain("--public-key-file");
  const [, advised = ""] = /`aro-hcp (create key-pair .*?)`/.exec(stderr.replaceAll(/\n {11}/g, " ")) ?? [];
  exits(await azure.cli(advised.split(" ")), 0);
  exits(await publish(), 0);
});

test("a private key passed as the public one is refused, and not quoted", async () => {
  const azure = await testEmulator();
  const file = azure.path("mixed-up");
  await writeFile(file, one.privatePem);
  const { stderr } = exits(await azure.cli(["create", "oidc-issuer", ...named, "--public-key-file", file, "--debug"]), 2);
  expect(stderr).toContain("is a private key");
  expect(stderr).not.toContain(one.privatePem.split("\n")[3]);
});
