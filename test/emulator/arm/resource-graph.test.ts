/** Azure Resource Graph: its query language, its tables, its pages and who sees which rows. */
import { expect, test } from "vitest";
import type { Caller } from "../../../src/emulator/core/service.js";
import { roleIds, wellKnown } from "../../../src/emulator/state/well-known.js";
import { ArmState, subscription, type Reply } from "./arm-state.js";

interface Page {
  readonly totalRecords: number;
  readonly count: number;
  readonly resultTruncated: string;
  readonly $skipToken?: string;
  readonly data: Record<string, unknown>[];
}

interface Asked {
  readonly options?: object;
  readonly subscriptions?: readonly string[];
  readonly caller?: Caller;
  readonly apiVersion?: string;
}

function ask(arm: ArmState, query: string, { caller, apiVersion, ...body }: Asked = {}): Reply {
  const target = "/providers/Microsoft.ResourceGraph/resources";
  return arm.send("POST", target, { query, ...body }, { ...(caller && { caller }), ...(apiVersion !== undefined && { apiVersion }) });
}

function page(arm: ArmState, query: string, asked?: Asked): Page {
  const { status, body } = ask(arm, query, asked);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body as Page;
}

/** The names in the answer, in their order. */
const names = (arm: ArmState, query: string, asked?: Asked) => page(arm, query, asked).data.map(({ name }) => name);

const group = `${subscription}/resourceGroups/Demo`;
const ofNetwork = (kind: string, name: string) => `${group}/providers/Microsoft.Network/${kind}/${name}`;

/** A group with two security groups, a network with a tag, and the zone of the fresh state. */
function withNetwork(): ArmState {
  const arm = new ArmState();
  arm.group("Demo", { team: "net" });
  arm.put(ofNetwork("networkSecurityGroups", "nsg-a"), {
    location: "eastus",
    tags: { "kubernetes.io_cluster.x7k2": "shared" },
    properties: {},
  });
  arm.put(ofNetwork("networkSecurityGroups", "nsg-b"), {
    location: "westus",
    tags: { "kubernetes.io_cluster.x7k2": "owned" },
    properties: {},
  });
  arm.put(ofNetwork("virtualNetworks", "net"), {
    location: "eastus",
    properties: {
      addressSpace: { addressPrefixes: ["10.0.0.0/16", "10.1.0.0/16"] },
      subnets: [{ name: "s", properties: { addressPrefix: "10.0.0.0/24" } }],
    },
  });
  return arm;
}

test("a row has the columns of Azure: the type and the group in lower case, IDs as they are spelled, nothing that a list would not have", () => {
  const arm = withNetwork();
  const { data, ...about } = page(arm, "resources | where name == 'nsg-a'", { subscriptions: [wellKnown.subscriptionId] });
  expect(about).toEqual({ totalRecords: 1, count: 1, resultTruncated: "false", facets: [] });
  expect(data).toEqual([
    {
      id: ofNetwork("networkSecurityGroups", "nsg-a"),
      name: "nsg-a",
      type: "microsoft.network/networksecuritygroups",
      tenantId: wellKnown.tenantId,
      kind: "",
      location: "eastus",
      resourceGroup: "demo",
      subscriptionId: wellKnown.subscriptionId,
      managedBy: "",
      sku: null,
      plan: null,
      properties: expect.objectContaining({ provisioningState: "Succeeded", securityRules: [] }),
      tags: { "kubernetes.io_cluster.x7k2": "shared" },
      identity: null,
      zones: null,
      extendedLocation: null,
    },
  ]);
  expect(names(arm, "Resources | order by name asc")).toEqual(["hcp.example.com", "net", "nsg-a", "nsg-b"]);
});

test("the query of the installer's destroy finds what is shared", () => {
  const arm = withNetwork();
  const query = "resources | where tags.['kubernetes.io_cluster.x7k2'] == 'shared' | project id, name, type";
  expect(page(arm, query, { subscriptions: [wellKnown.subscriptionId], options: { resultFormat: "objectArray" } }).data).toEqual([
    { id: ofNetwork("networkSecurityGroups", "nsg-a"), name: "nsg-a", type: "microsoft.network/networksecuritygroups" },
  ]);
});

