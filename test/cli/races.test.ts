/** Identical commands that run at once on one emulator agree. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { clusterRaces, races } from "../../tools/race-scenarios.js";
import { amountProblems } from "../../tools/race-test.js";
import { systemClock } from "../../src/emulator/clock.js";
import { raceProblems, raceScale } from "../harness/race.js";
import { testEmulator, type CliResult, type TestEmulator } from "../harness/test-emulator.js";
import { exits } from "./expectations.js";
import { createSet } from "./identity-sets.js";
import { testKey, type TestKey } from "./signing-keys.js";

const sample = races.filter((race) => !race.name.includes("all") && !clusterRaces.includes(race));

test.each(sample)("$name: the commands agree", async (race) => {
  expect(await raceProblems(race)).toEqual([]);
});

async function publish(azure: TestEmulator, { kid, publicPem }: TestKey): Promise<CliResult> {
  const file = azure.path(`${kid}.public`);
  await writeFile(file, publicPem);
  return azure.cli(["create", "oidc-issuer", "--cloud", "local", "--name", "demo", "--public-key-file", file]);
}

test("a publication that another one merges with before it is read back succeeds", async () => {
  const azure = await testEmulator();
  exits(await publish(azure, testKey()), 0);
  // The first write takes effect, and its response arrives after the second run has added its key.
  const faults = [{ method: "PUT", path: "/openid/v1/jwks$", when: "after", delay: 500 }];
  await azure.serve(systemClock, { env: raceScale, faults });
  for (const result of await Promise.all([publish(azure, testKey()), publish(azure, testKey())])) exits(result, 0);
  expect(amountProblems(await azure.snapshot(), { publishedKeys: 3 })).toEqual([]);
});

test.each([
  ["storage account", "/Microsoft.Storage/checkNameAvailability$", (azure: TestEmulator) => publish(azure, testKey())],
  ["Key Vault", "/Microsoft.KeyVault/checkNameAvailability$", (azure: TestEmulator) => createSet(azure)],
])("a %s that an identical run creates in the middle of the first read is not taken for that of others", async (_what, path, create) => {
  const azure = await testEmulator();
  await azure.serve(systemClock, { env: raceScale, faults: [{ method: "POST", path, delay: 300 }] });
  for (const result of await Promise.all([create(azure), create(azure)])) exits(result, 0);
});
