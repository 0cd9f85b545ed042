/** The api-versions that a type answers, and what differs between them. */
import { beforeEach, expect, test } from "vitest";
import { emulatedTypes } from "../../../src/emulator/arm/types/index.js";
import { answeredVersion, versionsOf } from "../../../src/emulator/arm/api-versions.js";
import { ArmState, subscription } from "./arm-state.js";

let arm: ArmState;
let group: string;
let vnet: string;

beforeEach(() => {
  arm = new ArmState();
  group = arm.group("demo");
  vnet = `${group}/providers/Microsoft.Network/virtualNetworks/net`;
});

const network = { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } };

const sentByClients = [
  ["Microsoft.Network/virtualNetworks", "2025-03-01 2022-01-01 2022-05-01 2021-03-01 2020-11-01 2020-05-01"],
  ["Microsoft.ContainerService/managedClusters", "2026-04-01 2025-08-01 2025-03-01 2023-02-02-preview"],
  ["Microsoft.Storage/storageAccounts", "2025-08-01 2021-04-01"],
  ["Microsoft.KeyVault/vaults", "2026-02-01 2021-11-01-preview 2021-04-01-preview"],
  ["Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials", "2025-01-31-preview 2022-01-31-preview"],
] as const;

test.each(sentByClients)("%s is answered in %s", (type, versions) => {
  expect(emulatedTypes.named(type)?.apiVersions).toEqual(expect.arrayContaining(versions.split(" ")));
});

test("each version of a type's range answers, and a date between them that Azure never released is refused with all of them", () => {
  arm.put(vnet, network);
  const versions = emulatedTypes.named("Microsoft.Network/virtualNetworks")?.apiVersions ?? [];
  expect(versions.length).toBeGreaterThan(40);
  expect(versions.filter((apiVersion) => arm.get(vnet, { apiVersion, unrecorded: true }).status !== 200)).toEqual([]);
  const refused = arm.get(vnet, { apiVersion: "2024-06-01", unrecorded: true });
  expect(refused).toMatchObject({ status: 400, body: { error: { code: "NoRegisteredProviderFound" } } });
  expect(JSON.stringify(refused.body)).toContain(
    `for location 'eastus' and API version '2024-06-01' for type 'virtualNetworks'. The supported api-versions are '${versions.join(", ")}'`,
  );
});

const cluster = "Microsoft.ContainerService/managedClusters";

test.each([
  ["a known one as itself", cluster, "2026-04-01", "2026-04-01"],
  ["a newer one as the newest", cluster, "2026-11-01", "2026-05-01"],
  ["a newer preview as the newest", cluster, "2026-11-02-preview", "2026-05-01"],
  ["a released preview as the version before it", cluster, "2026-03-02-preview", "2026-03-01"],
  ["a preview that was never released is refused", cluster, "2026-03-03-preview", undefined],
  ["a preview of another provider is refused", "Microsoft.ManagedIdentity/userAssignedIdentities", "2024-04-02-preview", undefined],
  ["a preview older than the oldest is refused", "Microsoft.KeyVault/vaults", "2015-04-01-preview", undefined],
  ["a date that was never released is refused", cluster, "2026-04-02", undefined],
  ["no date of the calendar is refused", cluster, "2027-02-30", undefined],
  ["no date at all is refused", cluster, "latest", undefined],
  ["another word than preview is refused", cluster, "2027-02-01-final", undefined],
])("a version is answered: %s", (_how, type, sent, answered) => {
  expect(answeredVersion(type, emulatedTypes.named(type)?.apiVersions ?? [], sent)).toBe(answered);
});

test("endpoints answer newer versions too, and refuse what is malformed", () => {
  const policies = `${subscription}/providers/Microsoft.Authorization/policyAssignments`;
  expect(arm.get(policies, { apiVersion: "2099-01-01", unrecorded: true }).status).toBe(200);
  expect(arm.get(policies, { apiVersion: "2099-13-01", unrecorded: true }).status).toBe(400);
  expect(arm.get(`${subscription}/resources`, { apiVersion: "2099-01-01", unrecorded: true }).status).toBe(200);
});

test("a type's provider lists the versions that a refusal names", () => {
  const { body } = arm.get(`${subscription}/providers/Microsoft.ManagedIdentity`, { apiVersion: "2021-04-01" });
  const { resourceTypes } = body as { resourceTypes: { resourceType: string; apiVersions: string[] }[] };
  expect(resourceTypes.find(({ resourceType }) => resourceType === "userAssignedIdentities")?.apiVersions).toEqual(
    emulatedTypes.named("Microsoft.ManagedIdentity/userAssignedIdentities")?.apiVersions,
  );
});

test("versions are listed newest first, previews after the version of their date", () => {
  expect(versionsOf("Microsoft.ManagedIdentity", { from: "2018-11-30", preview: ["2022-01-31-preview"] })).toEqual([
    "2024-11-30",
    "2023-01-31",
    "2022-01-31-preview",
    "2018-11-30",
  ]);
  expect(() => versionsOf("Microsoft.ManagedIdentity", { from: "2018-11-29" })).toThrow("has no released api-version 2018-11-29");
});

test("a member is answered and accepted from the version on that has it", () => {
  const withPolicies = { ...network, properties: { ...network.properties, privateEndpointVNetPolicies: "Basic" } };
  expect(arm.put(vnet, withPolicies, { apiVersion: "2024-03-01" })).toMatchObject({
    status: 201,
    body: { properties: { privateEndpointVNetPolicies: "Basic" } },
  });
  const older = arm.get(vnet, { apiVersion: "2024-01-01" });
  expect(older.body).toMatchObject({ properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } });
  expect(older.body).not.toHaveProperty("properties.privateEndpointVNetPolicies");
  const refused = arm.put(vnet, withPolicies, { apiVersion: "2024-01-01", unrecorded: true });
  expect(refused).toMatchObject({ status: 400, body: { error: { code: "InvalidRequestContent" } } });
  expect(JSON.stringify(refused.body)).toContain("Could not find member 'privateEndpointVNetPolicies'");
});

test("a default that depends on the version is for what a creation omits; an update keeps what is there", () => {
  const account = (name: string) => `${group}/providers/Microsoft.Storage/storageAccounts/${name}`;
  const body = { location: "eastus", sku: { name: "Standard_LRS" }, kind: "StorageV2" };
  const isPublic = (name: string) => (arm.get(account(name)).body as { properties: object }).properties;
  arm.put(account("older"), body, { apiVersion: "2021-04-01" });
  arm.put(account("newer"), body, { apiVersion: "2025-06-01" });
  arm.put(account("chosen"), { ...body, properties: { allowBlobPublicAccess: false } }, { apiVersion: "2021-04-01" });
  arm.pass(60);
  expect(isPublic("older")).toMatchObject({ allowBlobPublicAccess: true });
  expect(isPublic("newer")).toMatchObject({ allowBlobPublicAccess: false });
  expect(isPublic("chosen")).toMatchObject({ allowBlobPublicAccess: false });
  arm.put(account("older"), body, { apiVersion: "2025-06-01" });
  expect(isPublic("older")).toMatchObject({ allowBlobPublicAccess: true });
});

test("what differs between versions names only versions that the type answers", () => {
  const odd = emulatedTypes.all.flatMap(({ name, apiVersions, versionDifferences: differs = [] }) =>
    differs
      .flatMap((one) => [one.since, one.before])
      .filter((version) => version !== undefined && !apiVersions.includes(version))
      .map((version) => `${name} ${String(version)}`),
  );
  expect(odd).toEqual([]);
});
