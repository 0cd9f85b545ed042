/** The workload identities of a self-managed cluster: created as hypershift does, used by create infra, shown, adopted and destroyed. */
import { readFile, stat } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { readWorkloadIdentities } from "../../../src/files/identity-files.js";
import { connectedAzure } from "../../harness/connected-azure.js";
import { addTags, changeState, deleteResources, resource, type SnapshotResource } from "../../harness/state-changes.js";
import { demo, testEmulator, writes, type CliOptions, type TestEmulator } from "../../harness/test-emulator.js";
import { groupId } from "../../cli/demo-cluster.js";
import { exits, refuses, titled, writesSince } from "../../cli/expectations.js";
import { hypershiftCreatesIam, hypershiftIam, hypershiftKms, iamGroup } from "./hypershift-iam.js";

const issuer = "https://issuer.example.com/demo";
const group = ["--resource-group-name", iamGroup] as const;
const tag = { "aro-hcp-iam": "demo/demo-x7k2" };
const identityId = (name: string) => `${groupId(iamGroup)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;

function createIam(azure: TestEmulator, flags: readonly string[] = [], options?: CliOptions) {
  return azure.cli(["create", "iam", ...demo, ...group, "--oidc-issuer-url", issuer, "--yes", ...flags], options);
}

const iam = (azure: TestEmulator, verb: string, flags: readonly string[] = []) => azure.cli([verb, "iam", ...demo, ...group, ...flags]);
const destroyIam = (azure: TestEmulator, flags: readonly string[] = []) => iam(azure, "destroy", ["--yes", ...flags]);

async function resourcesOf(azure: TestEmulator): Promise<Readonly<Record<string, SnapshotResource>>> {
  return (await azure.snapshot()).resources as Record<string, SnapshotResource>;
}

/** Subjects by the name of the credential, by the name of the identity, with this issuer and audience. */
async function trusted(azure: TestEmulator, trustedIssuer = issuer): Promise<Record<string, Record<string, string>>> {
  const { userAssignedIdentities, federatedIdentityCredentials } = await (await connectedAzure(azure.directory)).identities();
  const found: Record<string, Record<string, string>> = {};
  for await (const { name = "" } of userAssignedIdentities.listByResourceGroup(iamGroup)) {
    found[name] = {};
    for await (const one of federatedIdentityCredentials.list(iamGroup, name)) {
      expect(one).toMatchObject({ issuer: trustedIssuer, audiences: ["openshift"] });
      found[name] = { ...found[name], [one.name ?? ""]: one.subject ?? "" };
    }
  }
  return found;
}

test("create makes what hypershift makes, and its file; a rerun writes nothing; destroy restores the original state", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const path = azure.path("iam.json");
  const { stdout } = exits(await createIam(azure, ["--output-file", path]), 0);
  expect(await trusted(azure)).toEqual(hypershiftIam);
  for (const name of Object.keys(hypershiftIam)) expect((await resource(azure, identityId(name)))?.tags).toEqual(tag);
  expect((await resource(azure, groupId(iamGroup)))?.tags).toEqual({ ...tag, "aro-hcp-created-as": iamGroup });

  // Byte for byte the keys and the indent of hypershift's file.
  const text = await readFile(path, "utf8");
  expect(stdout).toBe(text);
  const clientId = async (name: string) => (await resource(azure, identityId(name)))?.properties?.["clientId"];
  const file = JSON.parse(text) as Record<string, unknown>;
  expect(Object.keys(file)).toEqual([
    ...["imageRegistry", "ingress", "file", "disk", "nodePoolManagement", "cloudProvider", "network", "controlPlaneOperator"],
  ]);
  expect(text).toBe(`${JSON.stringify(file, undefined, 2)}\n`);
  expect(file).toMatchObject({
    imageRegistry: { clientID: await clientId("demo-image-registry-demo-x7k2") },
    nodePoolManagement: { clientID: await clientId("demo-node-pool-mgmt-demo-x7k2") },
    controlPlaneOperator: { clientID: await clientId("demo-control-plane-operator-demo-x7k2") },
  });
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await readWorkloadIdentities(path, { disabledCapabilities: [] })).identities).toEqual(file);

  const made = await azure.snapshot();
  await azure.traffic();
  exits(await createIam(azure, ["--output-file", path]), 0);
  expect(await writesSince(azure)).toEqual([]);
  expect(await azure.snapshot()).toEqual(made);
  expect(await readFile(path, "utf8")).toBe(text);

  exits(await destroyIam(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
  const again = exits(await destroyIam(azure), 0);
  expect(again.stderr).toMatch(/nothing in subscription \S+ belongs to the cluster with workload identities "demo\/demo-x7k2"/);
});

test("--enable-kms adds the identity of KMS, which a later run without it keeps, and destroy deletes", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const { stdout } = exits(await createIam(azure, ["--enable-kms"]), 0);
  expect(Object.keys(JSON.parse(stdout) as object).at(-1)).toBe("kmsClientID");
  const again = exits(await createIam(azure), 0);
  expect(again.stdout).toBe(stdout);
  expect(again.stderr).toContain("notice: demo-x7k2 keeps settings that it was created with: --enable-kms");
  expect(exits(await createIam(azure, ["--no-enable-kms"]), 0).stdout).not.toContain("kmsClientID");
  expect(await trusted(azure)).toEqual({ ...hypershiftIam, ...hypershiftKms });
  expect(exits(await iam(azure, "show"), 0).stdout).toContain("demo-kms-demo-x7k2");
  exits(await destroyIam(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a dry run writes nothing, and lists each identity with its credentials", async () => {
  const azure = await testEmulator();
  const { stdout } = exits(await createIam(azure, ["--dry-run", "--output", "json"]), 0);
  const plan = JSON.parse(stdout) as { infraId: string; changes: number; steps: { title: string }[] };
  expect(plan).toMatchObject({ infraId: "demo-x7k2", dryRun: true, changes: 17 });
  expect(plan.steps.map(({ title }) => title)).toContain("federated identity credentials of demo-disk-demo-x7k2");
  expect(await writesSince(azure)).toEqual([]);
});

test("two writes to one identity never overlap, and what Azure answers about new identities is retried", async () => {
  const azure = await testEmulator();
  const arm = (status: number, code: string) => ({ status, body: { error: { code, message: code } } });
  const faults = [
    {
      method: "PUT",
      path: "/federatedIdentityCredentials/",
      answer: arm(409, "ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity"),
    },
    { method: "PUT", path: "/federatedIdentityCredentials/", nth: 2, answer: arm(404, "ParentResourceNotFound") },
  ];
  exits(await createIam(azure, [], { faults }), 0);
  expect(await trusted(azure)).toEqual(hypershiftIam);
});

test("a lock that would stop the write of a credential is found before the first write", async () => {
  const azure = await testEmulator();
  exits(await createIam(azure), 0);
  const disk = identityId("demo-disk-demo-x7k2");
  await deleteResources(azure, `${disk}/federatedIdentityCredentials/demo-disk-fed-id-node`);
  const lock = `${disk}/providers/Microsoft.Authorization/locks/frozen`;
  await azure.seed({ resources: { [lock]: { properties: { level: "ReadOnly" } } } });
  await refuses(azure, createIam(azure), 5, "[ARO-SUB-004]");
});

test("missing credentials are added, and another issuer or audience is replaced under the same name", async () => {
  const azure = await testEmulator();
  exits(await createIam(azure), 0);
  const credential = (identity: string, name: string) => `${identityId(identity)}/federatedIdentityCredentials/${name}`;
  await deleteResources(azure, credential("demo-disk-demo-x7k2", "demo-disk-fed-id-operator"));
  const { federatedIdentityCredentials } = await (await connectedAzure(azure.directory)).identities();
  await federatedIdentityCredentials.createOrUpdate(iamGroup, "demo-network-demo-x7k2", "demo-network-fed-id", {
    issuer,
    subject: hypershiftIam["demo-network-demo-x7k2"]?.["demo-network-fed-id"] ?? "",
    audiences: ["other"],
  });
  const shown = exits(await iam(azure, "show"), 0).stdout;
  expect(shown).toMatch(/credentials of demo-disk-demo-x7k2 +absent|credential of demo-network-demo-x7k2 +exists +\S*audiences/);
  await azure.traffic();
  exits(await createIam(azure), 0);
  expect((await writesSince(azure)).map((write) => write.split("/").at(-1)).toSorted()).toEqual([
    "demo-disk-fed-id-operator",
    "demo-network-fed-id",
  ]);
  expect(await trusted(azure)).toEqual(hypershiftIam);

  const other = "https://issuer.example.com/other";
  const plan = exits(await createIam(azure, ["--oidc-issuer-url", other, "--dry-run"]), 0);
  expect(plan.stderr).toMatch(/demo-cpo-fed-id\]\.issuer/);
  exits(await createIam(azure, ["--oidc-issuer-url", other]), 0);
  expect(await trusted(azure, other)).toEqual(hypershiftIam);
});

describe("with create infra", () => {
  const infra = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--assign-identity-roles"];

  test("the file gives the identities the roles that hypershift assigns, which destroy iam waits for; nothing is left", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    const path = azure.path("iam.json");
    exits(await createIam(azure, ["--enable-kms", "--output-file", path]), 0);
    const output = azure.path("infra.json");
    const flags = ["--workload-identities-file", path, "--output-file", output];
    exits(await azure.cli(["create", "infra", ...demo, ...infra, ...flags, "--yes"]), 0);
    const { kmsClientID, ...workloadIdentities } = JSON.parse(await readFile(path, "utf8")) as Record<string, unknown>;
    expect(JSON.parse(await readFile(output, "utf8"))).toMatchObject({ workloadIdentities, kmsClientID, controlPlaneMIs: null });
    const assigned = Object.keys(((await azure.snapshot()) as { roleAssignments: object }).roleAssignments);
    const others = Object.keys((before as unknown as { roleAssignments: object }).roleAssignments);
    expect(assigned.filter((id) => !others.includes(id))).toHaveLength(18);

    // Without the file, the output of the earlier run has the identities, and keeps all of them.
    exits(await azure.cli(["create", "infra", ...demo, "--base-domain", "hcp.example.com", "--output-file", output, "--yes"]), 0);
    expect(JSON.parse(await readFile(output, "utf8"))).toMatchObject({ workloadIdentities, kmsClientID });

    await refuses(
      azure,
      destroyIam(azure),
      5,
      "ARO-OWN-006",
      "used by demo-x7k2",
      /destroy infra --cloud local --name demo --infra-id demo-x7k2/,
    );
    exits(await azure.cli(["destroy", "infra", ...demo, "--yes"]), 0);
    exits(await destroyIam(azure), 0);
    expect(await azure.snapshot()).toEqual(before);
  });

  test("identities in the managed group stop destroy infra, until destroy iam has deleted them", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    exits(await azure.cli(["create", "infra", ...demo, "--base-domain", "hcp.example.com", "--yes"]), 0);
    const inManaged = [...demo, "--resource-group-name", "demo-demo-x7k2"];
    exits(await azure.cli(["create", "iam", ...inManaged, "--oidc-issuer-url", issuer, "--yes"]), 0);
    await refuses(azure, azure.cli(["destroy", "infra", ...demo, "--yes"]), 5, "ARO-OWN-004", "demo-disk-demo-x7k2");
    exits(await azure.cli(["destroy", "iam", ...inManaged, "--yes"]), 0);
    exits(await azure.cli(["destroy", "infra", ...demo, "--yes"]), 0);
    expect(await azure.snapshot()).toEqual(before);
  });
});

describe("what hypershift created", () => {
  const adoptCommand = "aro-hcp adopt iam --cloud local --name demo --infra-id demo-x7k2 --persistent-resource-group-name demo-iam";

  test("is neither changed nor destroyed: the refusals name the command that adopts it", async () => {
    const azure = await testEmulator();
    await hypershiftCreatesIam(azure, issuer);
    const looks = /looks? like(?:s as if)?|looks as if `hypershift create iam azure` created it/;
    await refuses(azure, createIam(azure), 5, "ARO-OWN-001", looks, adoptCommand);
    await refuses(azure, destroyIam(azure), 5, "ARO-OWN-007", "8 identities have names", adoptCommand);
    await refuses(azure, destroyIam(azure, ["--dry-run"]), 5, "ARO-OWN-007");
    expect(exits(await iam(azure, "show"), 0).stdout).toContain("has a different owner");
  });

  test("is adopted with its other tags; create then changes nothing, and destroy deletes it but not the group of others", async () => {
    const azure = await testEmulator();
    const before = await azure.snapshot();
    await hypershiftCreatesIam(azure, issuer);
    await addTags(azure, identityId("demo-disk-demo-x7k2"), { team: "edge" });
    const { stdout } = exits(await iam(azure, "adopt", ["--yes", "-o", "json"]), 0);
    expect((JSON.parse(stdout) as { adopted: string[] }).adopted).toHaveLength(8);
    expect((await resource(azure, identityId("demo-disk-demo-x7k2")))?.tags).toEqual({ ...tag, team: "edge" });
    await azure.traffic();
    exits(await iam(azure, "adopt", ["--yes"]), 0);
    exits(await createIam(azure), 0);
    expect(await writesSince(azure)).toEqual([]);
    expect(exits(await iam(azure, "show"), 0).stdout).not.toMatch(/absent|different/);
    const { stderr } = exits(await destroyIam(azure), 0);
    expect(stderr).toMatch(/keep +.*demo-iam.*not created by aro-hcp/);
    expect(Object.keys(await resourcesOf(azure)).filter((id) => id.includes("userassignedidentities"))).toEqual([]);
    await deleteResources(azure, groupId(iamGroup));
    expect(await azure.snapshot()).toEqual(before);
  });

  test("is not adopted if it has tags of another owner, and not found under another name", async () => {
    const azure = await testEmulator();
    await hypershiftCreatesIam(azure, issuer);
    await addTags(azure, identityId("demo-disk-demo-x7k2"), { "aro-hcp-iam": "other/demo-x7k2" });
    await refuses(azure, iam(azure, "adopt", ["--yes"]), 5, "ARO-OWN-001", "its ownership tags name another owner", "az tag update");
    const other = ["adopt", "iam", "--cloud", "local", "--name", "dem0", "--infra-id", "demo-x7k2", ...group, "--yes"];
    await refuses(azure, azure.cli(other), 2, "no workload identity of cluster dem0/demo-x7k2 was found");
  });
});

test("destroy deletes only what has the tag and a name of the cluster, and lists the rest", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId(iamGroup)]: { location: "eastus" } } });
  const { userAssignedIdentities } = await (await connectedAzure(azure.directory)).identities();
  await userAssignedIdentities.createOrUpdate(iamGroup, "payroll", { location: "eastus", tags: tag });
  const before = await azure.snapshot();
  exits(await createIam(azure), 0);
  exits(
    await azure.cli([
      "create",
      "iam",
      "--cloud",
      "local",
      "--name",
      "demo",
      "--infra-id",
      "two",
      ...group,
      "--oidc-issuer-url",
      issuer,
      "--yes",
    ]),
    0,
  );
  const { stderr } = exits(await destroyIam(azure), 0);
  expect(stderr).toMatch(/keep +.*payroll: has the ownership tag but not a name that create iam gives/);
  exits(await azure.cli(["destroy", "iam", "--cloud", "local", "--name", "demo", "--infra-id", "two", ...group, "--yes"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("role assignments that others gave the identities are deleted with them, and listed", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await createIam(azure), 0);
  const disk = String((await resource(azure, identityId("demo-disk-demo-x7k2")))?.properties?.["principalId"]);
  const { roleAssignments } = await (await connectedAzure(azure.directory)).authorization();
  const reader = "/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7";
  const scope = groupId(iamGroup);
  await roleAssignments.create(scope, "11111111-2222-4333-8444-555555555555", {
    principalId: disk,
    principalType: "ServicePrincipal",
    roleDefinitionId: `${groupId("").split("/resourceGroups")[0] ?? ""}${reader}`,
  });
  const { stderr } = exits(await destroyIam(azure), 0);
  expect(stderr).toMatch(/role assignment .* for disk on resource group demo-iam/);
  expect(await azure.snapshot()).toEqual(before);
});

describe("is refused", () => {
  const long = "a".repeat(60);
  test.each(
    titled([
      {
        what: "names that are too long together",
        flags: ["--name", long, "--infra-id", long],
        word: /managed identity name .* has 1\d\d characters/,
      },
      { what: "an issuer without HTTPS", flags: ["--oidc-issuer-url", "http://issuer.example.com"], word: "not an HTTPS URL" },
      { what: "a missing group", flags: ["--resource-group-name", ""], word: "resource-group-name" },
    ]),
  )("%s, before any request", async (_, { flags, word }) => {
    const azure = await testEmulator();
    expect(exits(await createIam(azure, flags), 2).stderr).toMatch(word);
    expect(await azure.traffic()).toEqual([]);
  });

  test("an identity in another location", async () => {
    const azure = await testEmulator();
    exits(await createIam(azure), 0);
    await refuses(azure, createIam(azure, ["--location", "westeurope"]), 5, "ARO-OWN-002", "--location eastus");
  });

  test("an identity of another owner with the name", async () => {
    const azure = await testEmulator();
    exits(await createIam(azure), 0);
    await changeState(azure, ({ resources }) => {
      const stored = resources[identityId("demo-disk-demo-x7k2").toLowerCase()];
      if (stored) stored.tags = { "aro-hcp-identities": "demo" };
    });
    await refuses(azure, createIam(azure), 5, "ARO-OWN-001", "demo-disk-demo-x7k2", "another owner", "--name or --infra-id");
    const { stderr } = exits(await destroyIam(azure), 0);
    expect(stderr).toMatch(/keep +.*demo-iam/);
    expect(await resource(azure, identityId("demo-disk-demo-x7k2"))).toBeDefined();
  });
});

test("a create that is killed at a credential continues with the others, and writes the whole file", async () => {
  const azure = await testEmulator();
  const path = azure.path("iam.json");
  const faults = [{ method: "PUT", path: "/demo-disk-fed-id-operator$", when: "after", kill: true }];
  expect((await createIam(azure, ["--output-file", path], { faults })).code).toBe("SIGKILL");
  exits(await createIam(azure, ["--output-file", path]), 0);
  expect(await trusted(azure)).toEqual(hypershiftIam);
  expect(Object.keys(JSON.parse(await readFile(path, "utf8")) as object)).toHaveLength(8);
});

test("two creates at once agree, and a create beside them in the same group keeps its own", async () => {
  const azure = await testEmulator();
  const runs = await Promise.all([createIam(azure), createIam(azure)]);
  for (const run of runs) exits(run, 0);
  expect(await trusted(azure)).toEqual(hypershiftIam);
  expect(writes(await azure.traffic()).every(({ url }) => !url.includes("roleAssignments"))).toBe(true);
});
