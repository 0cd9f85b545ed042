import { beforeEach, expect, test } from "vitest";
import { ArmState, subscription, type Reply } from "./arm-state.js";

let arm: ArmState;
let group: string;
let nsg: string;

beforeEach(() => {
  arm = new ArmState();
  group = arm.group("demo");
  nsg = `${group}/providers/Microsoft.Network/networkSecurityGroups/nsg`;
});

const body = { location: "eastus", properties: {} };

function codeOf({ status, body: answered }: Reply): string {
  return `${String(status)} ${(answered as { error: { code: string } }).error.code}`;
}

test("a missing or unknown api-version is refused", () => {
  expect(codeOf(arm.get(`https://management.azure.com${nsg}`, { unrecorded: true }))).toBe("400 MissingApiVersionParameter");
  expect(codeOf(arm.get(`https://management.azure.com${nsg}?api-version=`, { unrecorded: true }))).toBe("400 MissingApiVersionParameter");
  expect(codeOf(arm.put(nsg, body, { apiVersion: "2024-06-02" }))).toBe("400 NoRegisteredProviderFound");
  for (const path of ["/subscriptions", group, `${subscription}/providers/Microsoft.Network`])
    expect(codeOf(arm.get(path, { apiVersion: "2024-06-02" }))).toBe("400 InvalidApiVersionParameter");
  const endpoints = `${subscription}/providers/Microsoft.Network/locations/eastus/virtualNetworkAvailableEndpointServices`;
  expect(codeOf(arm.get(endpoints, { apiVersion: "2024-06-02" }))).toBe("400 NoRegisteredProviderFound");
});

test("routes, types and methods that are not emulated are 501 with their name", () => {
  const unknown = arm.get(`${group}/providers/Microsoft.Network/azureFirewalls/a`);
  expect(codeOf(unknown)).toBe("501 NotImplementedByEmbeddedAzure");
  expect(JSON.stringify(unknown.body)).toContain("Microsoft.Network/azureFirewalls/a");
  expect(codeOf(arm.get(`${group}/providers/Microsoft.Search/searchServices/a`))).toBe("409 MissingSubscriptionRegistration");
  expect(codeOf(arm.send("POST", `${group}/moveResources`, {}))).toBe("501 NotImplementedByEmbeddedAzure");
  expect(codeOf(arm.get("/somewhere"))).toBe("501 NotImplementedByEmbeddedAzure");
});

test("an unknown property is refused by name", () => {
  const refused = arm.put(nsg, { ...body, properties: { colour: "red" } }, { unrecorded: true });
  expect(codeOf(refused)).toBe("400 InvalidRequestContent");
  expect(JSON.stringify(refused.body)).toMatch(/Could not find member 'colour'.*properties/);
  expect(codeOf(arm.put(group, { location: "eastus", colour: "red" }, { unrecorded: true }))).toBe("400 InvalidRequestContent");
});

test("names that Azure does not allow are refused", () => {
  expect(codeOf(arm.put(`${subscription}/resourceGroups/ends.`, { location: "eastus" }))).toBe("400 InvalidResourceName");
  expect(codeOf(arm.put(`${subscription}/resourceGroups/${"x".repeat(91)}`, { location: "eastus" }, { unrecorded: true }))).toBe(
    "400 InvalidResourceName",
  );
  expect(codeOf(arm.put(`${group}/providers/Microsoft.Network/networkSecurityGroups/-x`, body))).toBe("400 InvalidResourceName");
});

test("a location must be present, be a region, and not change", () => {
  expect(codeOf(arm.put(nsg, { properties: {} }))).toBe("400 LocationRequired");
  expect(codeOf(arm.put(nsg, { ...body, location: "atlantis" }))).toBe("400 LocationNotAvailableForResourceType");
  expect(codeOf(arm.put(`${subscription}/resourceGroups/new`, { location: "atlantis" }))).toBe("400 LocationNotAvailableForResourceGroup");
  arm.put(nsg, body);
  expect(arm.put(nsg, { ...body, location: "East US" }).status).toBe(200);
  expect(codeOf(arm.put(nsg, { ...body, location: "westus" }))).toBe("409 InvalidResourceLocation");
  expect(codeOf(arm.put(group, { location: "westus" }))).toBe("409 InvalidResourceGroupLocation");
});

test("a write with a missing dependency names what is missing", () => {
  const lost = `${subscription}/resourceGroups/none/providers/Microsoft.Network/networkSecurityGroups/nsg`;
  expect(codeOf(arm.put(lost, body))).toBe("404 ResourceGroupNotFound");
  expect(codeOf(arm.get(lost))).toBe("404 ResourceGroupNotFound");
  expect(codeOf(arm.delete(lost))).toBe("404 ResourceGroupNotFound");
  expect(codeOf(arm.get(nsg))).toBe("404 ResourceNotFound");
  const rule = `${nsg}/securityRules/a`;
  const parent = "'Microsoft.Network/networkSecurityGroups/nsg' under resource group";
  expect(codeOf(arm.put(rule, { properties: {} }, { unrecorded: true }))).toBe("404 ParentResourceNotFound");
  // The provider looks for the group of the rule itself.
  const missing = { status: 404, body: { error: { code: "ResourceNotFound", message: expect.stringContaining(parent) as string } } };
  for (const reply of [arm.get(rule), arm.delete(rule), arm.get(`${nsg}/securityRules`), arm.get(`${nsg}/defaultSecurityRules`)])
    expect(reply).toMatchObject(missing);
  expect(codeOf(arm.delete(`${lost}/securityRules/a`))).toBe("404 ResourceGroupNotFound");
  expect(codeOf(arm.get("/subscriptions/00000000-0000-4000-8000-000000000000/resourceGroups/x"))).toBe("403 AuthorizationFailed");
});

