/** The initial state, what a seed document adds, and the snapshot of both. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stateSnapshot, seedState, wellKnown } from "../../src/emulator/index.js";
import { openState } from "../../src/emulator/open.js";
import { snapshotOf } from "../../src/emulator/state/snapshot.js";
import { openLocalServer } from "./local-server.js";
import { temporaryDirectory } from "../harness/temporary-directory.js";

const subscription = `/subscriptions/${wellKnown.subscriptionId}`;
const group = `${subscription}/resourceGroups/g`;
const vnet = `${group}/providers/Microsoft.Network/virtualNetworks/net`;

test("a fresh state has the zone, the client and its two roles, and a credentials file that only its owner can read", async () => {
  const directory = temporaryDirectory().path;
  const snapshot = await stateSnapshot(directory);
  expect(Object.keys(snapshot.resources)).toEqual([
    `${subscription}/resourcegroups/dns`,
    `${subscription}/resourcegroups/dns/providers/microsoft.network/dnszones/hcp.example.com`,
  ]);
  expect(Object.values(snapshot.roleAssignments)).toHaveLength(2);
  expect(snapshot.applications).toMatchObject({ [wellKnown.clientId]: { secrets: 1 } });
  const file = join(directory, "azure-creds.json");
  const credentials = JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
  expect(Object.keys(credentials)).toEqual(["subscriptionId", "tenantId", "clientId", "clientSecret"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(snapshot)).not.toContain(credentials["clientSecret"]);
});

test("the states of two directories have different secrets and the same snapshot", async () => {
  const [one, other] = [temporaryDirectory().path, temporaryDirectory().path];
  expect(await stateSnapshot(one)).toEqual(await stateSnapshot(other));
  const secretOf = (directory: string) => readFileSync(join(directory, "azure-creds.json"), "utf8");
  expect(secretOf(one)).not.toBe(secretOf(other));
});

test.each([
  ['{"__proto__": {"seed": 1}}', "__proto__"],
  ['{"resources": {"__proto__": {"location": "eastus"}}}', "resources.__proto__"],
  [`{"resources": {"${group}": {"location": "eastus", "tags": {"__proto__": "x"}}}}`, `resources.${group}.tags.__proto__`],
])("a seed document with a key __proto__ is refused: %s", async (text, path) => {
  const directory = temporaryDirectory().path;
  await expect(seedState(directory, JSON.parse(text))).rejects.toThrow(`the seed document is not valid: ${path}:`);
});

test("a seeded network is as if ARM had created it, and its group may follow it in the document", async () => {
  const server = await openLocalServer();
  const properties = {
    addressSpace: { addressPrefixes: ["10.1.0.0/16"] },
    subnets: [{ name: "s", properties: { addressPrefix: "10.1.0.0/24" } }],
  };
  await seedState(server.directory, {
    resources: { [vnet]: { location: "eastus", properties }, [group]: { location: "eastus", tags: { etag: "mine" } } },
  });
  const reply = await server.call("management.azure.com", `${vnet}/subnets/s?api-version=2025-05-01`, { token: await server.token() });
  expect(reply).toMatchObject({ status: 200, body: { id: `${vnet}/subnets/s`, properties: { provisioningState: "Succeeded" } } });
  const snapshot = await stateSnapshot(server.directory, { operationLog: true });
  expect(snapshot.operationLog).toEqual([]);
  expect(snapshot.operations).toEqual([]);
  expect(snapshot.resources[group.toLowerCase()]).toMatchObject({ tags: { etag: "mine" } });
  expect(Object.keys(snapshot.roleAssignments)).toHaveLength(2);
});

test("a resource of a type that the emulator does not create is stored as it is", async () => {
  const directory = temporaryDirectory().path;
  const machine = `${subscription}/resourceGroups/dns/providers/Microsoft.Compute/virtualMachines/vm`;
  await seedState(directory, {
    resources: { [machine]: { location: "eastus", zones: ["1"], properties: { hardwareProfile: { vmSize: "D2" } } } },
  });
  const { resources } = await stateSnapshot(directory);
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
  const directory = temporaryDirectory().path;
  const before = await stateSnapshot(directory);
  await expect(seedState(directory, document)).rejects.toThrow(reason);
  expect(await stateSnapshot(directory)).toEqual(before);
});

test("providers, role assignments, knobs and the seed are set", async () => {
  const directory = temporaryDirectory().path;
  const [role, principalId, name] = [wellKnown.tenantId, wellKnown.clientId, wellKnown.clientPrincipalId];
  await seedState(directory, {
    seed: 9,
    knobs: { pageSize: 3 },
    providers: { "Microsoft.Network": "NotRegistered" },
    roleAssignments: [{ scope: subscription, role, principalId, name }],
  });
  const state = await openState(directory).transact((it) => ({ value: it, commit: false }));
  expect(state).toMatchObject({ seed: 9, knobs: { pageSize: 3 } });
  expect(state.subscriptions[0]?.providers).toMatchObject({ "Microsoft.Network": "NotRegistered", "Microsoft.Compute": "Registered" });
  expect(state.roleAssignments[`${subscription}/providers/microsoft.authorization/roleassignments/${name}`]).toMatchObject({
    principalId,
    scope: subscription,
  });
});

test("an operation is in the snapshot while it runs, and not after its end", async () => {
  const state = await openState(temporaryDirectory().path).transact((it) => ({ value: it, commit: false }));
  state.operations["o"] = { id: "o", resource: "r", kind: "put", name: "Put", startedAt: 0, readyAt: 100, polls: 0, status: "InProgress" };
  expect(snapshotOf(state, 99, { operationLog: false }).operations).toEqual([{ resource: "r", kind: "put", name: "Put" }]);
  expect(snapshotOf(state, 100, { operationLog: false }).operations).toEqual([]);
});

test("agents of a connected cluster report once they are seeded, and those of no cluster are refused", async () => {
  const directory = temporaryDirectory().path;
  const cluster = `${group}/providers/Microsoft.Kubernetes/connectedClusters/c`;
  const arcAgents = { [cluster]: { helmErrors: { "microsoft.flux": "timed out" } } };
  await expect(seedState(directory, { arcAgents })).rejects.toThrow(/there is no such connected cluster/);
  await seedState(directory, { providers: { "Microsoft.Kubernetes": "Registered", "Microsoft.KubernetesConfiguration": "Registered" } });
  const identity = { type: "SystemAssigned" };
  const agentPublicKeyCertificate = "a2V5";
  const body = { location: "eastus", identity, properties: { agentPublicKeyCertificate } };
  await seedState(directory, { resources: { [group]: { location: "eastus" }, [cluster]: body }, arcAgents });
  const extension = (name: string, extensionType: string) => ({
    [`${cluster}/providers/Microsoft.KubernetesConfiguration/extensions/${name}`]: { identity, properties: { extensionType } },
  });
  await seedState(directory, { resources: { ...extension("flux", "microsoft.flux"), ...extension("policy", "microsoft.policyinsights") } });
  const { resources } = await stateSnapshot(directory);
  const states = Object.values(resources as Record<string, { name: string; properties: Record<string, unknown> }>);
  expect(Object.fromEntries(states.map(({ name, properties }) => [name, properties["provisioningState"]]))).toMatchObject({
    flux: "Failed",
    policy: "Succeeded",
  });
});
