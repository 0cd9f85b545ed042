/** A container registry, which others made, as the scope of a cluster's right to pull. */
import { AuthorizationManagementClient } from "@azure/arm-authorization";
import { ResourceManagementClient } from "@azure/arm-resources";
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../../../src/emulator/index.js";
import { openLocalServer, recording } from "../../local-server.js";
import { all, sdkAccess } from "../../sdk-access.js";

const group = `/subscriptions/${wellKnown.subscriptionId}/resourceGroups/images`;
const registry = `${group}/providers/Microsoft.ContainerRegistry/registries/demoImages`;
const kubelet = "0123abcd-0000-4000-8000-000000000001";
const acrPull = "7f951dda-4ed3-4680-a7ca-43fe172d538d";

test("AcrPull is assigned on a seeded registry, and read there", async () => {
  const server = await openLocalServer({ environment: recording() });
  await seedState(server.directory, {
    resources: { [group]: { location: "eastus" }, [registry]: { location: "eastus", sku: { name: "Premium", tier: "Premium" } } },
  });
  const { credential, options } = sdkAccess(server);
  const resources = new ResourceManagementClient(credential, wellKnown.subscriptionId, options);
  expect(await resources.resources.getById(registry, "2023-07-01")).toMatchObject({
    name: "demoImages",
    sku: { name: "Premium" },
    properties: { loginServer: "demoimages.azurecr.io", provisioningState: "Succeeded" },
  });
  const filter = "resourceType eq 'Microsoft.ContainerRegistry/registries'";
  expect((await all(resources.resources.list({ filter }))).map(({ id }) => id)).toEqual([registry]);
  const roles = new AuthorizationManagementClient(credential, wellKnown.subscriptionId, options);
  const [definition] = await all(roles.roleDefinitions.list(registry, { filter: "roleName eq 'AcrPull'" }));
  expect(definition).toMatchObject({ name: acrPull, permissions: [{ actions: ["Microsoft.ContainerRegistry/registries/pull/read"] }] });
  await roles.roleAssignments.create(registry, "0123abcd-0000-4000-8000-0000000000ff", {
    roleDefinitionId: definition?.id ?? "",
    principalId: kubelet,
    principalType: "ServicePrincipal",
  });
  const found = await all(roles.roleAssignments.listForScope(registry, { filter: `principalId eq '${kubelet}'` }));
  expect(found).toMatchObject([{ scope: registry, principalId: kubelet }]);
  await resources.resources.beginDeleteByIdAndWait(registry, "2023-07-01");
  expect(await all(roles.roleAssignments.listForSubscription({ filter: `principalId eq '${kubelet}'` }))).toEqual([]);
});
