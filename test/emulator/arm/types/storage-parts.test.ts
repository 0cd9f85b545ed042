/** What storage accounts have besides their services: policies, encryption scopes, local users, private connections. */
import { expect, test } from "vitest";
import { keyOf } from "../../../../src/emulator/arm/resource-id.js";
import { accountBody, refusal, withGroup } from "./storage-bodies.js";

function withAccount() {
  const { arm, account } = withGroup();
  arm.put(account, accountBody());
  return { arm, account };
}

const lifecycle = {
  policy: {
    rules: [
      {
        enabled: true,
        name: "old",
        type: "Lifecycle",
        definition: {
          actions: { version: { delete: { daysAfterCreationGreaterThan: 30 } } },
          filters: { blobTypes: ["blockBlob"], prefixMatch: ["logs"] },
        },
      },
    ],
  },
};

const inventory = {
  policy: {
    enabled: true,
    type: "Inventory",
    rules: [
      {
        enabled: true,
        name: "all",
        destination: "reports",
        definition: { format: "Csv", schedule: "Daily", objectType: "Container", schemaFields: ["Name"] },
      },
    ],
  },
};

const replication = { sourceAccount: "from", destinationAccount: "to", rules: [{ sourceContainer: "a", destinationContainer: "b" }] };

test.each([
  ["managementPolicies/default", lifecycle, { name: "DefaultManagementPolicy" }],
  ["inventoryPolicies/default", inventory, { name: "DefaultInventoryPolicy" }],
  ["objectReplicationPolicies/1234", replication, { name: "1234", properties: { policyId: "1234" } }],
  ["localUsers/user1", { homeDirectory: "home", permissionScopes: [] }, { name: "user1" }],
])("%s is written, read and deleted", (path, properties, answered) => {
  const { arm, account } = withAccount();
  const id = `${account}/${path}`;
  expect(arm.put(id, { properties })).toMatchObject({ status: 200, body: { id, ...answered } });
  expect(arm.get(id)).toMatchObject({ status: 200, body: { id, ...answered } });
  expect(arm.get(id).body).toMatchObject({ properties });
  expect(arm.put(id, { properties: { ...properties, colour: "red" } }, { unrecorded: true })).toMatchObject(
    refusal(400, "InvalidRequestContent"),
  );
  expect(arm.delete(id).status).toBe(200);
  expect(arm.get(id).status).toBe(404);
});

test("an encryption scope is created, changed and disabled, and never deleted", () => {
  const { arm, account } = withAccount();
  const id = `${account}/encryptionScopes/scope1`;
  expect(arm.put(id, { properties: {} })).toMatchObject({
    status: 201,
    body: { properties: { source: "Microsoft.Storage", state: "Enabled" } },
  });
  const disabled = arm.send("PATCH", id, { properties: { state: "Disabled" } });
  expect(disabled).toMatchObject({ status: 200, body: { properties: { source: "Microsoft.Storage", state: "Disabled" } } });
  expect(arm.send("DELETE", id, undefined, { unrecorded: true }).status).toBe(501);
});

test("a connection of a private endpoint is in the answer of its account, and can be approved only while it is pending", () => {
  const { arm, account } = withAccount();
  const id = `${account}/privateEndpointConnections/demo.1`;
  const state = (status: string) => ({ properties: { privateLinkServiceConnectionState: { status } } });
  expect(arm.put(id, state("Approved"))).toMatchObject(refusal(404, "ResourceNotFound"));
  arm.state.resources[keyOf(id)] = {
    id,
    name: "demo.1",
    type: "Microsoft.Storage/storageAccounts/privateEndpointConnections",
    ...state("Approved"),
  };
  expect(arm.get(account).body).toMatchObject({ properties: { privateEndpointConnections: [{ id, ...state("Approved") }] } });
  expect(arm.put(id, state("Approved"))).toMatchObject(refusal(400, "InvalidValuesForRequestParameters"));
  expect(arm.put(id, state("Rejected"))).toMatchObject({ status: 200, body: state("Rejected") });
  expect(arm.delete(id).status).toBe(200);
  expect(arm.get(account).body).toMatchObject({ properties: { privateEndpointConnections: [] } });
});