const ordered = "| order by name asc | project name";

test.each([
  ["where type =~ 'Microsoft.Network/networkSecurityGroups'", ["nsg-a", "nsg-b"]],
  ["where type == 'Microsoft.Network/networkSecurityGroups'", []],
  ["where type in~ ('MICROSOFT.network/virtualnetworks', \"microsoft.network/dnszones\")", ["hcp.example.com", "net"]],
  ["where name !in ('net', 'nsg-a')", ["hcp.example.com", "nsg-b"]],
  ["where name !~ 'NSG-A' and name != 'nsg-b'", ["hcp.example.com", "net"]],
  ["where (name startswith 'NSG' or name endswith '.com') and not(location == 'westus')", ["hcp.example.com", "nsg-a"]],
  ["where name contains 'SG-' // the rest is a comment\n", ["nsg-a", "nsg-b"]],
  ["where name has 'nsg'", ["nsg-a", "nsg-b"]],
  ["where name has 'ns'", []],
  ["where name !has 'example' and name contains_cs 'net'", ["net"]],
  ["where isempty(tags['kubernetes.io_cluster.x7k2'])", ["hcp.example.com", "net"]],
  ["where isnotempty(tags['Kubernetes.io_cluster.x7k2'])", []],
  ["where properties.addressSpace.addressPrefixes[1] == '10.1.0.0/16'", ["net"]],
  ["where array_length(properties.addressSpace.addressPrefixes) >= 2", ["net"]],
  ["where tolower(resourceGroup) == tolower('DEMO') and toupper(name) == 'NET'", ["net"]],
  ["extend state = tostring(properties.provisioningState) | where state == 'Succeeded' and name != 'net'", ["nsg-a", "nsg-b"]],
  ["where name == @'net' or name == 'n\\'t'", ["net"]],
])("resources | %s", (clause, expected) => {
  expect(names(withNetwork(), `resources | ${clause} ${ordered}`)).toEqual(expected);
});

test("the operators that change columns and rows", () => {
  const arm = withNetwork();
  const data = (query: string) => page(arm, query).data;
  expect(data("where type endswith 'groups' | summarize count() by type")).toEqual([
    { type: "microsoft.network/networksecuritygroups", count_: 2 },
  ]);
  expect(data("resources | summarize number = count() by tostring(properties.provisioningState) | order by number desc")).toEqual([
    { properties_provisioningState: "Succeeded", number: 3 },
    { properties_provisioningState: "", number: 1 },
  ]);
  expect(data("resources | count")).toEqual([{ Count: 4 }]);
  expect(data("resources | distinct location | sort by location")).toEqual([
    { location: "westus" },
    { location: "global" },
    { location: "eastus" },
  ]);
  expect(data("resources | top 1 by name | project name, place = location")).toEqual([{ name: "nsg-b", place: "westus" }]);
  expect(data("resources | where name == 'net' | project name, tags | project-away tags")).toEqual([{ name: "net" }]);
  expect(data("resources | where name == 'net' | mv-expand prefix = properties.addressSpace.addressPrefixes | project prefix")).toEqual([
    { prefix: "10.0.0.0/16" },
    { prefix: "10.1.0.0/16" },
  ]);
  const groups = "resourcecontainers | where type endswith 'resourcegroups' | project resourceGroup, team = tags.team";
  expect(
    data(`resources | where name in ('net', 'hcp.example.com') | join kind=leftouter (${groups}) on resourceGroup ${ordered}, team`),
  ).toEqual([
    { name: "hcp.example.com", team: null },
    { name: "net", team: "net" },
  ]);
});

test.each([
  ["resources | where", "ParserFailure", "<EOF>"],
  ["resources | wehre name == 'a'", "ParserFailure", "wehre"],
  ["resources | where name == 'a' 'b'", "ParserFailure", "'b'"],
  ["resources | where nmae == 'a'", "SEM0100", undefined],
  ["resuorces", "DisallowedLogicalTableName", undefined],
])("%s is refused with the reason in the details", (query, code, token) => {
  const { status, body } = ask(new ArmState(), query);
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: {
      code: "BadRequest",
      message: expect.stringMatching(/^Please provide below info when asking for support: timestamp = .*, correlationId = .*\.$/),
      details: expect.arrayContaining([expect.objectContaining({ code, ...(token !== undefined && { token }) })]),
    },
  });
});

