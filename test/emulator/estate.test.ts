/** What many clusters need of a seed: several subscriptions and tenants, and a Resource Graph that lags, hides and cuts off. */
import { expect, test } from "vitest";
import { systemClock } from "../../src/emulator/common/clock.js";
import { seedState, wellKnown } from "../../src/emulator/index.js";
import { callThrough, openLocalServer } from "./local-server.js";

const home = `/subscriptions/${wellKnown.subscriptionId}`;
const idOf = (last: number) => `00000000-0000-4000-8000-00000000000${String(last)}`;
const [disabled, delegated, foreign] = [idOf(3), idOf(4), idOf(5)];
const reader = "acdd72a7-3385-48ef-bd42-f606fba81ae7";
const otherTenant = idOf(9);

/** Its client reads the subscriptions `disabled` and `delegated`, and not `foreign`. */
async function openEstate() {
  let now = Date.parse("2026-11-01T00:00:00Z");
  const server = await openLocalServer({ clock: { ...systemClock, now: () => new Date(now) } });
  const seed = (document: object) => seedState(server.directory, document);
  await seed({
    subscriptions: [
      { subscriptionId: disabled, displayName: "old", state: "Disabled", tags: { team: "old" } },
      { subscriptionId: delegated, tenantId: otherTenant, managedByTenants: [wellKnown.tenantId] },
      { subscriptionId: foreign },
    ],
    resources: Object.fromEntries(
      [disabled, delegated, foreign].map((id) => [`/subscriptions/${id}/resourceGroups/in-${id.slice(-1)}`, { location: "eastus" }]),
    ),
    roleAssignments: [disabled, delegated].map((id) => ({
      scope: `/subscriptions/${id}`,
      role: reader,
      principalId: wellKnown.clientPrincipalId,
    })),
  });
  const token = await server.token();
  const call = (target: string, sent = {}) => server.call("management.azure.com", target, { token, ...sent });
  const query = async (text: string, more = {}) => {
    const sent = { method: "POST", body: { query: text, ...more } };
    const { body } = await call("/providers/Microsoft.ResourceGraph/resources?api-version=2024-04-01", sent);
    return body as { data: Record<string, unknown>[]; resultTruncated: string; totalRecords: number; $skipToken?: string };
  };
  const names = async (text: string, more = {}) => (await query(text, more)).data.map(({ name }) => name).sort();
  return { call, query, names, seed, pass: (seconds: number) => (now += seconds * 1000) };
}

test("subscriptions have their own state and tenant, and those without a role of the caller are not there", async () => {
  const { call, query } = await openEstate();
  const listed = (await call("/subscriptions?api-version=2022-12-01")).body as { value: object[] };
  expect(listed.value).toMatchObject([
    { subscriptionId: wellKnown.subscriptionId, state: "Enabled", tenantId: wellKnown.tenantId, managedByTenants: [] },
    { subscriptionId: disabled, displayName: "old", state: "Disabled", tags: { team: "old" } },
    { subscriptionId: delegated, tenantId: otherTenant, managedByTenants: [{ tenantId: wellKnown.tenantId }] },
  ]);
  expect(listed.value).toHaveLength(3);
  const put = (subscription: string) =>
    call(`/subscriptions/${subscription}/resourceGroups/new?api-version=2025-04-01`, { method: "PUT", body: { location: "eastus" } });
  expect(await put(disabled)).toMatchObject({ status: 409, body: { error: { code: "ReadOnlyDisabledSubscription" } } });
  expect(await put(foreign)).toMatchObject({ status: 403 });
  expect(await put(wellKnown.subscriptionId)).toMatchObject({ status: 201 });
  const { data } = await query("resourcecontainers | where type == 'microsoft.resources/subscriptions' | order by id asc");
  expect(data).toMatchObject([
    { subscriptionId: disabled, properties: { state: "Disabled" } },
    { subscriptionId: delegated, tenantId: otherTenant, properties: { managedByTenants: [{ tenantId: wellKnown.tenantId }] } },
    { subscriptionId: wellKnown.subscriptionId },
  ]);
});

