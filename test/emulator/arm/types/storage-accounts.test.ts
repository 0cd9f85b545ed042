/** Storage accounts and their keys as ARM sees them. */
import { StorageManagementClient } from "@azure/arm-storage";
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../../../src/emulator/index.js";
import { openLocalServer } from "../../local-server.js";
import { all, sdkAccess } from "../../sdk-access.js";
import { subscription } from "../arm-state.js";
import { accountBody, refusal, withGroup } from "./storage-bodies.js";

test("a new account is accepted without a body, busy for a while, and then answered by its operation", () => {
  const { arm, account, container } = withGroup();
  arm.seconds = { "storage.put": 17 };
  const accepted = arm.put(account, accountBody());
  expect(accepted).toMatchObject({ status: 202, headers: { "Retry-After": "17", Location: expect.stringContaining("/asyncoperations/") } });
  expect(accepted.headers["Azure-AsyncOperation"]).toBeUndefined();
  expect(accepted.body).toBeUndefined();
  expect(arm.get(account).body).toMatchObject({ properties: { provisioningState: "ResolvingDns" } });
  expect(arm.put(account, accountBody())).toMatchObject(refusal(409, "StorageAccountOperationInProgress"));
  expect(arm.put(container, {})).toMatchObject(refusal(409, "StorageAccountIsNotProvisioned"));
  expect(arm.send("POST", `${account}/listKeys`)).toMatchObject(refusal(409, "StorageAccountIsNotProvisioned"));
  expect(arm.get(accepted.headers["Location"] ?? "")).toMatchObject({ status: 202, body: undefined });
  arm.pass(17);
  expect(arm.get(accepted.headers["Location"] ?? "")).toMatchObject({
    status: 200,
    body: { name: "demo", kind: "StorageV2", properties: { provisioningState: "Succeeded" } },
  });
});

test.each([
  ["StorageV2", ["blob", "dfs", "file", "queue", "table", "web"], "Hot"],
  ["BlobStorage", ["blob", "dfs", "table"], "Hot"],
  ["Storage", ["blob", "file", "queue", "table"], undefined],
  ["BlockBlobStorage", ["blob", "dfs", "web"], "Hot"],
  ["FileStorage", ["file"], "Hot"],
])("an account of kind %s has its own endpoints and access tier", (kind, endpoints, accessTier) => {
  const { arm, account } = withGroup();
  arm.put(
    account,
    { ...accountBody({ keyPolicy: { keyExpirationPeriodInDays: 20 } }), kind, tags: null, zones: null },
    { unrecorded: true },
  );
  const { properties, tags } = arm.get(account).body as { properties: Record<string, object>; tags: unknown };
  expect(Object.keys(properties["primaryEndpoints"] ?? {}).sort()).toEqual(endpoints);
  expect(properties["accessTier"]).toBe(accessTier);
  expect(properties["keyPolicy"]).toEqual({ keyExpirationPeriodInDays: 20 });
  expect(tags).toEqual({});
});

test("a setting of any published description is stored and answered", () => {
  const { arm, account } = withGroup();
  const settings = {
    azureFilesIdentityBasedAuthentication: { directoryServiceOptions: "AADKERB", defaultSharePermission: "None" },
    enableExtendedGroups: true,
    immutableStorageWithVersioning: { enabled: true },
    isHnsEnabled: true,
    isNfsV3Enabled: true,
    isSftpEnabled: true,
    routingPreference: { routingChoice: "MicrosoftRouting", publishMicrosoftEndpoints: true, publishInternetEndpoints: true },
    sasPolicy: { sasExpirationPeriod: "1.00:00:00", expirationAction: "Log" },
  };
  const services = { table: { keyType: "Account" } };
  arm.put(account, { ...accountBody({ ...settings, encryption: { services } }), sku: { name: "Standard_RAGRS" } });
  const { properties } = arm.get(account).body as { properties: object };
  expect(properties).toMatchObject({
    ...settings,
    encryption: { services: { blob: { enabled: true }, table: { enabled: true, keyType: "Account" } } },
    primaryEndpoints: {
      microsoftEndpoints: { table: "https://demo-microsoftrouting.table.core.windows.net/" },
      internetEndpoints: { web: "https://demo-internetrouting.z13.web.core.windows.net/" },
    },
    secondaryEndpoints: { internetEndpoints: { dfs: "https://demo-internetrouting-secondary.dfs.core.windows.net/" } },
  });
  expect(properties).not.toHaveProperty("primaryEndpoints.internetEndpoints.table");
  expect(properties).not.toHaveProperty("secondaryEndpoints.file");
});

