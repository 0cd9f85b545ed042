/** What a destroy says before it deletes anything: a refused plan, names that do not exist, and advice that can be followed to its end. */
import { expect, test } from "vitest";
import { az } from "../harness/az.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { adviceOnOtherOwner } from "../../src/domain/unclaimed-failure.js";
import { seedAksCluster } from "../harness/aks-cluster.js";
import { plainAdvice } from "../harness/plain-advice.js";
import { linesIn } from "../harness/own-line.js";
import { changeResource, resource } from "../harness/state-changes.js";
import { demo, testEmulator, type CliResult, type TestEmulator } from "../harness/test-emulator.js";
import { recorded } from "../faults/recorded-answers.js";
import { groupId, groups, ids, inGroup } from "./demo-cluster.js";
import { connectedCluster } from "../arc/cli/connected-clusters.js";
import { create, destroy, exits, refuses, titled } from "./expectations.js";
import { hypershift, hypershiftCreates } from "../infra/hypershift-infra.js";
import { demoAccount } from "../harness/demo-issuer.js";

const adopt = (azure: TestEmulator, flags: readonly string[] = []) => azure.cli(["adopt", "infra", ...demo, "--yes", ...flags]);
const network = { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.9.0.0/16"] } } };
const lock = (scope: string, level: string) => ({
  resources: { [`${scope}/providers/Microsoft.Authorization/locks/keep`]: { properties: { level } } },
});

/** What a run advises, one entry for each piece of advice. */
function adviceOf({ stdout }: CliResult): string[] {
  const { failures } = JSON.parse(stdout) as { failures: { next: string[] }[] };
  return failures.flatMap(({ next }) => next);
}

/** Runs the command lines of the advice that has all of these words. */
async function follow(azure: TestEmulator, result: CliResult, ...words: readonly string[]): Promise<void> {
  const advised = adviceOf(result);
  const [chosen = ""] = advised.filter((advice) => words.every((word) => advice.includes(word)));
  const lines = linesIn(chosen);
  expect(lines, advised.join("\n")).not.toEqual([]);
  for (const line of lines) {
    if (line.startsWith("az ")) await az({ azure: await connectedAzure(azure.directory), directory: azure.directory }, line);
    else exits(await azure.cli([...line.split(" ").slice(1), "--yes"]), 0);
  }
}

const refusals = [
  { what: "a lock", seed: lock(groupId(groups.managed), "CanNotDelete"), code: "ARO-SUB-004" },
  {
    what: "a resource of others",
    seed: { resources: { [inGroup(groups.vnet, "virtualNetworks/payroll")]: network } },
    code: "ARO-OWN-004",
  },
];

test.each(titled(refusals))("a plan that %s refuses says what would be removed, and that nothing was", async (_what, { seed, code }) => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await azure.seed(seed);
  const { stderr } = exits(await destroy(azure, ["--dry-run"]), 5);
  expect(stderr).not.toContain("to remove");
  expect(stderr).toMatch(/plan refused: \d+ would be removed/);
  await refuses(azure, destroy(azure), 5, code, /nothing\s+was\s+deleted/);
});

test("every refusal before the first deletion says that nothing was deleted", async () => {
  const azure = await testEmulator();
  await hypershiftCreates(azure);
  await refuses(azure, destroy(azure), 5, "ARO-OWN-007", /nothing\s+was\s+deleted/);
  exits(await adopt(azure), 0);
  const other = ["destroy", "infra", "--cloud", "local", "--name", "demi", "--infra-id", "demo-x7k2", "--yes"];
  await refuses(azure, azure.cli(other), 5, "ARO-OWN-001", /nothing\s+was\s+deleted/);
  await azure.seed(lock(hypershift.managed, "CanNotDelete"));
  const { stderr } = exits(await destroy(azure), 5);
  expect(stderr.match(/nothing\s+was\s+deleted/g)).toHaveLength(1);
});

test("a refusal of Azure itself before the first deletion says that nothing was deleted", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const faults = [{ method: "GET", path: "/resourcegroups$", times: 100, answer: recorded.authorizationFailed }];
  const { stderr } = exits(await destroy(azure, [], { faults }), 5);
  expect(stderr).toMatch(/; nothing was deleted +\[ARO-AUTHZ-001\]/);
});

const theirs = { "aro-hcp-name": "theirs", "aro-hcp-infra-id": "theirs-1" };