test("a write with an outdated etag is 412, and one with the current etag succeeds", () => {
  const { etag } = arm.put(nsg, body).body as { etag: string };
  expect(codeOf(arm.put(nsg, body, { headers: { "If-Match": etag } }))).toBe("412 PreconditionFailed");
  const current = (arm.get(nsg).body as { etag: string }).etag;
  expect(arm.put(nsg, body, { headers: { "If-Match": current } }).status).toBe(200);
  expect(codeOf(arm.put(nsg, body, { headers: { "If-None-Match": "*" } }))).toBe("412 PreconditionFailed");
});

test("a PUT replaces the whole: omitted tags are deleted", () => {
  arm.put(nsg, { ...body, tags: { a: "1" } });
  expect(arm.put(nsg, body).body).not.toHaveProperty("tags");
  expect(arm.put(group, { location: "eastus" }).body).not.toHaveProperty("tags");
});

test("a PATCH keeps the tags that its body omits, and refuses what cannot be patched by name", () => {
  arm.put(nsg, { ...body, tags: { a: "1" } });
  expect(arm.send("PATCH", nsg, {}).body).toMatchObject({ tags: { a: "1" } });
  expect(arm.send("PATCH", nsg, { tags: { b: "2" } }).body).toMatchObject({ tags: { b: "2" } });
  const refused = arm.send("PATCH", nsg, { kind: "other" }, { unrecorded: true });
  expect(codeOf(refused)).toBe("400 InvalidRequestContent");
  expect(JSON.stringify(refused.body)).toContain("'kind' of type 'Microsoft.Network/networkSecurityGroups' cannot be patched");
});

test("a PATCH of a group takes its name and its manager", () => {
  arm.put(group, { location: "eastus", tags: { a: "1" } });
  const patched = arm.send("PATCH", group, { name: "demo", managedBy: "/x", properties: {} });
  expect(patched).toMatchObject({ status: 200, body: { managedBy: "/x", tags: { a: "1" } } });
});

test("a subscription ID that is no GUID is refused whatever the path", () => {
  for (const path of ["/subscriptions/nope", "/subscriptions/nope/resourceGroups/g", "/subscriptions/nope/providers/Microsoft.Search/x/y"])
    expect(codeOf(arm.get(path, { apiVersion: "2021-04-01", unrecorded: true }))).toBe("400 InvalidSubscriptionId");
});

test("a page has at least one entry: otherwise a client would follow its links for ever", () => {
  expect(codeOf(arm.get(`${subscription}/resourceGroups?$top=0`, { apiVersion: "2021-04-01" }))).toBe("400 InvalidParameterValue");
});

test("a provider must be registered before a write, and registering makes the write succeed", () => {
  const [held] = arm.state.subscriptions;
  if (held !== undefined) held.providers["Microsoft.Network"] = "NotRegistered";
  const refused = arm.put(nsg, body);
  expect(codeOf(refused)).toBe("409 MissingSubscriptionRegistration");
  expect(refused.body).toMatchObject({ error: { details: [{ target: "Microsoft.Network" }] } });
  const provider = `${subscription}/providers/Microsoft.Network`;
  expect(arm.get(provider, { apiVersion: "2025-04-01" })).toMatchObject({ body: { registrationState: "NotRegistered" } });
  const registering = arm.send("POST", `${provider}/register`, undefined, { apiVersion: "2025-04-01" });
  expect(registering).toMatchObject({ status: 200, body: { registrationState: "Registering" } });
  expect(arm.get(provider, { apiVersion: "2025-04-01" })).toMatchObject({ body: { registrationState: "Registered" } });
  expect(arm.put(nsg, body).status).toBe(201);
});

test("providers list their types, and tenants and locations are answered", () => {
  const provider = arm.get(`${subscription}/providers/microsoft.network`, { apiVersion: "2025-04-01" }).body as {
    resourceTypes: { resourceType: string; apiVersions: string[] }[];
  };
  const networks = provider.resourceTypes.find(({ resourceType }) => resourceType === "virtualNetworks");
  expect(networks?.apiVersions).toContain("2025-05-01");
  expect(arm.get("/tenants")).toMatchObject({ status: 200, body: { value: [{ tenantId: arm.state.tenantId }] } });
  expect(JSON.stringify(arm.get(`${subscription}/locations`).body)).toContain('"eastus"');
});
