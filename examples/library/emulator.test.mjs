// Tests of a program that uses Azure, on an Azure of their own: node --test emulator.test.mjs
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { AroHcpError, run } from "aro-hcp";
import { createEmulator } from "aro-hcp/emulator";

const cluster = { name: "demo", infraId: "x7k2" };
const day = 24 * 60 * 60 * 1000;

/** @type {import("aro-hcp/emulator").Emulator} */
let emulator;
/** @type {import("aro-hcp/emulator").Snapshot} */
let created;
/** @type {import("aro-hcp").RunOptions} */
let options;
const outputDir = await mkdtemp(join(tmpdir(), "demo-"));

before(async () => {
  // A minute of Azure's waits takes a second.
  emulator = await createEmulator({ timeScale: 60 });
  options = { environment: { ...process.env, ...emulator.environment } };
  const place = { baseDomain: "hcp.example.com", location: "eastus", dnsZoneRgName: "dns" };
  await run("create all", { ...cluster, ...place, outputDir }, options);
  created = await emulator.snapshot();
});

afterEach(async () => {
  await emulator.reset();
  await emulator.restore(created);
});

after(async () => {
  await emulator.close();
  await rm(outputDir, { recursive: true });
});

test("a destroy leaves what others have", async () => {
  const others = `/subscriptions/${emulator.credentials.subscriptionId}/resourceGroups/others`;
  await emulator.seed({ resources: { [others]: { location: "eastus" } } });
  await run("destroy all", { ...cluster, yes: true }, options);
  const { resources } = await emulator.state();
  const groups = Object.keys(resources).filter((id) => /resourcegroups\/[^/]+$/.test(id));
  assert.deepEqual(
    groups.map((id) => id.split("/").at(-1)),
    ["dns", "others"],
  );
});

test("a refusal of Azure is reported with its code", async () => {
  const answer = { status: 403, body: { error: { code: "AuthorizationFailed", message: "not allowed" } } };
  emulator.setFaults([{ method: "DELETE", path: "/virtualNetworks/", times: 9, answer }]);
  const failed = await run("destroy infra", { ...cluster, yes: true }, options).catch((/** @type {unknown} */ error) => error);
  assert.ok(failed instanceof AroHcpError);
  assert.equal(failed.failures[0]?.azure?.code, "AuthorizationFailed");
});

test("certificates that end soon are found", async () => {
  emulator.clock.advance(350 * day);
  const shown = await run("show identities", { name: "demo" }, options);
  assert.match(JSON.stringify(shown), /expir/);
});
