/** Groups, tags, providers, subscriptions and roles as Azure's own SDKs see them, through the server. */
import { AuthorizationManagementClient } from "@azure/arm-authorization";
import { ResourceManagementClient } from "@azure/arm-resources";
import { SubscriptionClient } from "@azure/arm-resources-subscriptions";
import { expect, test } from "vitest";
import { stateSnapshot, wellKnown } from "../../../src/emulator/index.js";
import { openLocalServer } from "../local-server.js";
import { all, sdkAccess } from "../sdk-access.js";

const scope = `/subscriptions/${wellKnown.subscriptionId}`;
const reader = `${scope}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`;

async function openClients() {
  const { credential, options } = sdkAccess(await openLocalServer());
  return {
    resources: new ResourceManagementClient(credential, wellKnown.subscriptionId, options),
    subscriptions: new SubscriptionClient(credential, options),
    authorization: new AuthorizationManagementClient(credential, wellKnown.subscriptionId, options),
  };
}

test("the resources SDK creates, tags, finds, checks and deletes a group", async () => {
  const { resources } = await openClients();
  const made = await resources.resourceGroups.createOrUpdate("demo", { location: "eastus", tags: { a: "1" } });
  expect(made).toMatchObject({ name: "demo", location: "eastus", properties: { provisioningState: "Succeeded" } });
  const tagged = await resources.tagsOperations.beginUpdateAtScopeAndWait(`${scope}/resourceGroups/demo`, {
    operation: "Merge",
    properties: { tags: { b: "2" } },
  });
  expect(tagged.properties?.tags).toEqual({ a: "1", b: "2" });
  const found = await all(resources.resourceGroups.list({ filter: "tagName eq 'b' and tagValue eq '2'" }));
  expect(found.map(({ name }) => name)).toEqual(["demo"]);
  expect((await resources.resourceGroups.checkExistence("demo")).body).toBe(true);
  await resources.resourceGroups.beginDeleteAndWait("demo");
  expect((await resources.resourceGroups.checkExistence("demo")).body).toBe(false);
  await expect(resources.resourceGroups.get("demo")).rejects.toMatchObject({ statusCode: 404, code: "ResourceGroupNotFound" });
});

test("the resources SDK lists and reads any resource by its ID, and sees providers", async () => {
  const { resources } = await openClients();
  const [zone] = await all(resources.resources.list({ filter: "resourceType eq 'Microsoft.Network/dnszones'", expand: "createdTime" }));
  expect(zone?.name).toBe(wellKnown.dnsZone);
  expect(await resources.resources.getById(zone?.id ?? "", "2018-05-01")).toMatchObject({ name: wellKnown.dnsZone });
  expect(await resources.providers.get("Microsoft.Network")).toMatchObject({ registrationState: "Registered" });
  expect(await resources.providers.register("Microsoft.Network")).toMatchObject({ registrationState: "Registered" });
});

test("the subscriptions SDK sees the subscription, its tenant and its locations", async () => {
  const { subscriptions } = await openClients();
  expect((await all(subscriptions.subscriptions.list())).map(({ subscriptionId }) => subscriptionId)).toEqual([wellKnown.subscriptionId]);
  expect(await subscriptions.subscriptions.get(wellKnown.subscriptionId)).toMatchObject({ state: "Enabled", tenantId: wellKnown.tenantId });
  expect((await all(subscriptions.tenants.list())).map(({ tenantId }) => tenantId)).toEqual([wellKnown.tenantId]);
  const locations = await all(subscriptions.subscriptions.listLocations(wellKnown.subscriptionId));
  expect(locations.map(({ name }) => name)).toContain("westeurope");
});

test("the authorization SDK creates, lists, reads and deletes role assignments, and reads roles", async () => {
  const { authorization, resources } = await openClients();
  const group = (await resources.resourceGroups.createOrUpdate("demo", { location: "eastus" })).id ?? "";
  const name = "11111111-1111-4111-8111-111111111111";
  const principalId = "22222222-2222-4222-8222-222222222222";
  const { roleAssignments, roleDefinitions } = authorization;
  const made = await roleAssignments.create(group, name, { principalId, principalType: "ServicePrincipal", roleDefinitionId: reader });
  expect(made).toMatchObject({ name, principalId, scope: group, roleDefinitionId: reader });
  expect(await all(roleAssignments.listForScope(group, { filter: `principalId eq '${principalId}'` }))).toHaveLength(1);
  expect(await all(roleAssignments.listForSubscription())).toHaveLength(3);
  expect(await roleAssignments.getById(made.id ?? "")).toMatchObject({ name });
  expect(await roleAssignments.delete(group, name)).toMatchObject({ name });
  await expect(roleAssignments.get(group, name)).rejects.toMatchObject({ statusCode: 404, code: "RoleAssignmentNotFound" });
  const [role] = await all(roleDefinitions.list(scope, { filter: "roleName eq 'Reader'" }));
  expect(role?.id).toBe(reader);
});

test("an operation that ends between requests has ended in the next snapshot", async () => {
  const server = await openLocalServer({ environment: { ARO_HCP_LOCAL_LATENCY: "recorded", ARO_HCP_LOCAL_TIME_SCALE: "100" } });
  const { credential, options } = sdkAccess(server);
  const { resourceGroups } = new ResourceManagementClient(credential, wellKnown.subscriptionId, options);
  await resourceGroups.createOrUpdate("demo", { location: "eastus" });
  // Started and not polled to its end: on a slow machine it may have ended already, which is fine.
  await resourceGroups.beginDelete("demo");
  await expect.poll(async () => JSON.stringify(await stateSnapshot(server.directory))).not.toContain("resourceGroups/demo");
});