test.each([
  ["resources | union resourcecontainers", "The operator 'union'"],
  ["resources | where name matches regex 'a'", "The operator 'matches'"],
  ["resources | extend a = parse_json('{}')", "The function 'parse_json'"],
  ["resources | summarize make_set(name)", "The aggregation 'make_set'"],
  ["resources | join kind=fullouter (resourcecontainers) on name", "The join 'fullouter'"],
  ["policyresources", "The table 'policyresources'"],
])("%s: what only Azure does is 501, by its name", (query, what) => {
  expect(ask(new ArmState(), query)).toMatchObject({ status: 501, body: { error: { message: expect.stringContaining(what) } } });
});

test("pages together have every row once, and a token belongs to its query and scopes", () => {
  const arm = withNetwork();
  const query = "resources | project id, name";
  const first = page(arm, query, { options: { $top: 3 } });
  expect(first).toMatchObject({ totalRecords: 4, count: 3, resultTruncated: "false" });
  const options = { $skipToken: first.$skipToken };
  const second = page(arm, query, { options });
  expect(second).toMatchObject({ totalRecords: 4, count: 1, resultTruncated: "false" });
  expect(second).not.toHaveProperty("$skipToken");
  expect(new Set([...first.data, ...second.data].map(({ name }) => name)).size).toBe(4);
  expect(page(arm, query, { options: { ...options, $top: 1, $skip: 1 } })).toMatchObject({ count: 1, data: [first.data[1]] });
  expect(ask(arm, "resources | project id", { options })).toMatchObject({ status: 400, body: { error: { code: "BadRequest" } } });
  expect(ask(arm, query, { options, subscriptions: [wellKnown.subscriptionId] })).toMatchObject({ status: 400 });
  expect(ask(arm, query, { options: { $top: 1001 } })).toMatchObject({ status: 400 });
});

test("without the IDs, or with a limit, no token comes, and lost rows show in resultTruncated alone", () => {
  const arm = withNetwork();
  const lost = page(arm, "resources | project name", { options: { $top: 3 } });
  expect(lost).toMatchObject({ totalRecords: 4, count: 3, resultTruncated: "true" });
  expect(lost).not.toHaveProperty("$skipToken");
  const limited = page(arm, "resources | limit 3", { options: { $top: 2 } });
  expect(limited).toMatchObject({ totalRecords: 3, count: 2, resultTruncated: "true" });
  expect(limited).not.toHaveProperty("$skipToken");
  expect(page(arm, "resources | limit 3")).toMatchObject({ totalRecords: 3, count: 3, resultTruncated: "false" });
});

test("a table has columns with types, which is the default of 2019 only", () => {
  const arm = withNetwork();
  const query = "resources | where name == 'net' | project name, properties, number = 1, flag = true";
  const table = {
    columns: [
      { name: "name", type: "string" },
      { name: "properties", type: "object" },
      { name: "number", type: "integer" },
      { name: "flag", type: "boolean" },
    ],
    rows: [["net", expect.objectContaining({ provisioningState: "Succeeded" }), 1, true]],
  };
  expect(page(arm, query, { options: { resultFormat: "table" } }).data).toEqual(table);
  expect(page(arm, query, { apiVersion: "2019-04-01" }).data).toEqual(table);
  expect(page(arm, query, { apiVersion: "2021-03-01" }).data).toMatchObject([{ name: "net" }]);
});

test("containers are the subscription with its state, and the groups as they are spelled", () => {
  const { data } = page(withNetwork(), "resourcecontainers | order by type asc, id asc");
  expect(data).toMatchObject([
    {
      id: subscription,
      type: "microsoft.resources/subscriptions",
      subscriptionId: wellKnown.subscriptionId,
      resourceGroup: "",
      properties: { state: "Enabled", managedByTenants: [] },
    },
    { id: group, name: "Demo", type: "microsoft.resources/subscriptions/resourcegroups", resourceGroup: "demo", tags: { team: "net" } },
    { name: "dns", properties: { provisioningState: "Succeeded" } },
  ]);
});

