/** A sample of kills in `create all` and `destroy all`, drawn anew in each run: the same command makes all well, and nothing is there twice. */
import { randomInt } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { placePrivateKey, testKey } from "../cli/signing-keys.js";
import { localAzure, type CliOptions, type LocalAzure } from "../harness/local-azure.js";

const cluster = ["--cloud", "local", "--name", "demo", "--infra-id", "demo-x7k2"] as const;
const key = testKey();
const points = 6;

interface Point {
  readonly command: "create" | "destroy";
  /** Which request of the run, counted from 1. */
  readonly request: number;
  readonly when: "before" | "after";
}

async function create(azure: LocalAzure, options?: CliOptions) {
  await placePrivateKey(azure.path("demo"), key);
  const wanted = ["--base-domain", "hcp.example.com", "--dns-zone-rg-name", "dns", "--output-dir", azure.path("demo"), "--yes"];
  return azure.cli(["create", "all", ...cluster, ...wanted], options);
}

const destroy = (azure: LocalAzure, options?: CliOptions) => azure.cli(["destroy", "all", ...cluster, "--purge", "--yes"], options);

/** How often each thing is there; ids that Azure draws differ from world to world. */
async function inventory(azure: LocalAzure) {
  const { resources, roleAssignments, applications, deletedApplications = {}, vaults = {} } = await azure.picture();
  return {
    resources: Object.keys(resources),
    roles: Object.keys(roleAssignments).length,
    applications: Object.values(applications)
      .map((application) => application as { displayName: string; certificates?: unknown[] })
      .map(({ displayName, certificates = [] }) => `${displayName} ${String(certificates.length)}`)
      .sort(),
    deleted: Object.keys(deletedApplications).length,
    vaults,
  };
}

test("after a kill at any request of create all or destroy all, the same command makes all well", { timeout: 600_000 }, async () => {
  const seed = Number(process.env["ARO_HCP_CRASH_SEED"] ?? randomInt(2 ** 31));
  console.log(`crash sample: ARO_HCP_CRASH_SEED=${String(seed)} draws the same points again`);
  const undisturbed = await localAzure();
  const before = await undisturbed.picture();
  expect((await create(undisturbed)).code).toBe(0);
  const made = await inventory(undisturbed);
  const requests = { create: (await undisturbed.traffic()).length, destroy: 0 };
  expect((await destroy(undisturbed)).code).toBe(0);
  requests.destroy = (await undisturbed.traffic()).length;

  const point = fc.constantFrom("create" as const, "create" as const, "destroy" as const).chain((command) =>
    fc.record<Point>({
      command: fc.constant(command),
      request: fc.integer({ min: 1, max: requests[command] }),
      when: fc.constantFrom("before", "after"),
    }),
  );
  for (const { command, request, when } of fc.sample(point, { seed, numRuns: points })) {
    const azure = await localAzure();
    const name = `${command}:${String(request)}:${when}`;
    const kill = { faults: [{ request, when, kill: true }] };
    if (command === "create") {
      await create(azure, kill);
      const again = await create(azure);
      expect(again.code, `${name}\n${again.stderr}`).toBe(0);
      expect(await inventory(azure), name).toEqual(made);
    } else {
      expect((await create(azure)).code).toBe(0);
      await destroy(azure, kill);
    }
    const last = await destroy(azure);
    expect(last.code, `${name}\n${last.stderr}`).toBe(0);
    expect(await azure.picture(), name).toEqual(before);
  }
});