test("an account in an edge zone has the endpoints of that zone", () => {
  const { arm, account } = withGroup();
  const extendedLocation = { name: "zone1", type: "EdgeZone" };
  arm.put(account, { ...accountBody(), sku: { name: "Premium_LRS" }, extendedLocation });
  expect(arm.get(account).body).toMatchObject({
    sku: { name: "Premium_LRS", tier: "Premium" },
    extendedLocation,
    properties: {
      primaryExtendedLocation: extendedLocation,
      primaryEndpoints: { blob: "https://demo.blob.zone1.edgestorage.azure.net/", web: "https://demo.web.zone1.edgestorage.azure.net/" },
    },
  });
});

test("an account keeps its own identity, and needs those of the client to exist", () => {
  const { arm, account } = withGroup();
  const given = `${account.split("/providers/")[0] ?? ""}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/demo`;
  const both = { type: "SystemAssigned,UserAssigned", userAssignedIdentities: { [given]: {} } };
  const refused = arm.put(account, { ...accountBody(), identity: both });
  expect(refused).toMatchObject(refusal(400, "FailedIdentityOperation"));
  arm.put(account, { ...accountBody(), identity: { type: "SystemAssigned" } });
  const own = (arm.get(account).body as { identity: { principalId: string } }).identity;
  expect(own).toMatchObject({ type: "SystemAssigned", tenantId: arm.state.tenantId });
  arm.put(given, { location: "eastus" });
  const { clientId } = (arm.get(given).body as { properties: { clientId: string } }).properties;
  const patched = arm.send("PATCH", account, { identity: both }).body;
  expect(patched).toMatchObject({ identity: { principalId: own.principalId, userAssignedIdentities: { [given]: { clientId } } } });
  arm.send("PATCH", account, { identity: { type: "None" } });
  expect(arm.get(account).body).not.toHaveProperty("identity");
});

test("the zone of static websites is that of the region", () => {
  const { arm, account } = withGroup();
  arm.put(account, { ...accountBody(), location: "westus2" });
  expect(arm.get(account).body).toMatchObject({ properties: { primaryEndpoints: { web: "https://demo.z5.web.core.windows.net/" } } });
});

test("network rules for IPv6 exist since 2023", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  const rules = (apiVersion: string) => (arm.get(account, { apiVersion, unrecorded: true }).body as { properties: object }).properties;
  expect(rules("2022-09-01")).toMatchObject({ networkAcls: { ipRules: [] } });
  expect(rules("2022-09-01")).not.toHaveProperty("networkAcls.ipv6Rules");
  expect(rules("2023-01-01")).toMatchObject({ networkAcls: { ipv6Rules: [] } });
});

test("az patches an account together with its SKU, which decides where its second copy is", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody({ isLocalUserEnabled: true }));
  const has = (sku: string, properties: unknown) => ({ status: 200, body: { sku: { name: sku, tier: "Standard" }, properties } });
  expect(arm.get(account)).toMatchObject({ ...has("Standard_LRS", { isLocalUserEnabled: true }), body: { tags: {} } });
  expect(arm.get(account).body).not.toHaveProperty("properties.secondaryLocation");
  const patched = arm.send("PATCH", account, { sku: { name: "Standard_RAGRS" }, tags: { a: "1" }, properties: {} });
  const secondaryEndpoints = { blob: "https://demo-secondary.blob.core.windows.net/" };
  expect(patched).toMatchObject(has("Standard_RAGRS", { secondaryLocation: "westus", secondaryEndpoints }));
  expect(arm.send("PATCH", account, { sku: { name: "Premium_XRS" } }, { unrecorded: true })).toMatchObject(
    refusal(400, "InvalidRequestContent"),
  );
});

