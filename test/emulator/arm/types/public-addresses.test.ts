/** What a public address keeps for life, IP tags and zones, and who may have which tags: by calls, and through Azure's own SDK. */
import { NetworkManagementClient } from "@azure/arm-network";
import { ResourceManagementClient } from "@azure/arm-resources";
import { expect, test } from "vitest";
import { seedState, wellKnown } from "../../../../src/emulator/index.js";
import { openLocalServer, recording } from "../../local-server.js";
import { sdkAccess } from "../../sdk-access.js";

const { subscriptionId } = wellKnown;
const feature = "Microsoft.Network/AllowBringYourOwnPublicIpAddress";
const enrolled = { features: { [feature]: "Registered" } };
const firstParty = [{ ipTagType: "FirstPartyUsage", tag: "/NonProd" }];

async function openNetwork(seed?: object) {
  const server = await openLocalServer({ environment: recording() });
  if (seed !== undefined) await seedState(server.directory, seed);
  const { credential, options } = sdkAccess(server);
  const resources = new ResourceManagementClient(credential, subscriptionId, options);
  await resources.resourceGroups.createOrUpdate("demo", { location: "eastus" });
  const { publicIPAddresses } = new NetworkManagementClient(credential, subscriptionId, options);
  const put = (changes: object) =>
    publicIPAddresses.beginCreateOrUpdateAndWait("demo", "egress", {
      location: "eastus",
      sku: { name: "Standard" },
      publicIPAllocationMethod: "Static",
      ...changes,
    });
  return { server, publicIPAddresses, put };
}

test("a subscription that is not enrolled is refused the tags of first parties, in Azure's words", async () => {
  const { publicIPAddresses, put } = await openNetwork();
  const words = `Subscription /subscriptions/${subscriptionId}/resourceGroups//providers/Microsoft.Network/subscriptions/ is not registered for feature ${feature}`;
  const refusal = { statusCode: 400, code: "SubscriptionNotRegisteredForFeature", message: expect.stringContaining(words) as string };
  await expect(put({ ipTags: firstParty })).rejects.toMatchObject(refusal);
  await expect(publicIPAddresses.get("demo", "egress")).rejects.toMatchObject({ statusCode: 404 });
});

test("a subscription that registers the feature has them, and they are answered as sent", async () => {
  const { server, publicIPAddresses, put } = await openNetwork();
  const token = await server.token();
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.Features/providers/Microsoft.Network/features/AllowBringYourOwnPublicIpAddress`;
  const registered = await server.call("management.azure.com", `${path}/register?api-version=2021-07-01`, { method: "POST", token });
  expect(registered).toMatchObject({ status: 200, body: { properties: { state: "Registering" } } });
  await put({ ipTags: firstParty });
  expect((await publicIPAddresses.get("demo", "egress")).ipTags).toEqual(firstParty);
});

test("everybody may choose the routing preference, and the feature is not asked for", async () => {
  const { put } = await openNetwork();
  const ipTags = [{ ipTagType: "RoutingPreference", tag: "Internet" }];
  expect((await put({ ipTags })).ipTags).toEqual(ipTags);
});

test.each([
  ["other tags", [{ ipTagType: "FirstPartyUsage", tag: "/aro-hcp-prod-outbound-cx" }]],
  ["no tags", []],
  ["more tags", [...firstParty, { ipTagType: "RoutingPreference", tag: "Internet" }]],
])("an address keeps its tags: %s are refused", async (_what, ipTags) => {
  const { publicIPAddresses, put } = await openNetwork(enrolled);
  await put({ ipTags: firstParty });
  await expect(put({ ipTags })).rejects.toMatchObject({ statusCode: 400, code: "IpTagsCannotBeModified" });
  expect((await publicIPAddresses.get("demo", "egress")).ipTags).toEqual(firstParty);
  await publicIPAddresses.beginDeleteAndWait("demo", "egress");
  expect((await put({ ipTags })).ipTags).toEqual(ipTags);
});

test("the same tags in another order are the same, and other members can change", async () => {
  const { put } = await openNetwork(enrolled);
  const both = [...firstParty, { ipTagType: "RoutingPreference", tag: "Internet" }];
  await put({ ipTags: both });
  expect(await put({ ipTags: both.toReversed(), idleTimeoutInMinutes: 10, tags: { team: "network" } })).toMatchObject({
    idleTimeoutInMinutes: 10,
    tags: { team: "network" },
  });
});

test.each([
  ["a region without zones", { location: "westus", zones: ["1"] }, "'1' for resource 'Microsoft.Network/publicIPAddresses/egress'", ""],
  ["a zone that no region has", { zones: ["1", "4"] }, "'1,4' for resource", "1,2,3"],
])("%s is refused in Azure's words", async (_what, changes, named, offered) => {
  const { put } = await openNetwork();
  const message = expect.stringMatching(`The zone\\(s\\) ${named}.* is not supported\\. The supported zones .* are '${offered}'`) as string;
  await expect(put(changes)).rejects.toMatchObject({ statusCode: 400, code: "InvalidAvailabilityZone", message });
});

test.each([
  ["NoZone", undefined],
  ["1", ["1"]],
])("an address keeps its zones: %s instead of all three is refused in Azure's words", async (named, zones) => {
  const { put } = await openNetwork();
  expect((await put({ zones: ["1", "2", "3"] })).zones).toEqual(["1", "2", "3"]);
  const message = expect.stringContaining(
    `has an existing availability zone constraint 1, 2, 3 and the request has availability zone constraint ${named}, which do not match.`,
  ) as string;
  await expect(put({ zones })).rejects.toMatchObject({ statusCode: 400, code: "ResourceAvailabilityZonesCannotBeModified", message });
  expect((await put({ zones: ["3", "2", "1"] })).provisioningState).toBe("Succeeded");
});
