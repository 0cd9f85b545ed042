/**
 * Known weaknesses of hypershift's own commands that aro-hcp must not have. Each test has the number of the weakness.
 *
 * Other tests cover these weaknesses of hypershift:
 *
 *      1  it reads only the first page of zones, and uses the first match ..... `public-zone.test.ts`
 *      3  it reports a failed sign-in as another error, with the secret ....... `faults/sign-in.test.ts`
 *      8  it sends no principalType, so a new identity is not found ........... `roles.test.ts`: whole assignments
 *      9  it lists all assignments once for each assignment ................... `roles.test.ts`: second run
 *     10  it accepts any conflict over a name as success ...................... `roles.test.ts`: stale assignment
 *     12  it fails immediately on a conflict with another operation ........... `faults/create-recovers.test.ts`
 *     13  its second run deletes additions of others .......................... `rerun.test.ts`
 *     15  it merges the three groups into an existing group without a notice .. `existing.test.ts`
 *     16  it accepts a subnet without its network, and the reverse ............ `existing.test.ts`
 *     17  it creates a security group that is not attached .................... `existing.test.ts`
 *     18  it searches for resources of another subscription in the wrong one .. `existing.test.ts`
 *     19  it reads identity files after it has created the network ............ `roles.test.ts`
 *     20  it reads empty identities from a file of another format ............. `interop.test.ts`, `files/identity-files.test.ts`
 *     21  it accepts a malformed KMS client ID ................................ `files/identity-files.test.ts`
 *     23  it assigns a role to the identity of a disabled image registry ...... `roles.test.ts`
 *     24  it leaves resources without a record after a failure ................ `interop.test.ts`: interrupted run
 *     25  its JSON output is YAML, and readable by other users ................ `infra.test.ts`, `interop.test.ts`
 *     26  it sets no ownership tags ........................................... `properties.test.ts`
 *     31  its destroy does not check its flags ................................ `bad-input.test.ts`
 *     36  it leaves the check of name lengths to Azure ........................ `settings/checks.test.ts`
 *     37  it has fixed address ranges ......................................... `properties.test.ts`
 *     38  it crashes on a network without subnets ............................. `existing.test.ts`
 *     39  it does not retry a temporary error of the directory ................ `faults/role-faults.test.ts`
 *     40  its create does not record cloud, subscription and tenant ........... `interop.test.ts`
 *
 * These weaknesses do not apply here:
 *
 *      2  not every client uses the endpoints of the cloud: here one cloud profile serves all clients, tested in `test/azure`.
 *      6  `destroy iam` uses the identities' group as the managed group: here the scopes come from Azure.
 *     34  `destroy iam` requires a file that it does not use.
 *     35  `create iam` creates identities one after the other.
 */
import { expect, test } from "vitest";
import { demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { existing, seedNetworks } from "../infra/existing-networks.js";
import { groupId, groups, ids, inGroup, keyOf } from "./demo-cluster.js";
import { create, destroy, exits, writesSince } from "./expectations.js";
import { roleFlags } from "../identities/cli/identities.js";
import { addTags } from "../harness/state-changes.js";

const azureError = (status: number, code: string, message: string) => ({ status, body: { error: { code, message } } });

async function keys(azure: TestEmulator): Promise<string[]> {
  return Object.keys((await azure.snapshot()).resources);
}

test("4: roles are found by ID, before the first write", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  exits(await create(azure, [...flags, "--assign-custom-hcp-roles"]), 0);
  const traffic = await azure.traffic();
  const lookups = traffic.flatMap(({ url }, at) => (/roleDefinitions\/[0-9a-f-]{36}\?/.test(url) ? [at] : []));
  const firstWrite = traffic.findIndex(({ method, url }) => method === "PUT" && url.includes("resourcegroups"));
  expect(lookups).toHaveLength(2);
  expect(Math.max(...lookups)).toBeLessThan(firstWrite);
});