test("a subnet that an account's network rules name can be deleted", () => {
  const { arm, account } = withGroup();
  const network = `${account.split("/providers/")[0] ?? ""}/providers/Microsoft.Network/virtualNetworks/demo`;
  const subnets = [{ name: "a", properties: { addressPrefix: "10.0.0.0/24" } }];
  arm.put(network, { location: "eastus", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets } });
  const virtualNetworkRules = [{ id: `${network}/subnets/a` }];
  expect(arm.put(account, accountBody({ networkAcls: { defaultAction: "Deny", virtualNetworkRules } })).status).toBe(202);
  expect(arm.delete(`${network}/subnets/a`).status).toBe(202);
});

test("absent properties have Azure's defaults: public blobs off, shared keys absent", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  const { properties } = arm.get(account).body as { properties: Record<string, unknown> };
  expect(properties).toMatchObject({
    allowBlobPublicAccess: false,
    minimumTlsVersion: "TLS1_2",
    supportsHttpsTrafficOnly: true,
    networkAcls: { defaultAction: "Allow" },
    primaryEndpoints: { blob: "https://demo.blob.core.windows.net/" },
  });
  expect(properties["allowSharedKeyAccess"]).toBeUndefined();
});

test("an account is changed at once, by PUT or PATCH, and keeps what is not named", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody({ allowBlobPublicAccess: true, minimumTlsVersion: "TLS1_2" }));
  expect(arm.put(account, accountBody({ allowSharedKeyAccess: false }))).toMatchObject({
    status: 200,
    body: { properties: { allowBlobPublicAccess: true, allowSharedKeyAccess: false } },
  });
  const patched = arm.send("PATCH", account, { tags: { a: "1" }, properties: { allowBlobPublicAccess: false } });
  expect(patched).toMatchObject({
    status: 200,
    body: { tags: { a: "1" }, properties: { allowBlobPublicAccess: false, minimumTlsVersion: "TLS1_2" } },
  });
});

test("a key that is made again differs, and the other one stays", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  interface Keys {
    readonly keys: readonly { readonly value: string; readonly creationTime: string }[];
  }
  const { keys: before } = arm.send("POST", `${account}/listKeys`).body as Keys;
  arm.pass(60);
  const { keys: after } = arm.send("POST", `${account}/regenerateKey`, { keyName: "key2" }).body as Keys;
  expect(after[0]).toEqual(before[0]);
  expect(after[1]?.value).not.toBe(before[1]?.value);
  expect(arm.send("POST", `${account}/listKeys`).body).toEqual({ keys: after });
  const { properties } = arm.get(account).body as { properties: { keyCreationTime: object } };
  expect(properties.keyCreationTime).toEqual({ key1: before[0]?.creationTime, key2: after[1]?.creationTime });
  expect(properties).not.toHaveProperty("regeneratedKeys");
  expect(arm.send("POST", `${account}/regenerateKey`, { keyName: "kerb1" }, { unrecorded: true }).status).toBe(400);
});

test.each(["Demo", "de", "demo-oidc", "a".repeat(25)])("the name %s is refused", (name) => {
  const { arm, account } = withGroup();
  expect(arm.put(account.replace(/demo$/, name), accountBody(), { unrecorded: true })).toMatchObject(refusal(400, "AccountNameInvalid"));
});

test("a name belongs to one account, in any group or subscription", () => {
  const { arm, account } = withGroup();
  const check = (name: string) =>
    arm.send("POST", `${subscription}/providers/Microsoft.Storage/checkNameAvailability`, {
      name,
      type: "Microsoft.Storage/storageAccounts",
    }).body;
  expect(check("demo")).toEqual({ nameAvailable: true });
  arm.put(account, accountBody());
  expect(check("demo")).toMatchObject({ nameAvailable: false, reason: "AlreadyExists" });
  expect(check("Demo")).toMatchObject({ nameAvailable: false, reason: "AccountNameInvalid" });
  const other = `${arm.group("other")}/providers/Microsoft.Storage/storageAccounts/demo`;
  expect(arm.put(other, accountBody())).toMatchObject(refusal(409, "StorageAccountInAnotherResourceGroup"));
  arm.state.knobs = { takenStorageNames: ["elsewhere"] };
  expect(arm.put(other.replace(/demo$/, "elsewhere"), accountBody())).toMatchObject(refusal(409, "StorageAccountAlreadyTaken"));
  expect(arm.delete(account).status).toBe(200);
  expect(arm.delete(account).status).toBe(204);
  expect(arm.put(other, accountBody()).status).toBe(202);
});