test.each(["if the tags", "to another owner"])(
  "a resource beside one of another owner: the advice that starts %s ends in a destroy",
  async (words) => {
    const azure = await testEmulator();
    await hypershiftCreates(azure);
    await changeResource(azure, hypershift.publicIp, (stored) => (stored.tags = { team: "edge" }));
    await changeResource(azure, hypershift.zone, (stored) => (stored.tags = theirs));
    await changeResource(azure, hypershift.link, (stored) => (stored.tags = theirs));
    exits(await adopt(azure), 5);
    const refused = exits(await destroy(azure, ["-o", "json"]), 5);
    for (const id of [hypershift.link, hypershift.zone]) await follow(azure, refused, words, `${id} `);
    await follow(azure, refused, "take them over");
    exits(await destroy(azure), 0);
    for (const id of Object.values(hypershift)) expect(await resource(azure, id)).toBeUndefined();
  },
);

test("a resource without tags in a group of the cluster, beside one of another owner, can be deleted with --delete-foreign", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await changeResource(azure, ids.loadBalancer, (stored) => (stored.tags = {}));
  await changeResource(azure, ids.publicIp, (stored) => (stored.tags = theirs));
  await refuses(azure, destroy(azure), 5, "ARO-OWN-007", /other\s+owners\s+agree:\s+--delete-foreign/);
  exits(await destroy(azure, ["--delete-foreign"]), 0);
  expect(await resource(azure, groupId(groups.managed))).toBeUndefined();
});

test("clusters with one infra ID: the advice deletes the first by hand, with no command that destroys the second", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  exits(await create(azure), 0);
  const tags = { "aro-hcp-name": "theirs", "aro-hcp-infra-id": "demo-x7k2" };
  await azure.seed({
    resources: {
      [groupId("theirs-demo-x7k2-vnet")]: { location: "eastus", tags },
      [inGroup("theirs-demo-x7k2-vnet", "virtualNetworks/theirs-demo-x7k2")]: { ...network, tags },
    },
  });
  const refused = exits(await destroy(azure, ["-o", "json"]), 5);
  expect(adviceOf(refused).join(" ")).not.toContain("aro-hcp destroy");
  await follow(azure, refused, 'to delete "demo"');
  exits(await azure.cli(["destroy", "infra", "--cloud", "local", "--name", "theirs", "--infra-id", "demo-x7k2", "--yes"]), 0);
  expect(await azure.snapshot()).toEqual(before);
});

test("a cluster cannot go on with an infra ID that another one has, too", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const tags = { "aro-hcp-name": "theirs", "aro-hcp-infra-id": "demo-x7k2" };
  await azure.seed({ resources: { [groupId("theirs-demo-x7k2-vnet")]: { location: "eastus", tags } } });
  await refuses(azure, create(azure), 5, "ARO-OWN-001", "same infra ID");
});

test("create never advises to delete what belongs to others without their consent", async () => {
  const azure = await testEmulator();
  await azure.seed({ resources: { [groupId(groups.vnet)]: { location: "eastus", tags: theirs } } });
  const { stderr } = exits(await create(azure), 5);
  expect(stderr.replaceAll(/\s+/g, " ")).toMatch(/choose a different --name or --infra-id; delete this one only if its owner agrees/);
});

test("a resource group of another owner is not to be moved to another resource group", () => {
  const [, forGroup = ""] = adviceOnOtherOwner({ id: groupId("theirs"), tags: theirs }).map((advice) => plainAdvice(advice));
  expect(forGroup).not.toContain("move it");
  expect(forGroup).toContain("az group delete --name theirs --subscription 5b5c0000-0000-4000-8000-000000000001");
});

const infra = (infraId: string, name = "demo") => ["infra", "--name", name, "--infra-id", infraId];
const mistyped = [
  {
    what: "infra with another infra ID",
    command: infra("demo-x7k3"),
    words:
      'nothing in subscription 5b5c0000-0000-4000-8000-000000000001 belongs to cluster demo/demo-x7k3; infra IDs that exist there: demo-x7k2; did you mean "demo-x7k2"?',
  },
  { what: "infra with another name and infra ID", command: infra("prod-1", "prod"), words: "infra IDs that exist there: demo-x7k2" },
  {
    what: "all",
    command: ["all", "--name", "demo", "--infra-id", "demo-x7k3"],
    words: 'of this cluster, only the identity set "demo" or its issuer is left: nothing in subscription',
  },
  {
    what: "identities",
    command: ["identities", "--name", "dem0", "--resource-group-name", "demo-common"],
    words: 'belongs to the identity set "dem0"; identity sets that exist there: demo; did you mean "demo"?',
  },
  {
    what: "oidc-issuer",
    command: ["oidc-issuer", "--name", "dem0"],
    words: 'the identity set "dem0"; identity sets that exist there: demo',
  },
];