test("role assignments are those of the scopes and below unless a filter says otherwise, with roles spelled as nowhere else", () => {
  const arm = withNetwork();
  const root = "/providers/Microsoft.Authorization/roleAssignments/00000000-0000-4000-8000-000000000001";
  const [own] = Object.values(arm.state.roleAssignments);
  if (own === undefined) throw new Error("a fresh state has assignments");
  arm.state.roleAssignments[root.toLowerCase()] = { ...own, id: root, name: "00000000-0000-4000-8000-000000000001", scope: "/" };
  arm.put(`${group}/providers/Microsoft.Authorization/roleAssignments/00000000-0000-4000-8000-000000000002`, {
    properties: {
      roleDefinitionId: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${roleIds.contributor}`,
      principalId: "00000000-0000-4000-8000-000000000003",
      principalType: "User",
      description: "for a test",
    },
  });
  const query = "authorizationresources | where type =~ 'Microsoft.Authorization/roleAssignments'";
  const scopes = (authorizationScopeFilter?: string) =>
    page(arm, query, { options: { authorizationScopeFilter } })
      .data.map(({ properties }) => (properties as { scope: string }).scope)
      .sort();
  expect(scopes()).toEqual([subscription, subscription, group]);
  expect(scopes("AtScopeExact")).toEqual([subscription, subscription]);
  expect(scopes("AtScopeAndAbove")).toEqual(["/", subscription, subscription]);
  expect(scopes("AtScopeAboveAndBelow")).toEqual(["/", subscription, subscription, group]);
  expect(page(arm, `${query} | where properties.description == 'for a test'`).data).toMatchObject([
    {
      resourceGroup: "demo",
      properties: {
        principalType: "User",
        roleDefinitionId: `/providers/Microsoft.Authorization/RoleDefinitions/${roleIds.contributor}`,
        createdBy: wellKnown.clientPrincipalId,
      },
    },
  ]);
});

test("custom roles stand beside the built-in ones, record sets without NS in a table of their own", () => {
  const arm = withNetwork();
  const role = "00000000-0000-4000-8000-000000000009";
  arm.state.resources[`${subscription}/providers/microsoft.authorization/roledefinitions/${role}`.toLowerCase()] = {
    id: `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`,
    name: role,
    type: "Microsoft.Authorization/roleDefinitions",
    properties: { roleName: "Own", permissions: [], assignableScopes: [subscription] },
  };
  const roles = "authorizationresources | where type =~ 'microsoft.authorization/roledefinitions'";
  expect(page(arm, `${roles} | where properties.type == 'CustomRole'`).data).toMatchObject([
    { name: role, properties: { roleName: "Own", assignableScopes: [subscription] } },
  ]);
  expect(page(arm, `${roles} | where properties.roleName == 'Contributor' | project id`).data).toEqual([
    { id: `/providers/Microsoft.Authorization/RoleDefinitions/${roleIds.contributor}` },
  ]);
  expect(page(arm, "dnsresources | distinct type").data).toEqual([{ type: "microsoft.network/dnszones/soa" }]);
});

test("rows that the caller may not read are left out without a word, and only without any subscription it is 403", () => {
  const arm = withNetwork();
  const reader = arm.caller("reader", [{ role: roleIds.contributor, scope: ofNetwork("virtualNetworks", "net") }]);
  expect(names(arm, "resources", { caller: reader })).toEqual(["net"]);
  expect(names(arm, "resourcecontainers", { caller: reader, subscriptions: [wellKnown.subscriptionId] })).toEqual(["Azure emulator"]);
  const nobody = arm.caller("nobody", []);
  expect(page(arm, "resources", { caller: nobody })).toMatchObject({ totalRecords: 0, count: 0, data: [], resultTruncated: "false" });
  expect(ask(arm, "resources", { caller: nobody, subscriptions: [wellKnown.subscriptionId] })).toMatchObject({
    status: 403,
    body: { error: { code: "AccessDenied", details: [{ code: "AccessDenied" }] } },
  });
  const other = "00000000-0000-4000-8000-00000000000f";
  expect(names(arm, "resources", { subscriptions: [other, wellKnown.subscriptionId] })).toHaveLength(4);
  expect(ask(arm, "resources", { subscriptions: [other] })).toMatchObject({ status: 403 });
});