test("a policy against public blobs refuses the account, or changes it", () => {
  const { arm, account } = withGroup();
  arm.state.knobs = { publicBlobPolicy: "deny" };
  expect(arm.put(account, accountBody({ allowBlobPublicAccess: true }))).toMatchObject({
    status: 403,
    body: {
      error: {
        code: "RequestDisallowedByPolicy",
        target: "demo",
        message: expect.stringContaining("policyAssignments/deny-public-blobs"),
        additionalInfo: [{ type: "PolicyViolation", info: { policyAssignmentDisplayName: "Deny public blob access" } }],
      },
    },
  });
  arm.state.knobs = { publicBlobPolicy: "modify" };
  arm.put(account, accountBody({ allowBlobPublicAccess: true }));
  expect(arm.get(account).body).toMatchObject({ properties: { allowBlobPublicAccess: false } });
});

test("an account has two constant keys, answered even if it accepts none", () => {
  const { arm, account } = withGroup();
  arm.put(account, accountBody({ allowSharedKeyAccess: false }));
  const first = arm.send("POST", `${account}/listKeys`).body as { keys: { keyName: string; value: string }[] };
  expect(first.keys.map(({ keyName }) => keyName)).toEqual(["key1", "key2"]);
  expect(Buffer.from(first.keys[0]?.value ?? "", "base64")).toHaveLength(64);
  expect(arm.send("POST", `${account}/listKeys`).body).toEqual(first);
  expect(JSON.stringify(arm.state)).not.toContain(first.keys[0]?.value);
});

test("a member that is not emulated is refused by name", () => {
  const { arm, account } = withGroup();
  expect(arm.put(account, accountBody({ dnsEndpointType: "AzureDnsZone" }), { unrecorded: true })).toMatchObject(
    refusal(400, "InvalidRequestContent"),
  );
  expect(arm.put(account, accountBody({ colour: "red" }), { unrecorded: true })).toMatchObject({
    body: { error: { message: expect.stringContaining("'colour'") } },
  });
});

test("the storage SDK creates, changes, lists and deletes accounts and containers", async () => {
  const server = await openLocalServer();
  await seedState(server.directory, {
    resources: { [`/subscriptions/${wellKnown.subscriptionId}/resourceGroups/demo`]: { location: "eastus" } },
  });
  const { credential, options } = sdkAccess(server);
  const { storageAccounts, blobContainers, blobServices } = new StorageManagementClient(credential, wellKnown.subscriptionId, options);
  expect(await storageAccounts.checkNameAvailability({ name: "demo", type: "Microsoft.Storage/storageAccounts" })).toMatchObject({
    nameAvailable: true,
  });
  const made = await storageAccounts.create("demo", "demo", {
    kind: "StorageV2",
    sku: { name: "Standard_LRS" },
    location: "eastus",
    allowBlobPublicAccess: true,
    allowSharedKeyAccess: false,
    enableHttpsTrafficOnly: true,
    minimumTlsVersion: "TLS1_2",
  });
  expect(made).toMatchObject({ provisioningState: "Succeeded", allowBlobPublicAccess: true, enableHttpsTrafficOnly: true });
  expect(await storageAccounts.update("demo", "demo", { tags: { a: "1" } })).toMatchObject({ tags: { a: "1" } });
  expect(await all(storageAccounts.listByResourceGroup("demo"))).toHaveLength(1);
  expect((await storageAccounts.listKeys("demo", "demo")).keys).toHaveLength(2);
  expect(await blobServices.getServiceProperties("demo", "demo")).toMatchObject({ name: "default" });
  await blobContainers.create("demo", "demo", "oidc", { publicAccess: "Blob", metadata: { a: "1" } });
  expect(await blobContainers.update("demo", "demo", "oidc", { metadata: { b: "2" } })).toMatchObject({ metadata: { b: "2" } });
  expect(await blobContainers.get("demo", "demo", "oidc")).toMatchObject({ publicAccess: "Blob", lastModifiedTime: expect.any(Date) });
  expect(await all(blobContainers.list("demo", "demo"))).toHaveLength(1);
  await blobContainers.delete("demo", "demo", "oidc");
  await storageAccounts.delete("demo", "demo");
  await expect(storageAccounts.getProperties("demo", "demo")).rejects.toMatchObject({ statusCode: 404, code: "ResourceNotFound" });
});
