/** Ownership: resources of another cluster or a colleague, also those created during a run, are neither changed nor deleted. */
import { expect, test } from "vitest";
import { demoDomain, testEmulator, type TestEmulator } from "../../harness/test-emulator.js";
import { groupId, groups, ids, inGroup, keyOf } from "../../cli/demo-cluster.js";
import { create, destroy, exits, refuses } from "../../cli/expectations.js";
import { applications, clientIdOf, controlPlane, fileOf, roleFlags } from "./identities.js";
import { resource, addTags } from "../../harness/state-changes.js";

const cluster = (name: string, infraId: string) => ["--cloud", "local", "--name", name, "--infra-id", infraId];
const compute = (group: string, path: string) => `${groupId(group)}/providers/Microsoft.Compute/${path}`;
const assignments = async (azure: TestEmulator) => Object.keys((await azure.snapshot()).roleAssignments);

test("destroy with another name than the cluster's is refused, and its roles are kept", async () => {
  const azure = await testEmulator();
  exits(await create(azure, await roleFlags(azure)), 0);
  const made = await azure.snapshot();
  const running = azure.cli(["destroy", "infra", ...cluster("demi", "demo-x7k2"), "--yes"]);
  await refuses(azure, running, 5, 'infra ID "demo-x7k2" belongs to cluster "demo"', "--name demo");
  expect(await azure.snapshot()).toEqual(made);
});

test("a second cluster with the infra ID of another one is refused before it is created: neither could be destroyed", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const demi = cluster("demi", "demo-x7k2");
  const refusal = ['infra ID "demo-x7k2" belongs to cluster "demo"', "--name demo"] as const;
  await refuses(azure, azure.cli(["create", "infra", ...demi, ...demoDomain, "--yes"]), 5, "ARO-OWN-001", ...refusal);
  await refuses(azure, azure.cli(["doctor", "infra", ...demi, ...demoDomain]), 5, "ARO-OWN-001", ...refusal);
  await azure.seed({ resources: { [groupId("demi-demo-x7k2")]: { location: "eastus" } } });
  await refuses(azure, azure.cli(["adopt", "infra", ...demi, "--yes"]), 5, "ARO-OWN-001", ...refusal);
  exits(await create(azure), 0);
  exits(await destroy(azure), 0);
});

test("a second cluster of the same name is announced, and a rerun of the first one is not", async () => {
  const azure = await testEmulator();
  const announced = /notice: cluster demo exists with infra ID demo-x7k2, and this run creates a second one/;
  expect(exits(await create(azure), 0).stderr).not.toMatch(/second one/);
  expect(exits(await create(azure), 0).stderr).not.toMatch(/second one/);
  const second = exits(await azure.cli(["create", "infra", ...cluster("demo", "other-1"), ...demoDomain, "--dry-run"]), 0).stderr;
  expect(second.replaceAll(/\s+/g, " ")).toMatch(announced);
});

test("a group whose list returns 404 does not count as empty", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const payroll = compute(groups.vnet, "disks/payroll");
  await azure.seed({ resources: { [payroll]: { location: "eastus", properties: {} } } });
  const lag = { status: 404, body: { error: { code: "ResourceGroupNotFound", message: "lag" } } };
  const faults = [{ method: "GET", path: `/resourcegroups/${groups.vnet}/resources$`, times: 3, answer: lag }];
  expect((await destroy(azure, [], { faults })).code).not.toBe(0);
  expect(await resource(azure, payroll)).toBeDefined();
});

test("resources with another cluster's tags in the group are unowned, and so are Kubernetes resources without a cluster name", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const theirs = { "aro-hcp-name": "beta", "aro-hcp-infra-id": "bbb", "k8s-azure-service": "default/web" };
  const address = inGroup(groups.managed, "publicIPAddresses/beta-web");
  const volume = compute(groups.managed, "disks/pvc-1");
  await azure.seed({
    resources: {
      [address]: { location: "eastus", sku: { name: "Standard" }, tags: theirs, properties: { publicIPAllocationMethod: "Static" } },
      [volume]: { location: "eastus", tags: { "kubernetes.io-created-for-pvc-name": "data" }, properties: {} },
    },
  });
  await refuses(azure, destroy(azure), 5, "ARO-OWN-004", "beta-web", "pvc-1");
  exits(await destroy(azure, ["--preserve-resource-group"]), 0);
  expect([await resource(azure, address), await resource(azure, volume)]).not.toContain(undefined);
});