test("Resource Graph leaves out hidden subscriptions, and cuts off what is beyond its limit", async () => {
  const { names, query, seed } = await openEstate();
  const groups = "resourcecontainers | where type endswith 'resourcegroups' | project id, name";
  expect(await names(groups)).toEqual(["dns", "in-3", "in-4"]);
  await seed({ knobs: { resourceGraphHiddenSubscriptions: [delegated] } });
  expect(await names(groups)).toEqual(["dns", "in-3"]);
  expect(await names(groups, { subscriptions: [delegated] })).toEqual([]);
  await seed({ knobs: { resourceGraphRowLimit: 1 } });
  const cut = await query(groups);
  expect(cut).toMatchObject({ totalRecords: 2, count: 1, resultTruncated: "true" });
  expect(cut).not.toHaveProperty("$skipToken");
});

test("Resource Graph sees each change only after its lag, and lists do at once", async () => {
  const { call, names, query, seed, pass } = await openEstate();
  const groups = `resourcecontainers | where id startswith '${home}/' | project id, name`;
  const assignments = `authorizationresources | where properties.principalType == 'User'`;
  await seed({ knobs: { resourceGraphLagSeconds: 30 } });
  const group = (name: string, method: string, body?: object) =>
    call(`${home}/resourceGroups/${name}?api-version=2025-04-01`, { method, ...(body && { body }) });
  await group("a", "PUT", { location: "eastus", tags: { step: "1" } });
  const assignment = `${home}/providers/Microsoft.Authorization/roleAssignments/${idOf(1)}?api-version=2022-04-01`;
  const properties = {
    roleDefinitionId: `${home}/providers/Microsoft.Authorization/roleDefinitions/${reader}`,
    principalId: idOf(2),
    principalType: "User",
  };
  await call(assignment, { method: "PUT", body: { properties } });
  expect(await group("a", "GET")).toMatchObject({ status: 200 });
  expect(await names(groups)).toEqual(["dns"]);
  pass(10);
  await group("a", "PUT", { location: "eastus", tags: { step: "2" } });
  expect(await names(assignments)).toEqual([]);
  pass(20);
  expect(await names(groups)).toEqual(["a", "dns"]);
  expect(await names(assignments)).toEqual([idOf(1)]);
  const step = async () => (await query(`${groups.replace("project id, name", "where name == 'a'")} | project step = tags.step`)).data;
  expect(await step()).toEqual([{ step: "1" }]);
  pass(10);
  expect(await step()).toEqual([{ step: "2" }]);
  await group("a", "DELETE");
  await call(assignment, { method: "DELETE" });
  pass(1);
  expect(await group("a", "GET")).toMatchObject({ status: 404 });
  expect(await names(groups)).toEqual(["a", "dns"]);
  expect(await names(assignments)).toEqual([idOf(1)]);
  pass(60);
  expect(await names(groups)).toEqual(["dns"]);
  expect(await names(assignments)).toEqual([]);
});

const [group, child] = [idOf(1), idOf(2)].map((name) => `/providers/Microsoft.Management/managementGroups/${name}`);

/** The subscription `foreign` is in a management group below another one, in which the client may read. */
async function openGroups() {
  const estate = await openEstate();
  await estate.seed({
    managementGroups: [
      { name: idOf(1), displayName: "all" },
      { name: idOf(2), displayName: "dev", parent: idOf(1) },
    ],
    subscriptions: [{ subscriptionId: foreign, managementGroup: idOf(2) }],
    roleAssignments: [{ scope: group, role: reader, principalId: wellKnown.clientPrincipalId }],
  });
  return estate;
}