test.each(titled(mistyped))(
  "destroy %s: a name that does not exist is reported, with the names that do",
  async (_what, { command, words }) => {
    const azure = await testEmulator();
    exits(await create(azure), 0);
    const tags = { "aro-hcp-identities": "demo" };
    const identity = `${groupId("demo-common")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/azure-disk-MI-demo`;
    await azure.seed({ resources: { [groupId("demo-common")]: { location: "eastus", tags }, [identity]: { location: "eastus", tags } } });
    const before = await azure.snapshot();
    const { stderr } = exits(await azure.cli(["destroy", ...command, "--cloud", "local", "--dry-run"]), 0);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(words);
    expect(await azure.snapshot()).toEqual(before);
  },
);

const elsewhere = [
  {
    what: "identities",
    flag: "--resource-group-name",
    words: `the identity set "demo" is not in resource group mistyped; resource group demo-common contains resources with its tag and names; if they are its own, pass --persistent-resource-group-name demo-common`,
  },
  {
    what: "oidc-issuer",
    flag: "--oidc-resource-group-name",
    words: `the issuer of the identity set "demo" is not in resource group mistyped; resource group demo-oidc contains resources with its tag and names; if they are its own, pass --oidc-resource-group-name demo-oidc`,
  },
  {
    what: "management-cluster",
    flag: "--resource-group-name",
    words: `the management cluster "demo" is not in resource group mistyped; resource group demo contains resources with its tag and names; if they are its own, pass --resource-group-name demo`,
  },
  {
    what: "arc",
    flag: "--resource-group-name",
    words: `the connected cluster "demo" is not in resource group mistyped; resource group demo-arc contains resources with its tag and names; if they are its own, pass --resource-group-name demo-arc`,
  },
];

test.each(titled(elsewhere))(
  "destroy %s: a group that does not have it is reported, with the group that does and the flag",
  async (_what, { what, flag, words }) => {
    const azure = await testEmulator();
    const tags = { "aro-hcp-identities": "demo" };
    const identity = `${groupId("demo-common")}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/azure-disk-MI-demo`;
    const account = `${groupId("demo-oidc")}/providers/Microsoft.Storage/storageAccounts/${demoAccount}`;
    await azure.seed({
      resources: {
        [groupId("demo-common")]: { location: "eastus", tags },
        [identity]: { location: "eastus", tags },
        [groupId("demo-oidc")]: { location: "eastus", tags },
        [account]: { location: "eastus", tags, sku: { name: "Standard_LRS" }, kind: "StorageV2", properties: {} },
      },
    });
    await seedAksCluster(azure, { name: "demo" });
    await connectedCluster(azure);
    const before = await azure.snapshot();
    const { stderr } = exits(await azure.cli(["destroy", what, "--name", "demo", flag, "mistyped", "--cloud", "local", "--yes"]), 0);
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(words);
    expect(await azure.snapshot()).toEqual(before);
  },
);

test("a second destroy says that nothing is left, and exits with 0", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  exits(await destroy(azure), 0);
  const { stderr } = exits(await destroy(azure), 0);
  expect(stderr.replaceAll(/\s+/g, " ")).toContain("belongs to cluster demo/demo-x7k2, and no other infra IDs exist there");
});

test("adopt reads locks before its first write", async () => {
  const azure = await testEmulator();
  await hypershiftCreates(azure);
  await azure.seed(lock(hypershift.vnetGroup, "ReadOnly"));
  await refuses(azure, adopt(azure), 5, "ARO-SUB-004", "az lock delete");
  expect(exits(await adopt(azure, ["--dry-run"]), 0).stderr).toContain('"keep" (ReadOnly)');
});

test.each([
  ["locks", /no permission to read management locks/],
  ["denyAssignments", /no permission to read deny assignments/],
])("without the permission to read %s, a destroy warns and continues", async (kind, words) => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const faults = [{ method: "GET", path: `/${kind}$`, times: 100, answer: recorded.authorizationFailed }];
  const { stderr } = exits(await destroy(azure, [], { faults }), 0);
  expect(stderr.replaceAll(/\s+/g, " ")).toMatch(words);
});

test("without the permission to list role assignments, destroy all ends with that failure, whatever it reads beside", async () => {
  const azure = await testEmulator();
  const refused = { status: 403, body: { error: { code: "AuthorizationFailed", message: "no roleAssignments/read" } } };
  const faults = [
    { method: "GET", path: "^/subscriptions/[^/]+/providers/Microsoft.Authorization/roleAssignments$", times: 9, answer: refused },
  ];
  // An unhandled rejection of another read would fail this test.
  const { stderr } = exits(await azure.cli(["destroy", "all", ...demo, "--yes"], { faults }), 5);
  expect(stderr).toContain("AuthorizationFailed");
});