test("ownership tags on a type that aro-hcp never creates do not prove ownership", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  const inherited = compute(groups.managed, "disks/payroll");
  await azure.seed({
    resources: { [inherited]: { location: "eastus", tags: { "aro-hcp-name": "demo", "aro-hcp-infra-id": "demo-x7k2" }, properties: {} } },
  });
  await refuses(azure, destroy(azure), 5, "ARO-OWN-004", "payroll");
});

test("a group that someone creates between plan and run is refused, not adopted", async () => {
  const azure = await testEmulator();
  const running = await azure.startCli(["create", "infra", ...cluster("demo", "demo-x7k2"), ...demoDomain]);
  await running.shows("Make these changes");
  await azure.seed({ resources: { [groupId(groups.managed)]: { location: "eastus", tags: { owner: "payroll" } } } });
  running.type("y\r");
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(5);
  const group = await resource(azure, groupId(groups.managed));
  expect(group?.tags).toEqual({ owner: "payroll" });
});

test("a role assignment that another cluster needs is kept when the cluster that created it is destroyed", async () => {
  const azure = await testEmulator();
  const roles = await roleFlags(azure);
  exits(await create(azure, roles), 0);
  const second = [...cluster("second", "other-1"), ...demoDomain, "--vnet-cidr", "10.1.0.0/16", "--subnet-cidr", "10.1.0.0/24", ...roles];
  exits(await azure.cli(["create", "infra", ...second, "--yes"]), 0);
  const onDns = (await assignments(azure)).filter((id) => id.includes("/resourcegroups/dns/"));
  const { stderr, stdout } = exits(await destroy(azure, ["-o", "json"]), 0);
  expect(stderr).toContain("cluster other-1 has the same identity and needs the assignment");
  const { counts, kept } = JSON.parse(stdout) as { counts: { kept: number }; kept: unknown[] };
  expect(counts.kept).toBe(kept.length);
  expect(await assignments(azure)).toEqual(expect.arrayContaining(onDns));
  exits(await azure.cli(["create", "infra", ...second, "--yes", "-o", "json"]), 0);
  expect(await assignments(azure)).toEqual(expect.arrayContaining(onDns));
});

test("a replaced identity loses its role, also if the new one already has it", async () => {
  const azure = await testEmulator();
  const roles = await roleFlags(azure);
  exits(await create(azure, roles), 0);
  const swapped = {
    ...controlPlane,
    controlPlaneOperator: { clientID: clientIdOf("nodePoolManagement"), credentialsSecretName: "demo-cpo", objectEncoding: "utf-8" },
  };
  const file = await fileOf(azure, "swapped.json", swapped);
  const flags = roles.map((flag, at) => (roles[at - 1] === "--managed-identities-file" ? file : flag));
  await refuses(azure, create(azure, flags), 5, "Contributor for cpo", "--change-identities");
  exits(await create(azure, [...flags, "--change-identities", "--yes"]), 0);
  exits(await create(azure, flags), 0);
  const old = applications.find(({ displayName }) => displayName === "controlPlaneOperator")?.servicePrincipalId;
  const held = Object.values((await azure.snapshot()).roleAssignments) as { principalId: string }[];
  expect(held.filter(({ principalId }) => principalId === old)).toEqual([]);
});

test("malformed IDs of unowned resources do not stop a destroy", async () => {
  const azure = await testEmulator();
  exits(await create(azure), 0);
  await addTags(azure, ids.publicZone, { team: "dns" });
  const scope = "/subscriptions/5b5c0000-0000-4000-8000-000000000001/providers/Microsoft.Compute";
  await azure.seed({
    roleAssignments: [{ scope, role: "acdd72a7-3385-48ef-bd42-f606fba81ae7", principalId: "00000000-0000-4000-8000-000000009999" }],
  });
  exits(await destroy(azure), 0);
  expect((await azure.snapshot()).resources[keyOf(groupId(groups.managed))]).toBeUndefined();
});
