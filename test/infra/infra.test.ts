/** The main flow, end to end: create, create again, show, destroy. */
import { readFile, stat } from "node:fs/promises";
import { expect, test } from "vitest";
import { demo, demoDomain, testEmulator, writes } from "../harness/test-emulator.js";

test("create creates the infrastructure, a second run writes nothing, destroy restores the original state", async () => {
  const azure = await testEmulator();
  const before = await azure.snapshot();
  const file = azure.path("infra.json");

  const created = await azure.cli(["create", "infra", ...demo, ...demoDomain, "--output-file", file]);
  expect(created).toMatchObject({ code: 0 });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ infraID: "demo-x7k2", resourceGroupName: "demo-demo-x7k2" });
  const made = await azure.snapshot();
  expect(Object.keys(made.resources).length).toBe(Object.keys(before.resources).length + 10);
  // The check at the end reads each once. After its creation, no read of it delays the next step.
  const zones = (await azure.traffic()).filter(({ method, url }) => method === "GET" && /\/privateDnsZones\//i.test(url));
  expect(zones.map(({ url }) => new URL(url).pathname.split("/").at(-1))).toHaveLength(2);

  const again = await azure.cli(["create", "infra", ...demo, ...demoDomain]);
  expect(again).toMatchObject({ code: 0 });
  const traffic = await azure.traffic();
  expect(writes(traffic)).toEqual([]);
  expect(traffic.filter(({ method }) => method === "GET").length).toBeLessThanOrEqual(19);
  expect(await azure.snapshot()).toEqual(made);

  const destroyed = await azure.cli(["destroy", "infra", ...demo, "--yes"]);
  expect(destroyed).toMatchObject({ code: 0 });
  expect(await azure.snapshot()).toEqual(before);
  const destroyedAgain = await azure.cli(["destroy", "infra", ...demo, "--yes"]);
  expect(destroyedAgain).toMatchObject({ code: 0 });
});