test("5, 7: role assignments on another group are deleted, and a failed deletion is reported", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  const before = await azure.snapshot();
  exits(await create(azure, flags), 0);
  const denied = azureError(
    403,
    "AuthorizationFailed",
    "does not have authorization to perform action 'Microsoft.Authorization/roleAssignments/delete'",
  );
  const faults = [{ method: "DELETE", path: "/resourceGroups/dns/providers/Microsoft.Authorization/roleAssignments/", answer: denied }];
  const failed = await destroy(azure, ["-o", "json"], { faults });
  const { leftovers, failures } = JSON.parse(failed.stdout) as { leftovers: string[]; failures: { code: string }[] };
  expect(failed.code).not.toBe(0);
  expect(leftovers).toEqual([expect.stringContaining("/resourceGroups/dns/providers/Microsoft.Authorization/roleAssignments/")]);
  expect(failures.map(({ code }) => code)).toEqual(["ARO-AUTHZ-002", "ARO-DELETE-003"]);
  exits(await destroy(azure), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("11: all of several failures are reported, in the same order in each run", async () => {
  const faults = ["/networkSecurityGroups/", "/publicIPAddresses/", "/privateDnsZones/"].map((path) => ({
    method: "PUT",
    path,
    times: 99,
    answer: azureError(400, "QuotaExceeded", `no quota for ${path}`),
  }));
  const reported = [];
  for (let run = 0; run < 2; run++) {
    const azure = await testEmulator();
    const { stdout } = exits(await create(azure, ["-o", "json"], { faults }), 5);
    reported.push((JSON.parse(stdout) as { failures: { message: string }[] }).failures.map(({ message }) => message));
  }
  expect(reported[0]).toHaveLength(3);
  expect(reported[1]).toEqual(reported[0]);
});

test("14: a network that is linked to another zone of the same name is refused", async () => {
  const azure = await testEmulator();
  await seedNetworks(azure);
  const theirs = inGroup("mine", "privateDnsZones/demo-azurecluster.hcp.example.com");
  await azure.seed({
    resources: {
      [theirs]: { location: "global" },
      [`${theirs}/virtualNetworkLinks/theirs`]: {
        location: "global",
        properties: { virtualNetwork: { id: existing.vnet }, registrationEnabled: false },
      },
    },
  });
  const { stderr } = exits(await create(azure, ["--vnet-id", existing.vnet]), 5);
  expect(stderr).toMatch(/ARO-DNS-003[^]*overlapping namespaces[^]*delete that link, or choose another name/);
});

test("22: --assign-custom-hcp-roles alone assigns the roles", async () => {
  const azure = await testEmulator();
  const flags = (await roleFlags(azure)).map((flag) => (flag === "--assign-identity-roles" ? "--assign-custom-hcp-roles" : flag));
  expect(exits(await create(azure, [...flags, "--dry-run", "--full-plan"]), 0).stderr.match(/create +role assignment/g)).toHaveLength(21);
});

test("27: a destroy of infra ID foo keeps the resources of foobar", async () => {
  const azure = await testEmulator();
  const make = (name: string, infraId: string) =>
    azure.cli(["create", "infra", "--cloud", "local", "--name", name, "--infra-id", infraId, ...demoDomain]);
  exits(await make("demo", "foobar"), 0);
  exits(await make("demo2", "foo2"), 0);
  const both = await azure.snapshot();
  exits(
    await azure.cli([
      "create",
      "infra",
      "--cloud",
      "local",
      "--name",
      "demo",
      "--infra-id",
      "foo",
      "--naming",
      "hypershift",
      ...demoDomain,
    ]),
    0,
  );
  exits(
    await azure.cli(["destroy", "infra", "--cloud", "local", "--name", "demo", "--infra-id", "foo", "--preserve-resource-group", "--yes"]),
    0,
  );
  exits(await azure.cli(["destroy", "infra", "--cloud", "local", "--name", "demo", "--infra-id", "foo", "--yes"]), 0);
  expect(await azure.snapshot()).toEqual(both);
});

test("28, 33: a failed deletion is reported as a failure, even if its message contains not found", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const answer = azureError(403, "AuthorizationFailed", "The scope could not be found: ResourceGroupNotFound, ResourceNotFound.");
  const { stdout, stderr, code } = await destroy(azure, ["-o", "json"], {
    faults: [{ method: "DELETE", path: "/virtualNetworks/[^/]+$", times: 99, answer }],
  });
  expect(code).toBe(5);
  const document = JSON.parse(stdout) as { ok: boolean; leftovers: string[] };
  expect(document.ok).toBe(false);
  expect(document.leftovers.map(keyOf)).toEqual(
    [keyOf(groupId(groups.nsg)), keyOf(groupId(groups.vnet)), keyOf(ids.nsg), keyOf(ids.vnet)].toSorted(),
  );
  expect(stderr).toContain("did not complete");
});

test("29: with --preserve-resource-group, the security group is deleted after the subnet that uses it", async () => {
  const azure = await testEmulator();
  exits(await create(azure, ["--single-resource-group"]), 0);
  await azure.traffic();
  exits(await destroy(azure, ["--preserve-resource-group"]), 0);
  expect((await azure.traffic()).filter(({ method, status }) => method === "DELETE" && status >= 400)).toEqual([]);
  expect(await keys(azure)).toEqual([groupId(groups.managed), groupId("dns"), ids.publicZone].map(keyOf));
});

test("30: groups with a name of the cluster but without its tags are kept", async () => {
  const azure = await testEmulator();
  const named = ["demo-demo-x7k2", "demo-demo-x7k2-vnet", "demo-nsg-demo-x7k2"];
  await azure.seed({ resources: Object.fromEntries(named.map((name) => [groupId(name), { location: "eastus" }])) });
  await addTags(azure, groupId("demo-demo-x7k2-vnet"), { "aro-hcp-name": "demo", "aro-hcp-infra-id": "another" });
  const before = await azure.snapshot();
  const { stderr } = exits(await destroy(azure, ["--full-plan"]), 5);
  for (const name of named) expect(stderr).toMatch(new RegExp(`keep +${groupId(name)}: has a name of this cluster`));
  expect(stderr).toMatch(/2 resources have names of cluster demo\/demo-x7k2 but no ownership tags; nothing was deleted +\[ARO-OWN-007\]/);
  expect(await azure.snapshot()).toEqual(before);
});

test("32: groups are deleted in parallel, and --timeout limits the wait", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const env = { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "50" };
  const late = await destroy(azure, ["--timeout", "150ms"], { env });
  exits(late, 1);
  expect(late.stderr).toContain("ARO-RUN-001");
  const { stdout } = exits(await destroy(azure, ["--dry-run", "-o", "json"]), 0);
  const { removed } = JSON.parse(stdout) as { removed: { id: string; after: string[] }[] };
  const isGroup = (id: string) => /\/resourcegroups\/[^/]+$/.test(id);
  const deletions = removed.filter(({ id }) => isGroup(id));
  expect(deletions.length).toBeGreaterThan(1);
  expect(deletions.flatMap(({ after }) => after).filter(isGroup)).toEqual([]);
});

test("an operation in flight of an interrupted run is waited for, not overwritten", async () => {
  const azure = await testEmulator();
  // Azure creates a private zone in at least 20 s, so the operation is still in flight in the next run.
  const env = { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "3" };
  const faults = [{ method: "PUT", path: "/privateDnsZones/[^/]+$", when: "after", kill: true }];
  expect((await create(azure, [], { env, faults })).code).toBe("SIGKILL");
  await azure.traffic();
  const { stderr } = exits(await create(azure, [], { env: { ...env, ARO_HCP_LOCAL_LATENCY: "none" } }), 0);
  expect(stderr).toMatch(/wait +private DNS zone .*: an operation is in flight: \w+/);
  expect(await writesSince(azure)).not.toContain(`PUT ${ids.privateZone}`);
});
