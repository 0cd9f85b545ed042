/** Attacks on `sweep`: what somebody uses, may use, or cannot be seen to use stays; an undo creates nothing new. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { applicationUniqueName, persistentGroupName } from "../../src/domain/identity-names.js";
import { resourceGroupId, subscriptionScope } from "../../src/domain/resource-id.js";
import { grantName, roleAssignmentName } from "../../src/domain/role-assignment-name.js";
import { wellKnown } from "../../src/emulator/index.js";
import { changeState } from "../harness/state-changes.js";
import { testEmulator, type TestEmulator } from "../harness/test-emulator.js";
import { guid, own } from "./cluster-parts.js";
import { cluster, group, inGroup, merged } from "./estate-seed.js";

const { subscriptionId } = wellKnown;
const contributor = "b24988ac-6180-42a0-ab88-20f7382dd24c";
const day = 86_400_000;
const shared = resourceGroupId(subscriptionId, "shared");
const old = new Date(Date.now() - 40 * day).toISOString();
const fromGraph = { "request-id": "00000000-0000-4000-8000-000000000001" };
const denied = {
  status: 403,
  headers: fromGraph,
  body: { error: { code: "Authorization_RequestDenied", message: "Insufficient privileges to complete the operation." } },
};

async function estate(seed: object, apps: object[] = [], more: object = {}): Promise<TestEmulator> {
  const azure = await testEmulator({ env: { ARO_HCP_LOCAL_TIME_SCALE: "2000" } });
  await azure.seed({ ...seed, applications: apps, ...more });
  await changeState(azure, ({ resources, applications }) => {
    applications[wellKnown.clientId]?.graphPermissions.push("Application.ReadWrite.All");
    for (const one of Object.values(applications)) {
      if (one.uniqueName?.startsWith("aro-hcp.")) {
        one.tags = ["aro-hcp-identities:blue"];
        one.createdAt = Date.now() - 9 * day;
      }
    }
    for (const one of Object.values(resources)) if (one) one.createdAt = Date.now() - 3 * day;
  });
  return azure;
}
const sweep = (azure: TestEmulator, args: string[] = [], options = {}) =>
  azure.cli(["sweep", "--cloud", "local", "--yes", "--max", "1000", "--output-journal", azure.path("j"), ...args], options);
interface Stored {
  readonly id: string;
  readonly name: string;
  readonly uniqueName?: string;
  readonly deletedAt?: number;
}
const applicationsIn = async (azure: TestEmulator) =>
  Object.values((await azure.snapshot()).applications as Readonly<Record<string, Stored>>);
const assignmentsIn = async (azure: TestEmulator) =>
  Object.values((await azure.snapshot()).roleAssignments as Readonly<Record<string, Stored>>);
const apps = async (azure: TestEmulator) => (await applicationsIn(azure)).filter((x) => x.deletedAt === undefined && x.uniqueName).length;
const has = async (azure: TestEmulator, id: string) =>
  Object.keys((await azure.snapshot()).resources).some((x) => x.toLowerCase() === id.toLowerCase());

const place = { subscriptionId, groupName: persistentGroupName("blue"), name: "blue" };
const app = {
  appId: guid("app"),
  servicePrincipalId: guid("sp"),
  displayName: "blue-cpo",
  uniqueName: applicationUniqueName(place, { key: "cpo" }),
};
const role = { scope: shared, name: guid("ra"), role: contributor, principalId: guid("sp"), createdOn: old };

const sub2 = "5b5c0000-0000-4000-8000-000000000002";

test("caller that sees only part: zone in a network group that it may not read", async () => {
  const key = { name: "demo", infraId: "x7k2" };
  const managed = resourceGroupId(subscriptionId, "demo-x7k2");
  const azure = await estate(
    merged([
      group("demo-x7k2", own(key)),
      group("corp-net"),
      inGroup("corp-net", "Microsoft.Network/privateDnsZones", "demo-azurecluster.example.com", { location: "global", tags: own(key) }),
    ]),
  );
  await changeState(azure, (state) => {
    state.roleAssignments = {};
    const add = (scope: string, r: string, n: string) => {
      const id = `${scope}/providers/Microsoft.Authorization/roleAssignments/${n}`;
      state.roleAssignments[id.toLowerCase()] = {
        id,
        name: n,
        scope,
        principalId: wellKnown.clientPrincipalId,
        principalType: "ServicePrincipal",
        roleDefinitionId: `${subscriptionScope(subscriptionId)}/providers/Microsoft.Authorization/roleDefinitions/${r}`,
        createdOn: old,
      };
    };
    add(managed, contributor, guid("m"));
    add(subscriptionScope(subscriptionId), "f25e0fa2-a7c8-4377-a976-54943a77a395", guid("kv"));
  });
  await sweep(azure);
  expect(await has(azure, managed)).toBe(true);
});

const reader2 = { scope: subscriptionScope(sub2), role: contributor, principalId: wellKnown.clientPrincipalId };
const aks = { managedBy: `${shared}/providers/Microsoft.ContainerService/managedClusters/gone` };
const disk = inGroup("MC_x", "Microsoft.Compute/disks", "payroll", {
  sku: { name: "Premium_LRS" },
  properties: { creationData: { createOption: "Empty" }, diskSizeGB: 64 },
});
test("app with role, getByIds denied", async () => {
  const azure = await estate({ ...group("shared"), roleAssignments: [role] }, [app]);
  await sweep(azure, [], { faults: [{ path: "directoryObjects/getByIds$", times: 99, answer: denied }] });
  expect(await apps(azure)).toBe(1);
});
const two = () => ({
  subscriptions: [{ subscriptionId: sub2, displayName: "two" }],
  ...merged([group("x"), group("shared", {}, {}, sub2)]),
  roleAssignments: [{ ...role, scope: resourceGroupId(sub2, "shared") }, reader2],
});
test("app with role in another subscription, --subscriptions", async () => {
  const azure = await estate(two(), [app]);
  await sweep(azure, ["--subscriptions", subscriptionId]);
  expect(await apps(azure)).toBe(1);
});
test("app with role in a subscription whose assignments answer 403", async () => {
  const azure = await estate(two(), [app]);
  await sweep(azure, [], {
    faults: [
      {
        method: "GET",
        path: `${sub2}/providers/Microsoft.Authorization/roleAssignments$`,
        times: 99,
        answer: { status: 403, body: { error: { code: "AuthorizationFailed", message: "no" } } },
      },
    ],
  });
  expect(await apps(azure)).toBe(1);
});
test("app with role on a management group", async () => {
  const azure = await estate(
    {
      ...group("shared"),
      managementGroups: [{ name: "corp" }],
      subscriptions: [{ subscriptionId, managementGroup: "corp" }],
      roleAssignments: [{ ...role, scope: "/providers/Microsoft.Management/managementGroups/corp" }],
    },
    [app],
  );
  await sweep(azure);
  expect(await apps(azure)).toBe(1);
});
test("app with a certificate of somebody", async () => {
  const azure = await estate({ ...group("shared") }, [app]);
  await changeState(azure, ({ applications }) => {
    const one = Object.values(applications).find((x) => x.uniqueName === app.uniqueName)!;
    one.keyCredentials = [
      {
        keyId: guid("k"),
        displayName: "CN=payroll",
        customKeyIdentifier: "AA",
        startDateTime: old,
        endDateTime: new Date(Date.now() + 99 * day).toISOString(),
        key: "MIIB",
        addedAt: Date.now() - 9 * day,
      },
    ];
  });
  await sweep(azure);
  expect(await apps(azure)).toBe(1);
});
test("createdDateTime null is old", async () => {
  const azure = await estate({ ...group("shared") }, [app]);
  const one = (await applicationsIn(azure)).find((x) => x.uniqueName === app.uniqueName);
  const answer = {
    status: 200,
    headers: fromGraph,
    body: { value: [{ id: one?.id, appId: app.appId, displayName: "blue-cpo", uniqueName: app.uniqueName, createdDateTime: null }] },
  };
  await sweep(azure, [], { faults: [{ path: "/applications$", method: "GET", times: 2, answer }] });
  expect(await apps(azure)).toBe(1);
});
test("set group there again, empty, after the second look", async () => {
  const azure = await estate(merged([group("shared"), group("blue-common", { "aro-hcp-identities": "blue" })]), [app]);
  const g = {
    id: shared,
    name: "shared",
    type: "Microsoft.Resources/resourceGroups",
    location: "eastus",
    createdTime: old,
    properties: { provisioningState: "Succeeded" },
  };
  await sweep(azure, [], {
    faults: [{ method: "GET", path: "/resourcegroups$", times: 2, answer: { status: 200, body: { value: [g] } } }],
  });
  expect(await apps(azure)).toBe(1);
});
test("--purge-names blue in two subscriptions", async () => {
  const other = { subscriptionId: sub2, groupName: persistentGroupName("blue"), name: "blue" };
  const deletedDateTime = new Date(Date.now() - 9 * day).toISOString();
  const azure = await estate(
    {
      subscriptions: [{ subscriptionId: sub2, displayName: "two" }],
      ...merged([group("x"), group("y", {}, {}, sub2)]),
      roleAssignments: [reader2],
    },
    [
      { ...app, deletedDateTime },
      {
        ...app,
        appId: guid("app2"),
        servicePrincipalId: guid("sp2"),
        uniqueName: applicationUniqueName(other, { key: "cpo" }),
        deletedDateTime,
      },
    ],
  );
  const { stderr } = await sweep(azure, ["--purge-names", "blue"]);
  expect(stderr).toContain(sub2);
});
test("disk of somebody in a node group of a gone AKS cluster", async () => {
  const azure = await estate(merged([group("shared"), group("MC_x", {}, aks), disk]));
  await sweep(azure, ["--max", "1"]);
  expect(await has(azure, resourceGroupId(subscriptionId, "MC_x"))).toBe(true);
});
test("role of a living principal on a leftover group", async () => {
  const scope = resourceGroupId(subscriptionId, "demo-x7k2-nsg");
  const azure = await estate(
    {
      ...group("demo-x7k2-nsg", own({ name: "demo", infraId: "x7k2" })),
      roleAssignments: [{ scope, name: guid("person"), role: contributor, principalId: guid("alice") }],
    },
    [],
    { groups: [{ id: guid("alice"), displayName: "alice" }] },
  );
  await sweep(azure);
  expect(await has(azure, scope)).toBe(true);
});
test("other parts of the cluster lost their tags", async () => {
  const key = { name: "demo", infraId: "x7k2" };
  const { resources } = cluster({ ...key, naming: "documented", tags: own(key), without: ["balancer", "roles"] });
  const managed = resourceGroupId(subscriptionId, "demo-x7k2");
  const azure = await estate({
    resources: Object.fromEntries(Object.entries(resources).map(([id, one]) => [id, id === managed ? one : { ...one, tags: {} }])),
  });
  await sweep(azure);
  expect(await has(azure, managed)).toBe(true);
});
test("undo drops a condition", async () => {
  const name = grantName(guid("p"), contributor, shared);
  const condition = "@Resource[x] StringEquals 'y'";
  const azure = await estate({
    ...group("shared"),
    roleAssignments: [
      { scope: shared, name, role: contributor, principalId: guid("p"), createdOn: old, condition, conditionVersion: "2.0" },
    ],
  });
  await sweep(azure);
  await azure.cli(["sweep", "--undo-file", azure.path("j"), "--cloud", "local", "--yes"]);
  expect((await assignmentsIn(azure)).find((x) => x.name === name)).toMatchObject({ condition });
});
test("undo: Contributor under the name of ingress", async () => {
  const azure = await estate(group("shared"));
  const name = roleAssignmentName("x7k2", "ingress", shared);
  const roleDefinitionId = `${subscriptionScope(subscriptionId)}/providers/Microsoft.Authorization/roleDefinitions/${contributor}`;
  await writeFile(
    azure.path("j"),
    `${JSON.stringify({ schemaVersion: 1, at: "2026-03-01T12:00:00Z", kind: "role-assignments", title: "t", madeBy: "", unused: "", owner: "x7k2", id: "/x", body: { id: "/x", name, scope: shared, principalId: guid("evil"), roleDefinitionId } })}\n`,
    { mode: 0o600 },
  );
  await azure.cli(["sweep", "--undo-file", azure.path("j"), "--cloud", "local", "--yes"]);
  expect((await azure.traffic()).filter(({ method }) => method === "PUT")).toEqual([]);
});
test("odd scope", async () => {
  const azure = await estate({
    ...group("shared"),
    roleAssignments: [
      {
        scope: `${subscriptionScope(subscriptionId)}/providers/Microsoft.Capacity`,
        name: guid("odd"),
        role: contributor,
        principalId: guid("p9"),
        createdOn: old,
      },
    ],
  });
  const { code, stderr } = await azure.cli(["audit", "--cloud", "local"]);
  expect([0, 8], stderr).toContain(code);
});
test("a list that shows a group twice", async () => {
  const azure = await estate(merged([group("shared"), group("MC_x", {}, aks)]));
  const g = {
    id: resourceGroupId(subscriptionId, "MC_x"),
    name: "MC_x",
    type: "Microsoft.Resources/resourceGroups",
    location: "eastus",
    ...aks,
    createdTime: old,
    properties: { provisioningState: "Succeeded" },
  };
  const { code } = await sweep(azure, [], {
    faults: [{ method: "GET", path: "/resourcegroups$", times: 99, answer: { status: 200, body: { value: [g, g] } } }],
  });
  expect(code).not.toBe(70);
});
test("undo of an application that is not in the bin", async () => {
  const azure = await estate(group("shared"));
  await writeFile(
    azure.path("j"),
    `${JSON.stringify({ schemaVersion: 1, at: "2026-03-01T12:00:00Z", kind: "applications", title: "application blue-cpo", madeBy: "", unused: "", id: guid("nowhere"), body: {} })}\n`,
    { mode: 0o600 },
  );
  const { stdout } = await azure.cli(["sweep", "--undo-file", azure.path("j"), "--cloud", "local", "--yes", "--output", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ restored: 0 });
});
test.each([
  ["without records goes", false],
  ["with a record stays", true],
])("a zone of a cluster that is gone, %s", async (_, hasRecord) => {
  const zone = `${shared}/providers/Microsoft.Network/privateDnsZones/demo-azurecluster.example.com`;
  const tags = own({ name: "demo", infraId: "x7k2" });
  const record = { [`${zone}/A/api`]: { properties: { ttl: 60, aRecords: [{ ipv4Address: "10.0.0.4" }] } } };
  const azure = await estate(merged([group("shared"), { resources: { [zone]: { location: "global", tags }, ...(hasRecord && record) } }]));
  await sweep(azure);
  expect(await has(azure, zone)).toBe(hasRecord);
});
