/** What a world begins with, what a seed document adds, and the picture of both. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pictureOfWorld, seedWorld, wellKnown } from "../../src/embedded-azure/index.js";
import { openWorld } from "../../src/embedded-azure/open.js";
import { pictureOf } from "../../src/embedded-azure/world/picture.js";
import { emptyDirectory, openLocalDoor } from "./local-door.js";

const subscription = `/subscriptions/${wellKnown.subscriptionId}`;
const group = `${subscription}/resourceGroups/g`;
const vnet = `${group}/providers/Microsoft.Network/virtualNetworks/net`;

test("a fresh world has the zone, the client and its two roles, and a credentials file that only its owner reads", async () => {
  const directory = emptyDirectory();
  const picture = await pictureOfWorld(directory);
  expect(Object.keys(picture.resources)).toEqual([
    `${subscription}/resourcegroups/dns`,
    `${subscription}/resourcegroups/dns/providers/microsoft.network/dnszones/hcp.example.com`,
  ]);
  expect(Object.values(picture.roleAssignments)).toHaveLength(2);
  expect(picture.applications).toMatchObject({ [wellKnown.clientId]: { secrets: 1 } });
  const file = join(directory, "azure-creds.json");
  const credentials = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  expect(Object.keys(credentials)).toEqual(["subscriptionId", "tenantId", "clientId", "clientSecret"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(picture)).not.toContain(credentials["clientSecret"]);
});

test("worlds of two directories have different secrets and the same picture", async () => {
  const [one, other] = [emptyDirectory(), emptyDirectory()];
  expect(await pictureOfWorld(one)).toEqual(await pictureOfWorld(other));
  const secretOf = (directory: string) => readFileSync(join(directory, "azure-creds.json"), "utf8");
  expect(secretOf(one)).not.toBe(secretOf(other));
});

test("a seeded network is one that ARM would have made, and its group may come after it in the document", async () => {
  const door = await openLocalDoor();
  const properties = {
    addressSpace: { addressPrefixes: ["10.1.0.0/16"] },
    subnets: [{ name: "s", properties: { addressPrefix: "10.1.0.0/24" } }],
  };
  await seedWorld(door.directory, {
    resources: { [vnet]: { location: "eastus", properties }, [group]: { location: "eastus", tags: { etag: "mine" } } },
  });
  const reply = await door.call("management.azure.com", `${vnet}/subnets/s?api-version=2025-05-01`, { token: await door.token() });
  expect(reply).toMatchObject({ status: 200, body: { id: `${vnet}/subnets/s`, properties: { provisioningState: "Succeeded" } } });
  const picture = await pictureOfWorld(door.directory, { ledger: true });
  expect(picture.ledger).toEqual([]);
  expect(picture.operations).toEqual([]);
  expect(picture.resources[group.toLowerCase()]).toMatchObject({ tags: { etag: "mine" } });
  expect(Object.keys(picture.roleAssignments)).toHaveLength(2);
});

test("a resource of a type that others make is kept as it is", async () => {
  const directory = emptyDirectory();
  const machine = `${subscription}/resourceGroups/dns/providers/Microsoft.Compute/virtualMachines/vm`;
  await seedWorld(directory, {
    resources: { [machine]: { location: "eastus", zones: ["1"], properties: { hardwareProfile: { vmSize: "D2" } } } },
  });
  const { resources } = await pictureOfWorld(directory);
  expect(resources[machine.toLowerCase()]).toMatchObject({
    type: "Microsoft.Compute/virtualMachines",
    beside: { zones: ["1"] },
    properties: { hardwareProfile: { vmSize: "D2" } },
  });
});

test.each([
  ["an unknown key", { resource: {} }, /resource/],
  ["an unknown key of an application", { applications: [{ appId: wellKnown.clientId, displayName: "x", name: "y" }] }, /name/],
  ["a body that ARM refuses", { resources: { [group]: { location: "nowhere" } } }, /LocationNotAvailableForResourceGroup/],
  ["a resource without its group", { resources: { [`${group}/providers/Some.Other/things/t`]: {} } }, /resource group/],
])("a seed document with %s is refused and changes nothing", async (_, document, reason) => {
  const directory = emptyDirectory();
  const before = await pictureOfWorld(directory);
  await expect(seedWorld(directory, document)).rejects.toThrow(reason);
  expect(await pictureOfWorld(directory)).toEqual(before);
});

test("providers, role assignments, knobs and the seed are set", async () => {
  const directory = emptyDirectory();
  const [role, principalId, name] = [wellKnown.tenantId, wellKnown.clientId, wellKnown.clientPrincipalId];
  await seedWorld(directory, {
    seed: 9,
    knobs: { pageSize: 3 },
    providers: { "Microsoft.Network": "NotRegistered" },
    roleAssignments: [{ scope: subscription, role, principalId, name }],
  });
  const world = await openWorld(directory).transact((it) => ({ value: it, commit: false }));
  expect(world).toMatchObject({ seed: 9, knobs: { pageSize: 3 } });
  expect(world.subscriptions[0]?.providers).toMatchObject({ "Microsoft.Network": "NotRegistered", "Microsoft.Compute": "Registered" });
  expect(world.roleAssignments[`${subscription}/providers/microsoft.authorization/roleassignments/${name}`]).toMatchObject({
    principalId,
    scope: subscription,
  });
});

test("an operation is in the picture while it runs, and not after its end", async () => {
  const world = await openWorld(emptyDirectory()).transact((it) => ({ value: it, commit: false }));
  world.operations["o"] = { id: "o", resource: "r", kind: "put", name: "Put", startedAt: 0, readyAt: 100, polls: 0, status: "InProgress" };
  expect(pictureOf(world, 99, { ledger: false }).operations).toEqual([{ resource: "r", kind: "put", name: "Put" }]);
  expect(pictureOf(world, 100, { ledger: false }).operations).toEqual([]);
});
