/**
 * What goes wrong with hypershift's own commands, and must not with these: a test for each, named after what goes wrong.
 *
 * Tested beside their subject, by the number of the weakness:
 *
 *      1  only the first page of zones is read, and the first hit taken .. public-zone.test.ts
 *      3  a failed sign-in speaks of something else, and of the secret .. faults/sign-in.test.ts
 *      8  no principalType, so that a new identity is not found ......... roles.test.ts (every assignment is compared whole)
 *      9  lists all assignments once for each assignment ................ roles.test.ts, the second run
 *     10  any conflict over a name counts as success .................... roles.test.ts, the stale assignment
 *     12  a conflict with somebody else's operation fails at once ....... faults/create-recovers.test.ts
 *     13  a second run drops what others added .......................... rerun.test.ts
 *     15  a group that is given collapses the three groups in silence ... existing.test.ts
 *     16  a subnet without its network, a network without its subnet .... existing.test.ts
 *     17  a security group that is attached to nothing .................. existing.test.ts
 *     18  what lives in another subscription is looked for in ours ...... existing.test.ts
 *     19  identity files are read when the network is there already ..... roles.test.ts
 *     20  a file of another shape gives empty identities ................ interop.test.ts, files/identity-files.test.ts
 *     21  a malformed KMS client ID is not noticed ...................... files/identity-files.test.ts
 *     23  the registry's data-plane identity gets a role though disabled  roles.test.ts
 *     24  a failure leaves resources and no record of them .............. interop.test.ts, the run that dies
 *     25  the output is YAML that is called JSON, and others may read it  infra.test.ts, interop.test.ts
 *     26  nothing carries ownership tags ................................ properties.test.ts
 *     31  destroy does not look at its flags ............................ bad-input.test.ts
 *     36  names are found too long by Azure only ........................ settings/checks.test.ts
 *     37  address ranges cannot be chosen ............................... properties.test.ts
 *     38  a network without subnets crashes ............................. existing.test.ts
 *     39  a busy answer of the directory is final ....................... faults/role-faults.test.ts
 *     40  create does not tell destroy cloud, subscription and tenant ... interop.test.ts
 *
 * Do not apply here:
 *
 *      2  a cloud's endpoints do not reach every client ................. one profile for all, and the emulator is one cloud: test/azure
 *      6  the identities' group stands in for the managed one ........... of `destroy iam`; here scopes are found in Azure
 *     34  destroy demands a file that it does not use ................... of `destroy iam`
 *     35  identities are made one by one ................................ of `create iam`
 */
