/** An emulator for the tests of other programs: SDK clients of this process, snapshots, faults, its clock, and what it leaves behind. */
import { existsSync } from "node:fs";
import { ResourceManagementClient } from "@azure/arm-resources";
import { ClientSecretCredential } from "@azure/identity";
import { expect, onTestFinished, test } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions } from "../../src/emulator/embedded.js";

async function opened(options?: EmulatorOptions): Promise<Emulator> {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  return emulator;
}

function clientOf({ agent, credentials }: Emulator): ResourceManagementClient {
  const { tenantId, clientId, clientSecret, subscriptionId } = credentials;
  const credential = new ClientSecretCredential(tenantId, clientId, clientSecret, { agent });
  return new ResourceManagementClient(credential, subscriptionId, { agent, retryOptions: { maxRetries: 0 } });
}

async function groupsOf(client: ResourceManagementClient): Promise<readonly (string | undefined)[]> {
  const names: (string | undefined)[] = [];
  for await (const { name } of client.resourceGroups.list()) names.push(name);
  return names;
}

const seed = { resources: { "/subscriptions/5b5c0000-0000-4000-8000-000000000001/resourceGroups/net": { location: "eastus" } } };

test("SDK clients of the process reach it, and it goes back to its seed or to a snapshot", async () => {
  const emulator = await opened({ seed });
  const client = clientOf(emulator);
  await client.resourceGroups.createOrUpdate("one", { location: "eastus" });
  const snapshot = await emulator.snapshot();
  await client.resourceGroups.createOrUpdate("two", { location: "eastus" });
  await emulator.restore(snapshot);
  expect(await groupsOf(client)).toEqual(["dns", "net", "one"]);
  await emulator.reset();
  expect(await groupsOf(client)).toEqual(["dns", "net"]);
  expect(Object.keys((await emulator.state()).resources)).toHaveLength(3);
  await expect(emulator.restore({ takenAt: new Date() })).rejects.toThrow("not taken from this emulator");
});

test("fault rules are replaced at any time, checked, and never kill the process of the tests", async () => {
  const refuse = { method: "GET", path: "/resourcegroups", times: 9, answer: { status: 403, body: { error: { code: "No" } } } };
  const emulator = await opened({ faults: [refuse] });
  const client = clientOf(emulator);
  await expect(groupsOf(client)).rejects.toMatchObject({ statusCode: 403 });
  emulator.setFaults([]);
  expect(await groupsOf(client)).toEqual(["dns"]);
  await emulator.reset();
  await expect(groupsOf(client)).rejects.toMatchObject({ statusCode: 403 });
  expect(() => emulator.setFaults([{ path: "/", kill: true }])).toThrow("rule 1: kill would end this process");
  expect(() => emulator.setFaults([{ path: "/", answr: {} }])).toThrow("answr");
});

test("its clock goes forward only: a token ends with it", async () => {
  const emulator = await opened();
  const client = clientOf(emulator);
  expect(await groupsOf(client)).toEqual(["dns"]);
  const before = emulator.clock.now().getTime();
  emulator.clock.advance(2 * 60 * 60 * 1000);
  expect(emulator.clock.now().getTime() - before).toBeGreaterThanOrEqual(2 * 60 * 60 * 1000);
  await expect(groupsOf(client)).rejects.toMatchObject({ statusCode: 401 });
  expect(() => emulator.clock.advance(-1)).toThrow("forward only");
});

test("each has a directory of its own, which a close or a failed start removes", async () => {
  const [one, two] = [await createEmulator(), await createEmulator()];
  const directories = [one, two].map(({ environment }) => environment["ARO_HCP_LOCAL_DIR"] ?? "");
  expect(new Set(directories).size).toBe(2);
  await one.close();
  await two[Symbol.asyncDispose]();
  for (const directory of directories) expect(existsSync(directory)).toBe(false);
  await expect(createEmulator({ seed: { resource: {} } })).rejects.toThrow("resource");
});
