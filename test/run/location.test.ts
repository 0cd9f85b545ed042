/** Where a create puts resources without `--location`: beside its group, or where a person wants, never anywhere by itself. */
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { systemClock } from "../../src/azure/clock.js";
import { screensOf } from "../../src/render/screen.js";
import { inLocationOfGroup, withLocation } from "../../src/run/location.js";
import type { RunContext } from "../../src/run/run-context.js";
import { connectedAzure } from "../harness/connected-azure.js";
import { testEmulator } from "../harness/test-emulator.js";
import { create as infra, resolve } from "../settings/resolving.js";

const set = {
  name: "demo",
  infraId: "x7k2",
  persistentResourceGroupName: "common",
  oidcIssuerUrl: "https://issuer.example.com",
};

/** Of a run without a terminal. */
function place() {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), environment: {}, clock: systemClock };
  const said: string[] = [];
  const { people } = screensOf(streams, "never");
  const context = { port: streams, people, signal: new AbortController().signal, say: (text: string) => said.push(text) };
  return { context: context as unknown as RunContext, said };
}

async function emptyAzure() {
  const { directory } = await testEmulator();
  return connectedAzure(directory);
}

test("a given location counts, and the emulator has a default", async () => {
  const azure = await emptyAzure();
  const { context, said } = place();
  for (const flags of [{ location: "westus3" }, { cloud: "local" }]) {
    const resolved = await infra(flags);
    expect(await withLocation("create infra", resolved, azure, context)).toBe(resolved);
  }
  expect(said).toEqual([]);
});

test("without one, nothing is created anywhere: it is required where nobody can be asked", async () => {
  const failed = withLocation("create infra", await infra(), await emptyAzure(), place().context);
  await expect(failed).rejects.toMatchObject({
    code: "ARO-USAGE-001",
    problems: [{ origin: "--location", message: expect.stringMatching(/^is required; .*ARO_HCP_LOCATION/) as string }],
  });
});

test("a group that exists has the location, and the command says so", async () => {
  const azure = await emptyAzure();
  const { resourceGroups } = await azure.resources();
  const resolved = await resolve("create iam", set);
  const { context, said } = place();
  await expect(withLocation("create iam", resolved, azure, context, "common")).rejects.toMatchObject({ code: "ARO-USAGE-001" });
  expect(await inLocationOfGroup(resolved, azure, "common")).toBe(resolved);
  await resourceGroups.createOrUpdate("common", { location: "westus3" });
  const placed = await withLocation("create iam", resolved, azure, context, "common");
  expect([placed.settings.location, placed.origins.location?.label]).toEqual(["westus3", "existing --location"]);
  expect(said).toEqual(["notice: the location is westus3, that of resource group common"]);
  expect((await inLocationOfGroup(resolved, azure, "common")).settings.location).toBe("westus3");
});