import { expect, test } from "vitest";
import { demoDomain, testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { existing, seedNetworks } from "./existing-networks.js";
import { groupId, groups, ids, inGroup, keyOf } from "./demo-cluster.js";
import { create, destroy, exits, writesSince } from "./expectations.js";
import { roleFlags } from "./identities.js";
import { addTags } from "../harness/state-changes.js";

const azureError = (status: number, code: string, message: string) => ({ status, body: { error: { code, message } } });

async function keys(azure: TestEmulator): Promise<string[]> {
  return Object.keys((await azure.snapshot()).resources);
}

test("4: roles are found by display name, and looked up too late", async () => {
  const azure = await testEmulator();
  const flags = await roleFlags(azure);
  exits(await create(azure, [...flags, "--assign-custom-hcp-roles"]), 0);
  const traffic = await azure.traffic();
  const looked = traffic.flatMap(({ url }, at) => (/roleDefinitions\/[0-9a-f-]{36}\?/.test(url) ? [at] : []));
  const firstWrite = traffic.findIndex(({ method, url }) => method === "PUT" && url.includes("resourcegroups"));
  expect(looked).toHaveLength(2);
  expect(Math.max(...looked)).toBeLessThan(firstWrite);
});

test("5, 7: role assignments are searched in the wrong scope, and failed deletions are forgotten", async () => {
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

test("11: only the first of several failures is reported, a different one at each run", async () => {
  const faults = ["/networkSecurityGroups/", "/publicIPAddresses/", "/privateDnsZones/"].map((path) => ({
    method: "PUT",
    path,
    times: 99,
    answer: azureError(400, "QuotaExceeded", `none left of ${path}`),
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

test("14: a network that is linked to another zone of the same name counts as linked to ours", async () => {
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
  expect(stderr).toMatch(/ARO-DNS-003[^]*overlapping namespaces[^]*delete that link, or choose another --name/);
});

test("22: --assign-custom-hcp-roles alone assigns nothing", async () => {
  const azure = await testEmulator();
  const flags = (await roleFlags(azure)).map((flag) => (flag === "--assign-identity-roles" ? "--assign-custom-hcp-roles" : flag));
  expect(exits(await create(azure, [...flags, "--dry-run"]), 0).stderr.match(/create +role assignment/g)).toHaveLength(21);
});

test("27: destroying infra ID foo deletes resources of foobar", async () => {
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

test("28, 33: a deletion that failed is reported as a success, because its message contains the words not found", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const answer = azureError(403, "AuthorizationFailed", "The scope could not be found: ResourceGroupNotFound, ResourceNotFound.");
  const { stdout, stderr, code } = await destroy(azure, ["-o", "json"], {
    faults: [{ method: "DELETE", path: "/virtualNetworks/[^/]+$", times: 99, answer }],
  });
  expect(code).toBe(1);
  const document = JSON.parse(stdout) as { ok: boolean; leftovers: string[] };
  expect(document.ok).toBe(false);
  expect(document.leftovers.map(keyOf)).toEqual(
    [keyOf(groupId(groups.nsg)), keyOf(groupId(groups.vnet)), keyOf(ids.nsg), keyOf(ids.vnet)].toSorted(),
  );
  expect(stderr).toContain("did not complete");
});

test("29: preserving the groups fails, because the security group is deleted while its subnet uses it", async () => {
  const azure = await testEmulator();
  exits(await create(azure, ["--single-resource-group"]), 0);
  await azure.traffic();
  exits(await destroy(azure, ["--preserve-resource-group"]), 0);
  expect((await azure.traffic()).filter(({ method, status }) => method === "DELETE" && status >= 400)).toEqual([]);
  expect(await keys(azure)).toEqual([groupId(groups.managed), groupId("dns"), ids.publicZone].map(keyOf));
});

test("30: groups are deleted by name, without confirmation", async () => {
  const azure = await testEmulator();
  const named = ["demo-demo-x7k2", "demo-demo-x7k2-vnet", "demo-nsg-demo-x7k2"];
  await azure.seed({ resources: Object.fromEntries(named.map((name) => [groupId(name), { location: "eastus" }])) });
  await addTags(azure, groupId("demo-demo-x7k2-vnet"), { "aro-hcp-name": "demo", "aro-hcp-infra-id": "another" });
  const before = await azure.snapshot();
  const { stderr } = exits(await destroy(azure), 0);
  for (const name of named) expect(stderr).toMatch(new RegExp(`keep +${groupId(name)}: has a name of this cluster`));
  expect(await azure.snapshot()).toEqual(before);
});

test("32: groups are deleted one after the other, and the wait has no limit", async () => {
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

test("what an interrupted run left in flight is overwritten", async () => {
  const azure = await testEmulator();
  // A private zone takes Azure 20 s at least: long enough for the next run to meet it.
  const env = { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "3" };
  const faults = [{ method: "PUT", path: "/privateDnsZones/[^/]+$", when: "after", kill: true }];
  expect((await create(azure, [], { env, faults })).code).toBe("SIGKILL");
  await azure.traffic();
  const { stderr } = exits(await create(azure, [], { env: { ...env, ARO_HCP_LOCAL_LATENCY: "none" } }), 0);
  expect(stderr).toMatch(/wait +private DNS zone .*: an operation is in flight: \w+/);
  expect(await writesSince(azure)).not.toContain(`PUT ${ids.privateZone}`);
});