test("a role in a management group is one in its subscriptions, and stands in their lists", async () => {
  const { call, query, names } = await openGroups();
  expect(await call(`/subscriptions/${foreign}?api-version=2022-12-01`)).toMatchObject({ status: 200 });
  expect(await call(`/subscriptions/${foreign}/resourceGroups/in-5?api-version=2025-04-01`)).toMatchObject({ status: 200 });
  const roles = (filter: string) =>
    call(`/subscriptions/${foreign}/providers/Microsoft.Authorization/roleAssignments?api-version=2022-04-01${filter}`);
  for (const filter of ["", "&$filter=atScope()", `&$filter=principalId%20eq%20'${wellKnown.clientPrincipalId}'`]) {
    expect(await roles(filter)).toMatchObject({
      body: { value: [{ id: expect.stringMatching(`^${group ?? ""}/`), properties: { scope: group } }] },
    });
  }
  const groups = await call("/providers/Microsoft.Management/managementGroups?api-version=2023-04-01");
  expect(groups).toMatchObject({ status: 200, body: { value: [{ id: group, properties: { displayName: "all" } }] } });
  expect(await call(`${group ?? ""}?api-version=2023-04-01`)).toMatchObject({
    body: { properties: { details: { parent: { name: wellKnown.tenantId } } } },
  });
  expect(await call(`${child ?? ""}?api-version=2023-04-01`)).toMatchObject({ status: 403 });
  const subscriptions = "resourcecontainers | where type == 'microsoft.resources/subscriptions'";
  expect(await query(subscriptions, { managementGroups: [idOf(1)] })).toMatchObject({
    data: [
      { subscriptionId: foreign, properties: { managementGroupAncestorsChain: [{ displayName: "dev" }, { displayName: "all" }, {}] } },
    ],
  });
  expect(await names(subscriptions, { managementGroups: [wellKnown.tenantId] })).toHaveLength(4);
  const assignments = "authorizationresources | where properties.principalId == '" + wellKnown.clientPrincipalId + "'";
  const above = { subscriptions: [foreign], options: { authorizationScopeFilter: "AtScopeAboveAndBelow" } };
  expect((await query(assignments, above)).data).toMatchObject([{ subscriptionId: "", properties: { scope: group } }]);
  expect((await query(assignments, { subscriptions: [foreign] })).data).toEqual([]);
});

test("a seeded assignment has the dates, the creator and the members of its document", async () => {
  const { call, query, seed } = await openEstate();
  const seeded = {
    principalId: idOf(7),
    principalType: "ForeignGroup",
    createdOn: "2024-05-01T00:00:00Z",
    updatedOn: "2024-06-01T00:00:00Z",
    createdBy: idOf(8),
    description: "of another tenant",
    condition: "true",
    conditionVersion: "2.0",
    delegatedManagedIdentityResourceId: `${home}/resourceGroups/dns`,
  };
  await seed({ roleAssignments: [{ scope: home, role: reader, name: idOf(6), ...seeded }] });
  const id = `${home}/providers/Microsoft.Authorization/roleAssignments/${idOf(6)}`;
  expect(await call(`${id}?api-version=2022-04-01`)).toMatchObject({ status: 200, body: { properties: seeded } });
  expect((await query(`authorizationresources | where name == '${idOf(6)}'`)).data).toMatchObject([{ properties: seeded }]);
});

test("who is eligible for a role, or has one for a time, is listed by scope and principal", async () => {
  const { call, seed } = await openEstate();
  const schedules = "providers/Microsoft.Authorization/roleEligibilityScheduleInstances";
  const properties = { principalId: idOf(7), principalType: "User", roleDefinitionId: `${home}/x`, endDateTime: "2027-01-01T00:00:00Z" };
  await seed({
    resources: {
      [`${home}/${schedules}/${idOf(1)}`]: { properties },
      [`${home}/resourceGroups/dns/${schedules}/${idOf(2)}`]: { properties: { ...properties, principalId: idOf(8) } },
    },
  });
  const listed = async (filter: string) => {
    const { body } = await call(`${home}/${schedules}?api-version=2020-10-01${filter}`);
    return (body as { value: { name: string; properties: object }[] }).value;
  };
  expect((await listed("")).map(({ name }) => name)).toEqual([idOf(1), idOf(2)]);
  expect(await listed("&$filter=atScope()")).toEqual([
    expect.objectContaining({ name: idOf(1), properties: { scope: home, status: "Provisioned", memberType: "Direct", ...properties } }),
  ]);
  expect((await listed(`&$filter=principalId%20eq%20'${idOf(8)}'`)).map(({ name }) => name)).toEqual([idOf(2)]);
  const active = `${home}/providers/Microsoft.Authorization/roleAssignmentScheduleInstances?api-version=2020-10-01`;
  expect(await call(active)).toMatchObject({ status: 200, body: { value: [] } });
});

test("all that talk to one server take from the same buckets", async () => {
  const server = await openLocalServer({ environment: { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "1" } });
  const token = await server.token();
  const sent = { method: "POST", token, body: { query: "resourcecontainers" } };
  const target = "/providers/Microsoft.ResourceGraph/resources?api-version=2024-04-01";
  const clients = [server.call, callThrough(server), callThrough(server)];
  const answers = await Promise.all(clients.map((call) => call("management.azure.com", target, sent)));
  expect(answers.map(({ headers }) => headers["x-ms-user-quota-remaining"]).sort()).toEqual(["12", "13", "14"]);
});
