/** The api-versions that a type answers, and what differs between them. */
import { beforeEach, expect, test } from "vitest";
import { emulatedTypes } from "../../../src/emulator/arm/types/index.js";
import { versionsOf } from "../../../src/emulator/arm/api-versions.js";
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

test("a type's provider lists the versions that a refusal names", () => {
  const { body } = arm.get(`${subscription}/providers/Microsoft.ManagedIdentity`, { apiVersion: "2021-04-01" });
  const { resourceTypes } = body as { resourceTypes: { resourceType: string; apiVersions: string[] }[] };
  expect(resourceTypes.find(({ resourceType }) => resourceType === "userAssignedIdentities")?.apiVersions).toEqual(
    emulatedTypes.named("Microsoft.ManagedIdentity/userAssignedIdentities")?.apiVersions,
  );
});

test("versions are listed newest first, previews after the version of their date", () => {
  expect(versionsOf("Microsoft.ManagedIdentity", { from: "2018-11-30", to: "2023-01-31", preview: ["2022-01-31-preview"] })).toEqual([
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
